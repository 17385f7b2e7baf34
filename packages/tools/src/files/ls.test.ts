import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../test/failure.js"
import { openBench, type ToolBench } from "../../test/tool-bench.js"
import { ls } from "./ls.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("entries come sorted with type, size and time", async () => {
  bench = await openBench({ "b.txt": "12345", "a/inner.txt": "" })
  symlinkSync("b.txt", join(bench.workspace.path, "c"))
  utimesSync(join(bench.workspace.path, "b.txt"), 1_700_000_000, 1_700_000_000)
  const { data, text } = await bench.run(ls, {})
  expect(data.complete).toBe(true)
  expect(data.entries.map((entry: { name: string; type: string }) => [entry.name, entry.type])).toEqual([
    ["a", "directory"],
    ["b.txt", "file"],
    ["c", "link"],
  ])
  expect(data.entries[1]).toEqual({ name: "b.txt", type: "file", size: 5, mtime: "2023-11-14T22:13:20.000Z" })
  expect(text).toBe("a/\nb.txt\t5\nc@\n[3 entries]")
})

test("[C2-22] more entries than ten times the limit are not called complete", async () => {
  bench = await openBench()
  for (let index = 0; index < 30; index += 1) writeFileSync(join(bench.workspace.path, `f${index}`), "")
  const few = await bench.run(ls, {}, { limit: 2 })
  expect(few.data.entries).toHaveLength(20)
  expect(few.data.complete).toBe(false)
  expect(few.text).toContain("there are more")
  expect((await bench.run(ls, {}, { limit: 3 })).data.complete).toBe(true)
})

test("an empty folder is an answer", async () => {
  bench = await openBench()
  mkdirSync(join(bench.workspace.path, "empty"))
  expect((await bench.run(ls, { path: "empty" })).text).toBe("[No entries]")
})

test("a name with a line break cannot pass for two entries", async () => {
  bench = await openBench({ "one\ntwo": "" })
  expect((await bench.run(ls, {})).text).toBe('"one\\ntwo"\t0\n[1 entry]')
})

test("entries that a rule denies are counted, not named", async () => {
  bench = await openBench({ ".env": "KEY=1", "a.txt": "" })
  const grant = { admits: (_: string, path: string) => !path.endsWith(".env"), mayKeep: () => true }
  const { data, text } = await bench.run(ls, {}, { grant })
  expect(data.denied).toBe(1)
  expect(text).toBe("a.txt\t0\n[1 entry; 1 left out by rules]")
})

test("a file, a missing folder and a path outside are typed failures", async () => {
  bench = await openBench({ "a.txt": "" })
  expect((await failure(bench.run(ls, { path: "a.txt" }))).code).toBe("unsupported")
  expect((await failure(bench.run(ls, { path: "nowhere" }))).code).toBe("not_found")
  expect((await failure(bench.run(ls, { path: ".." }))).code).toBe("denied")
})
