import { lstatSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { CallScope } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openSessionFiles, type SessionFiles } from "../session-files.js"

let base: string
let files: SessionFiles

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-looked-"))
  writeFileSync(join(base, "a.txt"), "first\n")
  files = openSessionFiles({
    roots: [base],
    directory: base,
    sessionFolder: join(base, ".session"),
    historyFolder: join(base, ".history"),
  })
})

afterEach(async () => {
  await files.close()
  rmSync(base, { recursive: true, force: true })
})

function call(admits: CallScope["grant"]["admits"] = () => true): CallScope {
  const grant = { admits, mayKeep: () => true }
  const signal = new AbortController().signal
  return { callId: "c", sessionId: "s", signal, deadlineMs: Date.now() + 10_000, grant, observe: () => undefined }
}

const open = async (path: string) => Buffer.from((await files.files(call()).open(path)).whole!).toString()

/** How many descriptors of this process lead to a path. */
function held(path: string): number {
  if (process.platform !== "linux") return 0
  return readdirSync("/proc/self/fd").filter((name) => {
    try {
      return lstatSync(`/proc/self/fd/${name}`).isSymbolicLink() && readlinkSync(`/proc/self/fd/${name}`) === path
    } catch {
      return false
    }
  }).length
}

test("a file that was looked at and opened in one turn is read, and nothing stays open", async () => {
  await files.locate("a.txt")
  expect(await open("a.txt")).toBe("first\n")
  expect(held(join(base, "a.txt"))).toBe(0)
})

test("what nobody opens is let go at the end of the turn", async () => {
  await Promise.all(Array.from({ length: 100 }, () => files.locate("a.txt")))
  await nextTurn()
  await nextTurn()
  expect(held(join(base, "a.txt"))).toBe(0)
})

test("a file that was replaced between the verdict and a later turn is found anew", async () => {
  await files.locate("a.txt")
  await nextTurn()
  await nextTurn()
  writeFileSync(join(base, "b.txt"), "second\n")
  renameSync(join(base, "b.txt"), join(base, "a.txt"))
  expect(await open("a.txt")).toBe("second\n")
})

test("what is held is judged again when it is opened", async () => {
  await files.locate("a.txt")
  await expect(files.files(call(() => false)).open("a.txt")).rejects.toMatchObject({ code: "denied" })
  expect(held(join(base, "a.txt"))).toBe(0)
})

test("closing the session lets go at once", async () => {
  await files.locate("a.txt")
  await files.close()
  expect(held(join(base, "a.txt"))).toBe(0)
})
