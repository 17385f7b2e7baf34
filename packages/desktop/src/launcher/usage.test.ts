import { execFile } from "node:child_process"
import { appendFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { frecency, Usage } from "./usage.js"

const runner = fileURLToPath(new URL("../../../../scripts/run-ts.mjs", import.meta.url))
const counter = fileURLToPath(new URL("../../test/count-uses.ts", import.meta.url))
const dayMs = 24 * 60 * 60 * 1000
let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-usage-"))
  file = join(folder, "deep", "usage.json")
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function stored(): Promise<ReadonlyMap<string, { readonly count: number }>> {
  const usage = new Usage(file, () => 0)
  await usage.refresh()
  return usage.uses
}

test("twenty uses of two months ago weigh less than three of today", () => {
  const now = 100 * dayMs
  const old = frecency({ count: 20, lastUsed: now - 60 * dayMs }, now)
  expect(old).toBeCloseTo(0.0496, 4)
  expect(old).toBeLessThan(frecency({ count: 3, lastUsed: now }, now))
})

test("a use without a time does not fade, and a clock that was set back adds nothing", () => {
  expect(frecency({ count: 4 }, 50 * dayMs)).toBe(4)
  expect(frecency({ count: 4, lastUsed: 60 * dayMs }, 50 * dayMs)).toBe(4)
})

test("uses are counted at once and outlive the process", async () => {
  const usage = new Usage(file, () => 7)
  usage.record("tool_read")
  usage.record("tool_read")
  expect(usage.uses.get("tool_read")).toEqual({ count: 2, lastUsed: 7 })
  await usage.store()
  expect((await stored()).get("tool_read")).toEqual({ count: 2, lastUsed: 7 })
  expect(await readdir(join(folder, "deep"))).toEqual(["usage.json"])
})

test("what another session stored is seen after a refresh, and nobody's counts are lost", async () => {
  const [one, other] = [new Usage(file, () => 1), new Usage(file, () => 2)]
  one.record("app_a")
  other.record("app_a")
  await one.store()
  await other.refresh()
  expect(other.uses.get("app_a")).toEqual({ count: 2, lastUsed: 2 })
  await other.store()
  expect((await stored()).get("app_a")).toEqual({ count: 2, lastUsed: 2 })
})

// Locks between processes are links, which need a privilege on Windows.
test.skipIf(process.platform === "win32")("two processes that store at the same time lose nothing", async () => {
  const run = () => promisify(execFile)(process.execPath, [runner, counter, file])
  await Promise.all([run(), run()])
  expect((await stored()).get("tool_bash")?.count).toBe(40)
})

test.each([
  ["no JSON at all", "\0\0garbage"],
  ["an empty file", ""],
  ["half of a file", '[\n["tool_read",3,5],\n["tool_wri'],
  ["rows of other shapes", '[\n["tool_read",3,5],\n["x"],\n{"a":1},\n["y",-1,2],\n["z","3",2],\nnull\n]'],
])("%s: what can be read is kept, and counting goes on", async (_name, content) => {
  await mkdir(join(folder, "deep"))
  await writeFile(file, content)
  const usage = new Usage(file, () => 9)
  await usage.refresh()
  expect(usage.uses.size).toBe(content.includes("tool_read") ? 1 : 0)
  usage.record("app_new")
  await usage.store()
  const after = await stored()
  expect(after.get("app_new")?.count).toBe(1)
  expect(after.get("tool_read")?.count).toBe(content.includes("tool_read") ? 3 : undefined)
})

test("a place that cannot be written keeps the counts for this process and fails nothing", async () => {
  await writeFile(join(folder, "deep"), "a file where a folder should be")
  const usage = new Usage(file, () => 1)
  usage.record("tool_read")
  await usage.store()
  expect(usage.uses.get("tool_read")?.count).toBe(1)
})

test("a lock that a killed process left behind is broken", async () => {
  await mkdir(join(folder, "deep"))
  await symlink("4194304-1", `${file}.writer`)
  const usage = new Usage(file, () => 1)
  usage.record("tool_read")
  await usage.store()
  expect((await stored()).get("tool_read")?.count).toBe(1)
  expect(await readdir(join(folder, "deep"))).toEqual(["usage.json"])
})

test("the file stays small: what weighs least is forgotten", async () => {
  let now = 0
  const usage = new Usage(file, () => now)
  for (let index = 0; index < 2_500; index++) {
    now = index * 1000
    usage.record(`file_${index}`)
  }
  await usage.store()
  const after = await stored()
  expect(after.size).toBe(2_000)
  expect(after.has("file_2499")).toBe(true)
  expect(after.has("file_0")).toBe(false)
})

test("any ids are stored as they are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 20 }), async (ids) => {
      await rm(file, { force: true })
      const usage = new Usage(file, () => 1)
      for (const id of ids) usage.record(id)
      await usage.store()
      expect(new Set((await stored()).keys())).toEqual(new Set(ids))
    }),
    { numRuns: 20 },
  )
})

test("uses that ended sessions noted are counted by the next one that opens the file, once", async () => {
  await mkdir(join(folder, "deep"))
  await appendFile(`${file}.log`, '["tool_read",1,10]\n')
  await appendFile(`${file}.log`, '["tool_read",1,20]\n')
  const usage = new Usage(file, () => 30)
  await usage.refresh()
  expect(usage.uses.get("tool_read")).toEqual({ count: 2, lastUsed: 20 })
  await usage.store()
  expect(await readdir(join(folder, "deep"))).toEqual(["usage.json"])
  expect((await stored()).get("tool_read")).toEqual({ count: 2, lastUsed: 20 })
})

test("a damaged line of noted uses counts for nothing", async () => {
  await mkdir(join(folder, "deep"))
  await writeFile(`${file}.log`, '["tool_read",1,10]\n["tool_read"\n[1,2,3]\nnull\n{}\n')
  const usage = new Usage(file, () => 30)
  await usage.refresh()
  expect([...usage.uses.keys()]).toEqual(["tool_read"])
})
