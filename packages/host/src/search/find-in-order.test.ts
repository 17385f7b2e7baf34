import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import type { CallScope, Search } from "@haft/contract"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSearch } from "./index.js"

let root: string

/** 10,000 files; "common" is in each of them, "rare" in each hundredth, and the last folder has long lists of "dense". */
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-order-")))
  for (let folder = 0; folder < 100; folder += 1) {
    const path = join(root, `folder-${folder}`)
    mkdirSync(path)
    for (let file = 0; file < 100; file += 1) {
      const rare = file === 7 ? "rare\n" : ""
      const dense = folder === 99 ? "dense\n".repeat(50) : ""
      writeFileSync(join(path, `file-${file}.txt`), `common line\n${"filler text\n".repeat(20)}${rare}${dense}`)
    }
  }
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

test("the same search gives the same bytes, below and above its limit", async () => {
  const searches: readonly (() => Promise<unknown>)[] = [
    () => search().grep({ ...request, pattern: "common" }),
    () => search().grep({ ...request, pattern: "rare", maxMatches: 40, contextLines: 2 }),
    () => search({ admits: (path) => !path.endsWith("7.txt") }).grep({ ...request, pattern: "dense", maxMatches: 700 }),
    () => search().glob({ pattern: "**/*1.txt", maxPaths: 700, timeoutMs: 20_000 }),
    () =>
      search({ admits: (path) => !path.endsWith("1.txt") }).glob({ pattern: "**", maxPaths: 7000, timeoutMs: 20_000 }),
  ]
  for (const once of searches) {
    const first = JSON.stringify(await once())
    for (let run = 1; run < 20; run += 1) expect(JSON.stringify(await once())).toBe(first)
  }
}, 300_000)

test("what is kept over the limit is the beginning of the sorted whole", async () => {
  const whole = await search().grep({ ...request, pattern: "dense", maxMatches: 100_000 })
  expect(whole).toMatchObject({ complete: true, fileCount: 100 })
  expect(whole.matches).toHaveLength(5000)
  const part = await search().grep({ ...request, pattern: "dense", maxMatches: 130 })
  expect(part).toMatchObject({ complete: false, fileCount: 3 })
  expect(part.matches).toEqual(whole.matches.slice(0, 130))
  const all = await search().glob({ pattern: "**", maxPaths: 20_000, timeoutMs: 20_000 })
  expect(all).toMatchObject({ total: 10_000 })
  const some = await search().glob({ pattern: "**", maxPaths: 8123, timeoutMs: 20_000 })
  expect(some.paths).toEqual(all.paths.slice(0, 8123))
})

test("a search whose time is up gives what it found and leaves no process behind", async () => {
  const found = await search().grep({ ...request, pattern: "common", timeoutMs: 1 })
  expect(found).toMatchObject({ timedOut: true, complete: false })
  const late = await search({ deadlineMs: Date.now() + 110 }).glob({
    pattern: "**",
    maxPaths: 20_000,
    timeoutMs: 20_000,
  })
  if (late.timedOut) expect(late).toMatchObject({ complete: false })
  expect(children()).toEqual([])
})

test("an aborted search is cancelled and leaves no process behind", async () => {
  for (const delayMs of [0, 2, 10, 40, 60]) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), delayMs)
    const searching = search({ signal: controller.signal }).grep({ ...request, pattern: "(filler|rare) nothing" })
    const outcome = await searching.catch((error: unknown) => error)
    if (controller.signal.aborted) expect([undefined, "cancelled"]).toContain((outcome as { code?: string }).code)
    expect(children()).toEqual([])
  }
  const aborted = search({ signal: AbortSignal.abort() }).grep({ ...request, pattern: "x" })
  await expect(aborted).rejects.toMatchObject({ code: "cancelled" })
})

test("one ripgrep runs at a time, whether the sorted one is enough or not", async () => {
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, children().length)), 1)
  try {
    for (const pattern of ["common", "rare", "(filler|rare) nothing"]) await search().grep({ ...request, pattern })
  } finally {
    clearInterval(watch)
  }
  expect(most).toBe(1)
})

test("a failing judge ends the search and the process", async () => {
  const admits = () => {
    throw new Error("no verdict")
  }
  await expect(search({ admits }).grep({ ...request, pattern: "common" })).rejects.toThrow("no verdict")
  expect(children()).toEqual([])
})

test("a file with endless hits costs no more than the limit", async () => {
  writeFileSync(join(root, "0-huge.txt"), "hit hit hit\n".repeat(5_000_000))
  const found = await search().grep({ ...request, pattern: "hit" })
  expect(found.matches).toHaveLength(2000)
  expect(found).toMatchObject({ complete: false, fileCount: 1 })
  const named = await search().grep({ ...request, pattern: "hit", path: "0-huge.txt", maxMatches: 10 })
  expect(named.matches).toEqual(found.matches.slice(0, 10))
  rmSync(join(root, "0-huge.txt"))
})

const request = { contextLines: 0, ignoreCase: false, maxMatches: 2000, timeoutMs: 20_000 }

interface Circumstances {
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
  admits?(path: string): boolean
}

function search({ signal, deadlineMs, admits }: Circumstances = {}): Search {
  const call: CallScope = {
    callId: "call",
    sessionId: "session",
    signal: signal ?? new AbortController().signal,
    deadlineMs: deadlineMs ?? Date.now() + 60_000,
    grant: { admits: (_, path) => admits?.(path) ?? true, mayKeep: () => true },
    observe: () => undefined,
  }
  const isFile = (path: string) => path.endsWith(".txt")
  return createSearch({
    directory: root,
    display: (path) => relative(root, path),
    openDirectory: async (path) => ({
      path: isFile(path) ? root : path,
      cwd: isFile(path) ? root : path,
      ...(isFile(path) ? { single: relative(root, path) } : {}),
      close: () => undefined,
    }),
  })(call)
}

/** The ripgrep processes that this process started and that are not gone, ended ones included. */
function children(): string[] {
  const rows = execFileSync("ps", ["-o", "comm=", "--ppid", String(process.pid)], { encoding: "utf8" })
  return rows.split("\n").filter((name) => name.startsWith("rg"))
}
