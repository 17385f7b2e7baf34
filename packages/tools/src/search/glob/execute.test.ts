import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { glob } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(3, "0")}.txt`, ""]))

test("paths come sorted, one a line, with their number", async () => {
  bench = await openBench({ "b.ts": "", "a/c.ts": "", "d.md": "" })
  const { data, text } = await bench.run(glob, { pattern: "**/*.ts" })
  expect(data).toEqual({ paths: ["a/c.ts", "b.ts"], complete: true, total: 2 })
  expect(text).toBe("a/c.ts\nb.ts\n[2 files]")
})

test("[C2-22] a search that stopped early says that there may be more", async () => {
  bench = await openBench(many(60))
  const { data, text } = await bench.run(glob, { pattern: "*.txt" }, { limit: 3 })
  expect(data.paths).toEqual(Object.keys(many(30)))
  expect(data.complete).toBe(false)
  expect(data.total).toBeUndefined()
  expect(text).toContain("there may be more")
  expect((await bench.run(glob, { pattern: "*.txt" }, { limit: 6 })).data).toMatchObject({ complete: true, total: 60 })
})

test("no match is an output with a note", async () => {
  bench = await openBench({ "a.md": "" })
  const { data, text } = await bench.run(glob, { pattern: "*.ts" })
  expect(data).toEqual({ paths: [], complete: true, total: 0 })
  expect(text).toBe('[No file matches "*.ts"]')
})

test("files that a rule denies are counted, not named", async () => {
  bench = await openBench({ "a.pem": "", "a.ts": "" })
  const grant = { admits: (_: string, path: string) => !path.endsWith(".pem"), mayKeep: () => true }
  const { data, text } = await bench.run(glob, { pattern: "*" }, { grant })
  expect(data).toMatchObject({ paths: ["a.ts"], skipped: { denied: 1 } })
  expect(text).toBe("a.ts\n[1 file; 1 left out by rules]")
})

test("a pattern never becomes a flag", async () => {
  bench = await openBench({ "--files": "", "a.ts": "" })
  expect((await bench.run(glob, { pattern: "--files" })).data.paths).toEqual(["--files"])
})

test("a missing folder and a path outside are typed failures", async () => {
  bench = await openBench({ "a.ts": "" })
  expect((await failure(bench.run(glob, { pattern: "*", path: "nowhere" }))).code).toBe("not_found")
  expect((await failure(bench.run(glob, { pattern: "*", path: ".." }))).code).toBe("denied")
})

test("a name with a line break cannot pass for two files", async () => {
  bench = await openBench({ "one\ntwo.ts": "" })
  const { data, text } = await bench.run(glob, { pattern: "*.ts" })
  expect(data.paths).toEqual(["one\ntwo.ts"])
  expect(text).toBe('"one\\ntwo.ts"\n[1 file]')
})

test("a missing path is answered with near names that the call may see", async () => {
  bench = await openBench({ "source/a.txt": "" })
  const near = await failure(bench.run(glob, { pattern: "*", path: "sourse" }))
  expect(near).toMatchObject({ code: "not_found", details: { near: expect.arrayContaining(["source"]) } })
  expect(near.message).toContain('did you mean "source"')
  const grant = { admits: (_: string, path: string) => !path.endsWith("/source"), mayKeep: () => true }
  expect((await failure(bench.run(glob, { pattern: "*", path: "sourse" }, { grant }))).message).not.toContain(
    '"source"',
  )
})

test("folders like [id], several patterns and open braces are answered well", async () => {
  bench = await openBench({ "app/[id]/page.tsx": "", "app/x/page.tsx": "" })
  expect((await bench.run(glob, { pattern: "app/[id]/*.tsx" })).data.paths).toEqual(["app/[id]/page.tsx"])
  expect((await bench.run(glob, { pattern: "app/[xyz]/*.tsx" })).data.paths).toEqual(["app/x/page.tsx"])
  expect((await failure(bench.run(glob, { pattern: "*.ts,*.tsx" }))).hint).toContain('"{*.ts,*.tsx}"')
  expect((await failure(bench.run(glob, { pattern: "*.{ts,tsx" }))).message).toContain("is never closed")
  const { text } = await bench.run(glob, { pattern: "*.js *.jsx" })
  expect(text).toBe('[No file matches "*.js *.jsx"; for several patterns send "{*.js,*.jsx}"]')
})
