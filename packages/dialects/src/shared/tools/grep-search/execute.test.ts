import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { grepSearch } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const at = (path: string) => join(bench.workspace.path, path)
const search = async (input: object) => (await bench.run(grepSearch, input)).data

test("files with matches are the default, absolute and in order", async () => {
  bench = await openBench({ "b.ts": "hit\nhit\n", "a.ts": "hit\n", "c.ts": "no\n" })
  const { data, text } = await bench.run(grepSearch, { pattern: "hit" })
  expect(data).toEqual({ mode: "files_with_matches", filenames: [at("a.ts"), at("b.ts")], complete: true })
  expect(text).toBe(`${at("a.ts")}\n${at("b.ts")}\n[2 files]`)
})

test("a file full of matches does not keep other files out of the page", async () => {
  bench = await openBench({ "a.txt": "hit\n".repeat(2_000), "b.txt": "hit\n", "c.txt": "hit\n" })
  expect(await search({ pattern: "hit", head_limit: 2 })).toMatchObject({
    filenames: [at("a.txt"), at("b.txt")],
    applied_limit: 2,
    complete: true,
  })
  expect(await search({ pattern: "hit", head_limit: 2, offset: 1 })).toEqual({
    mode: "files_with_matches",
    filenames: [at("b.txt"), at("c.txt")],
    applied_offset: 1,
    complete: true,
  })
})

test("content: each line after its file and number, the lines around it once", async () => {
  bench = await openBench({ "a.txt": "1\nhit 2\n3\nhit 4\n5\n6\n" })
  const a = at("a.txt")
  const content = async (input: object) => (await search({ pattern: "hit", output_mode: "content", ...input })).content
  expect(await content({})).toBe(`${a}:2:hit 2\n${a}:4:hit 4`)
  expect(await content({ "-n": false })).toBe(`${a}:hit 2\n${a}:hit 4`)
  expect(await content({ "-C": 1 })).toBe(
    [`${a}:1:1`, `${a}:2:hit 2`, `${a}:3:3`, `${a}:4:hit 4`, `${a}:5:5`].join("\n"),
  )
  expect(await content({ "-A": 1 })).toBe([`${a}:2:hit 2`, `${a}:3:3`, `${a}:4:hit 4`, `${a}:5:5`].join("\n"))
  expect(await content({ "-B": 1 })).toBe([`${a}:1:1`, `${a}:2:hit 2`, `${a}:3:3`, `${a}:4:hit 4`].join("\n"))
  expect(await content({ "-A": 0, context: 1, "-C": 9 })).toBe(await content({ "-B": 1 }))
})

test("content: the limit and the offset count lines; 0 is no limit", async () => {
  bench = await openBench({ "a.txt": "hit\n".repeat(300) })
  const lines = { pattern: "hit", output_mode: "content" }
  expect(await search(lines)).toMatchObject({ num_lines: 250, applied_limit: 250, complete: true })
  expect(await search({ ...lines, head_limit: 0 })).toMatchObject({ num_lines: 300, complete: true })
  const last = await search({ ...lines, offset: 299, head_limit: 5 })
  expect(last).toMatchObject({ num_lines: 1, content: `${at("a.txt")}:300:hit`, applied_offset: 299 })
  expect(last.applied_limit).toBeUndefined()
})

test("count: the matching lines of all files, also of those that the page leaves out", async () => {
  bench = await openBench({ "a.txt": "hit\nhit hit\n", "b.txt": "Hit\n" })
  expect(await search({ pattern: "hit", "-i": true, output_mode: "count", head_limit: 1 })).toMatchObject({
    mode: "count",
    filenames: [at("a.txt")],
    num_matches: 3,
    applied_limit: 1,
  })
})

test("type is the extension, and holds together with glob", async () => {
  bench = await openBench({ "src/a.ts": "hit", "src/a.md": "hit", "b.ts": "hit", "a.d.mts": "hit" })
  expect((await search({ pattern: "hit", type: "ts" })).filenames).toEqual([at("b.ts"), at("src/a.ts")])
  expect((await search({ pattern: "hit", type: "ts", glob: "src/**" })).filenames).toEqual([at("src/a.ts")])
  expect((await search({ pattern: "hit", type: "{ts,md}" })).filenames).toEqual([])
})

test("multiline lets a match go over line breaks", async () => {
  bench = await openBench({ "a.txt": "begin\n\nend\nrest\n" })
  const input = { pattern: "begin.*end", output_mode: "content", "-n": true }
  expect((await search(input)).num_lines).toBe(0)
  const a = at("a.txt")
  expect((await search({ ...input, multiline: true })).content).toBe(`${a}:1:begin\n${a}:2:\n${a}:3:end`)
})

test("no match is an output; a bad pattern and a path outside are typed failures", async () => {
  bench = await openBench({ "a.txt": "x" })
  expect(await search({ pattern: "nothing" })).toMatchObject({ filenames: [], complete: true })
  expect((await failure(bench.run(grepSearch, { pattern: "(" }))).code).toBe("invalid_args")
  expect((await failure(bench.run(grepSearch, { pattern: "x", path: ".." }))).code).toBe("denied")
})

test.each(["--files", "-e", "--"])("the pattern %j never becomes a flag", async (pattern) => {
  bench = await openBench({ "a.txt": `before ${pattern} after\n` })
  expect((await search({ pattern, output_mode: "count" })).num_matches).toBe(1)
})

test("the hint for a line break works", async () => {
  bench = await openBench({ "a.txt": "one\ntwo\n" })
  const input = { pattern: "one\\ntwo", output_mode: "content" }
  const { code, hint } = await failure(bench.run(grepSearch, input))
  expect([code, hint]).toEqual(["invalid_args", expect.stringMatching(/^Send it again with multiline true/)])
  expect((await search({ ...input, multiline: true })).num_lines).toBe(2)
})

test("look-around, folders like [id] and far matches work here too", async () => {
  bench = await openBench({ "app/[id]/p.tsx": "foobaz\n", "b.ts": `foobar${"x".repeat(5_000)}foobaz\n` })
  const input = { pattern: "foo(?!bar)", output_mode: "content" }
  expect((await search({ ...input, glob: "app/[id]/*.tsx" })).content).toBe(`${at("app/[id]/p.tsx")}:1:foobaz`)
  expect((await search({ ...input, glob: "*.ts" })).content).toContain("the match is at column 5007 ...] xxx")
  expect((await search({ ...input, multiline: true })).filenames).toHaveLength(2)
  expect((await failure(bench.run(grepSearch, { ...input, glob: "*.{ts,tsx" }))).hint).toContain('"*.{ts,tsx}"')
  expect((await bench.run(grepSearch, { ...input, glob: "a,b" })).text).toContain('for several patterns send "{a,b}"')
})
