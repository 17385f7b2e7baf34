import { existsSync } from "node:fs"
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

beforeEach(() => {
  session = createTestSession()
  loads = 0
  const { root, sessionFolder, historyFolder } = session
  const none = () => {
    throw new Error("this is not asked for here")
  }
  const place = { roots: [root], directory: root, sessionFolder, historyFolder }
  const sandbox = { policy: "off" as const, haftHome: join(sessionFolder, "home"), home: root, variables: {} }
  const box = () => () => ({ run: none })
  ports = lazyProcessPorts(async () => {
    loads += 1
    return createProcessPorts(
      {
        sandbox: { ...sandbox, cacheFolder: join(sessionFolder, "cache"), path: process.env.PATH! },
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
