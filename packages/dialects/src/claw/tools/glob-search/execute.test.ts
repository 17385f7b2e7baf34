import { utimesSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { globSearch } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const at = (path: string) => join(bench.workspace.path, path)
const changed = (path: string, seconds: number) => utimesSync(at(path), seconds, seconds)

test("the newest come first, the rest by path", async () => {
  bench = await openBench({ "a.ts": "", "b.ts": "", "src/c.ts": "", "d.md": "" })
  for (const [path, seconds] of [
    ["a.ts", 100],
    ["b.ts", 300],
    ["src/c.ts", 100],
    ["d.md", 900],
  ] as const)
    changed(path, seconds)
  const { data, text } = await bench.run(globSearch, { pattern: "**/*.{ts,tsx}" })
  expect(data).toEqual({ paths: [at("b.ts"), at("a.ts"), at("src/c.ts")], complete: true })
  expect(text).toContain("[3 files, newest first]")
})

test("the newest of many is found, wherever its name is in the order", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `f${String(index).padStart(3, "0")}.txt`)
  bench = await openBench(Object.fromEntries(names.map((name) => [name, ""])))
  for (const name of names) changed(name, 1000)
  changed("f149.txt", 2000)
  const { data } = await bench.run(globSearch, { pattern: "*.txt" }, { limit: 5 })
  expect(data.paths).toHaveLength(50)
  expect(data.paths[0]).toBe(at("f149.txt"))
  expect(data.complete).toBe(false)
})

test("folders of built and installed things are left out, unless they are named", async () => {
  const folders = [".git", "node_modules", ".build", "target", "dist", "coverage"]
  bench = await openBench({ ...Object.fromEntries(folders.map((name) => [`deep/${name}/x.ts`, ""])), "dist.ts": "" })
  expect((await bench.run(globSearch, { pattern: "**/*.ts" })).data.paths).toEqual([at("dist.ts")])
  expect((await bench.run(globSearch, { pattern: "deep/dist/*.ts" })).data.paths).toEqual([at("deep/dist/x.ts")])
  expect((await bench.run(globSearch, { pattern: "*.ts", path: "deep/target" })).data.paths).toEqual([
    at("deep/target/x.ts"),
  ])
})

test("no match is an output, a missing folder a failure", async () => {
  bench = await openBench({ "a.md": "" })
  expect((await bench.run(globSearch, { pattern: "*.ts" })).data).toEqual({ paths: [], complete: true })
  expect((await failure(bench.run(globSearch, { pattern: "*", path: "nowhere" }))).code).toBe("not_found")
})

test("folders like [id], several patterns and open braces are answered well", async () => {
  bench = await openBench({ "app/[id]/page.tsx": "" })
  const { data } = await bench.run(globSearch, { pattern: "app/[id]/*.tsx" })
  expect(data.paths).toEqual([join(bench.workspace.path, "app/[id]/page.tsx")])
  expect((await failure(bench.run(globSearch, { pattern: "*.ts|*.tsx" }))).hint).toContain('"{*.ts,*.tsx}"')
  expect((await failure(bench.run(globSearch, { pattern: "*.ts}" }))).message).toContain("closes nothing")
  expect((await bench.run(globSearch, { pattern: "a.js,b.js" })).text).toContain('send "{a.js,b.js}"')
})
