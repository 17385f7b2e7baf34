import { lstatSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { CallScope } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openSessionFiles, type SessionFiles } from "./session-files.js"

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

test("of two looks in one turn the later one counts", async () => {
  writeFileSync(join(base, "b.txt"), "second\n")
  await files.locate("a.txt")
  renameSync(join(base, "b.txt"), join(base, "a.txt"))
  await files.locate("a.txt")
  expect(await open("a.txt")).toBe("second\n")
  expect(held(join(base, "a.txt"))).toBe(0)
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

test("a large file that was looked at stays open until it is closed, and is the one that was judged", async () => {
  const large = Buffer.alloc(300_000, "line\n")
  writeFileSync(join(base, "large.log"), large)
  await files.locate("large.log")
  const opened = await files.files(call()).open("large.log")
  expect(opened.whole).toBeUndefined()
  expect(Buffer.from(await opened.read(0, large.length)).equals(large)).toBe(true)
  expect(held(join(base, "large.log"))).toBe(process.platform === "linux" ? 1 : 0)
  await opened.close()
  expect(held(join(base, "large.log"))).toBe(0)
})

test("an abort closes a large file, whether the call has a signal or only tells of its end", async () => {
  writeFileSync(join(base, "large.log"), Buffer.alloc(300_000, "line\n"))
  const controller = new AbortController()
  const listeners = new Set<() => void>()
  const scopes: CallScope[] = [
    { ...call(), signal: controller.signal },
    {
      ...call(),
      onAbort(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  ]
  for (const scope of scopes) await files.files(scope).open("large.log")
  controller.abort()
  for (const listener of listeners) listener()
  await nextTurn()
  expect(held(join(base, "large.log"))).toBe(0)
})

test("what another spelling was found to mean is not taken for this one", async () => {
  await files.locate("./a.txt")
  expect(await open("a.txt")).toBe("first\n")
  await nextTurn()
  expect(held(join(base, "a.txt"))).toBe(0)
})

test.each(["a.txt", "./a.txt", "x/../a.txt", ".//a.txt", "...txt", "a..b/c"])(
  "%s is found where the path module puts it",
  async (path) => {
    expect((await files.locate(path)).absolute).toBe(resolve(base, path))
  },
)
