import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CallScope } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openSessionFiles, type SessionFiles } from "./session-files.js"
import { openRoot } from "./walk/open-root.js"

let base: string
const at = (path: string) => join(base, path)

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-session-files-"))
  for (const [folder, content] of [
    ["own", "mine"],
    ["other", "foreign"],
  ] as const) {
    mkdirSync(at(folder))
    writeFileSync(at(`${folder}/a.txt`), content)
  }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function open(root: string, name: string): SessionFiles {
  const [sessionFolder, historyFolder] = [at(`state/${name}`), at("state/history")]
  return openSessionFiles({ roots: [at(root)], directory: at(root), sessionFolder, historyFolder })
}

function call(): CallScope {
  const grant = { admits: () => true, mayKeep: () => true }
  const signal = new AbortController().signal
  return { callId: "c", sessionId: "s", signal, deadlineMs: Date.now() + 10_000, grant, observe: () => undefined }
}

// The next session gets the numbers of descriptors that the first one gave back.
describe.each(["own", "other"])("after its end, with a session in %s after it, a session", (next) => {
  test("neither reads nor writes anything, and makes no folder of its own again", async () => {
    const files = open("own", "first")
    const port = files.files(call())
    await files.close()
    const second = open(next, "second")
    const late = Buffer.from("late")
    const tries: Readonly<Record<string, () => Promise<unknown>>> = {
      open: () => port.open("a.txt"),
      readAll: () => port.readAll("a.txt", { maxBytes: 100 }),
      stat: () => port.stat("a.txt"),
      list: () => port.list(".", { maxEntries: 10 }),
      locate: () => files.locate("a.txt"),
      search: () => files.openDirectory(".", call()),
      write: () => port.write("a.txt", late),
      create: () => port.write("new.txt", late),
      move: () => port.move("a.txt", "b.txt"),
      remove: () => port.remove("a.txt"),
      scratch: () => port.write(at("state/first/scratch/x"), late),
      sidecar: () => files.writeSidecar("c", "late"),
    }
    for (const [what, work] of Object.entries(tries)) {
      await expect(work(), what).rejects.toMatchObject({ code: "cancelled" })
    }
    expect([readdirSync(at("own")), readFileSync(at("own/a.txt"), "utf8")]).toEqual([["a.txt"], "mine"])
    expect(readdirSync(at("other"))).toEqual(["a.txt"])
    expect(existsSync(at("state/first"))).toBe(false)
    await second.close()
  })
})

test.skipIf(process.platform !== "linux")("a change that is under way when its session ends is not made", async () => {
  const files = open("own", "first")
  let second: SessionFiles | undefined
  const work = files.files(call()).update("a.txt", { maxBytes: 100 }, async () => {
    await files.close()
    second = open("other", "second")
    return Buffer.from("late")
  })
  await expect(work).rejects.toMatchObject({ code: "cancelled" })
  expect(["own", "other"].map((root) => readFileSync(at(`${root}/a.txt`), "utf8"))).toEqual(["mine", "foreign"])
  await second?.close()
})

test.skipIf(process.platform !== "linux")(
  "a directory that was let go leads nowhere, also when its number is in use again",
  () => {
    const root = openRoot(at("own"))
    root.close()
    const next = openRoot(at("other"))
    expect(() => root.held.entry("a.txt")).toThrow(/not held any more/)
    expect(() => root.held.self).toThrow(/not held any more/)
    next.close()
  },
)
