import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { SandboxedCall } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createProcessPorts, type ProcessPorts } from "./process-ports.js"
import { createTestSession, type TestSession } from "./run/process/testing/test-session.js"
import { lazyProcessPorts } from "./session-ports.js"

let session: TestSession
let loads: number
let ports: ProcessPorts
let call: SandboxedCall
/** How often sandboxes asked whether a root is wide, which each making of them does once. */
let made: number

beforeEach(() => {
  session = createTestSession()
  loads = 0
  made = 0
  const { root, sessionFolder, historyFolder } = session
  const none = () => {
    throw new Error("this is not asked for here")
  }
  const place = { roots: [root], directory: root, sessionFolder, historyFolder }
  const sandbox = { policy: "off" as const, haftHome: join(sessionFolder, "home"), home: root, variables: {} }
  const isWide = () => {
    made += 1
    return false
  }
  const box = () => () => ({ run: none })
  ports = lazyProcessPorts(async () => {
    loads += 1
    return createProcessPorts(
      {
        sandbox: { ...sandbox, isWide, cacheFolder: join(sessionFolder, "cache"), path: process.env.PATH! },
        box,
        languages: none,
      },
      { ...place, opened: [], committed: [], serverFiles: none, onMaskLost: () => undefined },
    )
  })
  call = session.call()
})
afterEach(async () => {
  await ports.close()
  session.remove()
})

const touch = (name: string) => ({ argv: ["touch", name], timeoutMs: 10_000, keepBytes: 1000 })

test.each([true, false])(
  "after its end a session starts nothing; processes were loaded before: %s",
  async (isLoaded) => {
    const commands = ports.commands(call)
    if (isLoaded) await commands.run(touch("early"))
    await ports.close()
    await expect(commands.run(touch("late"))).rejects.toMatchObject({ code: "cancelled" })
    expect([existsSync(join(session.root, "early")), existsSync(join(session.root, "late"))]).toEqual([isLoaded, false])
    expect(loads).toBe(isLoaded ? 1 : 0)
  },
)

test("the facts of a verdict come from the index: no sandbox is made, and names are judged once", async () => {
  for (const name of [".env", "a.txt"]) writeFileSync(join(session.root, name), name)
  const judged: string[] = []
  const denies = (kind: string, path: string) => {
    judged.push(`${kind} ${path.slice(session.root.length + 1)}`)
    return path.endsWith("/.env")
  }
  const request = { denies, rulesKey: {} }
  expect(await ports.workspaceFacts(request)).toEqual({ unmasked: [] })
  const first = judged.length
  expect(new Set(judged)).toEqual(new Set(["fs.read .env", "fs.read a.txt", "fs.write a.txt"]))
  for (let number = 0; number < 5; number += 1) await ports.workspaceFacts(request)
  expect([judged.length, made]).toEqual([first, 0])
  await ports.commands(call).run(touch("b.txt"))
  expect(made).toBeGreaterThan(0)
})
