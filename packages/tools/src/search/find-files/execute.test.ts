import { utimesSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { nameFilter } from "./execute.js"
import { findFiles } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const find = async (input: object, options?: Parameters<ToolBench["run"]>[2]) => bench.run(findFiles, input, options)

test("the query is plain text: no character of it is a pattern", async () => {
  bench = await openBench({
    "a[1].txt": "",
    "a1.txt": "",
    "(x+)+y": "",
    "x*y": "",
    "{a,b}.c": "",
    "we!rd": "",
    "\\d": "",
  })
  for (const [query, paths] of [
    ["[1]", ["a[1].txt"]],
    ["(x+)+", ["(x+)+y"]],
    ["*", ["x*y"]],
    ["{A,b}", ["{a,b}.c"]],
    ["!", ["we!rd"]],
    ["\\D", ["\\d"]],
    ["--files", []],
    ["a[1", ["a[1].txt"]],
    ["{a", ["{a,b}.c"]],
    [",", ["{a,b}.c"]],
  ] as const) {
    expect([query, (await find({ query })).data.paths]).toEqual([query, paths])
  }
})

test("letters of every script are found in any case, and a slash reaches into the path", async () => {
  bench = await openBench({ "Straße/Größe.md": "", "src/main/App.ts": "", "app.test.ts": "" })
  expect((await find({ query: "GRÖSSE" })).data.paths).toEqual([])
  expect((await find({ query: "GRÖ" })).data.paths).toEqual(["Straße/Größe.md"])
  expect((await find({ query: "MAIN/app" })).data.paths).toEqual(["src/main/App.ts"])
  expect((await find({ query: "main" })).data.paths).toEqual([])
})

test("types are endings, with or without a dot, and combine with the query", async () => {
  bench = await openBench({ "a.ts": "", "b.TS": "", "c.tsx": "", "d.tar.gz": "", ts: "" })
  expect((await find({ types: ["ts"] })).data.paths).toEqual(["a.ts", "b.TS"])
  expect((await find({ types: [".tsx", "tar.gz"] })).data.paths).toEqual(["c.tsx", "d.tar.gz"])
  expect((await find({ query: "A", types: ["*.ts"] })).data.paths).toEqual(["a.ts"])
  expect((await failure(find({ types: ["a/b"] }))).code).toBe("invalid_args")
})

test("dates include the first end and not the last; newest first; equal ones by path", async () => {
  bench = await openBench({ "a.ts": "", "b.ts": "", "c.ts": "", "d.ts": "" })
  const day = Date.UTC(2024, 4, 31) / 1000
  for (const [name, time] of Object.entries({ a: day - 1, b: day, c: day + 86_400, d: day })) {
    utimesSync(join(bench.workspace.path, `${name}.ts`), time, time)
  }
  expect((await find({ modified_after: "2024-05-31", modified_before: "2024-06-01" })).data.paths).toEqual([
    "b.ts",
    "d.ts",
  ])
  expect((await find({ modified_before: "2024-05-31T00:00:00Z" })).data.paths).toEqual(["a.ts"])
  expect((await find({ modified_after: "2024-05-31T02:00:00+02:00" })).data.paths).toEqual(["b.ts", "c.ts", "d.ts"])
  expect((await find({ sort: "date" })).data.paths).toEqual(["c.ts", "b.ts", "d.ts", "a.ts"])
  for (const value of ["2024-02-30", "2024-13-01", "24-01-01", "", "2024-01-01T25:00", "1714521600"]) {
    expect([value, (await failure(find({ modified_after: value }))).code]).toEqual([value, "invalid_args"])
  }
})

test("more files than the limit: the first in order, and how many there are in all where that is known", async () => {
  bench = await openBench(
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index + 10}.txt`, "x".repeat(index)])),
  )
  const first = await find({ query: "f", limit: 3 })
  expect(first.data).toEqual({ paths: ["f10.txt", "f11.txt", "f12.txt"], complete: false })
  expect(first.text).toContain("there may be more")
  const largest = await find({ sort: "size", limit: 2 })
  expect(largest.data).toEqual({ paths: ["f39.txt", "f38.txt"], complete: false, total: 30 })
  expect(largest.text).toContain("[2 of 30 files")
  expect((await find({})).data).toMatchObject({ complete: true, total: 30 })
})

test("files that a rule denies are counted, not named; ignored ones are neither", async () => {
  bench = await openBench({ "key.pem": "", "key.ts": "", "other.pem": "", ".gitignore": "*.log\n", "key.log": "" })
  const grant = { admits: (_: string, path: string) => !path.endsWith(".pem"), mayKeep: () => true }
  const { data, text } = await find({ query: "KEY" }, { grant })
  expect(data).toEqual({ paths: ["key.ts"], complete: true, total: 1, skipped: { denied: 1 } })
  expect(text).toBe("key.ts\n[1 file; 1 left out by rules]")
})

test("a missing folder and a path outside are typed failures", async () => {
  bench = await openBench({ "a.ts": "" })
  expect((await failure(find({ path: "nowhere" }))).code).toBe("not_found")
  expect((await failure(find({ path: ".." }))).code).toBe("denied")
})

test("a query finds exactly the names that contain it", async () => {
  const letter = fc.constantFrom("a", "B", ".", "*", "[", "]", "\\", "{", "}", ",", "!", "?", "-", " ", "ä", "É", "t")
  const name = fc
    .string({ unit: letter, minLength: 1, maxLength: 6 })
    .filter((text) => text.trim() !== "" && !/^\.+$/.test(text))
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { maxLength: 8, selector: (text) => text.toLowerCase() }),
      name,
      async (names, query) => {
        await bench?.close()
        bench = await openBench(Object.fromEntries(names.map((each) => [`d/${each}`, ""])))
        const wanted = names
          .filter((each) => each.toLowerCase().includes(query.toLowerCase()))
          .map((each) => `d/${each}`)
        expect([...(await find({ query })).data.paths].sort()).toEqual(wanted.sort())
        expect(names.every((each) => nameFilter({ query }).matches(each) === wanted.includes(`d/${each}`))).toBe(true)
      },
    ),
    { numRuns: 25 },
  )
})

test("a query that looks like a pattern and finds nothing is explained", async () => {
  bench = await openBench({ "a.ts": "", "[aA]b": "" })
  expect((await find({ query: "*.ts" })).text).toBe(
    "[No file fits; names are plain text here, * and ? are no wildcards]",
  )
  expect((await find({ query: "ab" })).data.paths).toEqual([])
})
