import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { grep } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("matches come in the order of paths and lines, each file named once", async () => {
  bench = await openBench({ "b.ts": "x\nTODO b\n", "a.ts": "TODO one\r\nTODO two\n" })
  const { data, text } = await bench.run(grep, { pattern: "TODO" })
  expect(data).toEqual({
    matches: [
      { path: "a.ts", line: 1, text: "TODO one" },
      { path: "a.ts", line: 2, text: "TODO two" },
      { path: "b.ts", line: 2, text: "TODO b" },
    ],
    match_count: 3,
    file_count: 2,
    complete: true,
  })
  expect(text).toBe("a.ts\n1:TODO one\n2:TODO two\nb.ts\n2:TODO b\n[3 matches in 2 files]")
})

test("the lines around near matches are shown once, with a mark where lines are left out", async () => {
  bench = await openBench({ "a.txt": "1\nhit 2\n3\nhit 4\n5\n6\n7\n8\nhit 9\n" })
  const { text } = await bench.run(grep, { pattern: "hit", context: 1 })
  expect(text).toBe("a.txt\n1-1\n2:hit 2\n3-3\n4:hit 4\n5-5\n--\n8-8\n9:hit 9\n[3 matches in 1 file]")
})

test("case is ignored on request; glob narrows the files", async () => {
  bench = await openBench({ "a.ts": "Hit", "a.md": "hit" })
  expect((await bench.run(grep, { pattern: "hit" })).data.match_count).toBe(1)
  expect((await bench.run(grep, { pattern: "hit", "-i": true })).data.match_count).toBe(2)
  expect((await bench.run(grep, { pattern: "hit", "-i": true, glob: "*.ts" })).data.matches[0].path).toBe("a.ts")
})

test("no match is an output with a note; a long pattern is not repeated whole", async () => {
  bench = await openBench({ "a.ts": "x" })
  expect((await bench.run(grep, { pattern: "nothing" })).text).toBe('[No line matches "nothing"]')
  expect((await bench.run(grep, { pattern: "y".repeat(3_000) })).text.length).toBeLessThan(300)
})

test("[C2-22] a search goes on to ten times its limit and then says that there may be more", async () => {
  bench = await openBench({ "a.txt": "hit\n".repeat(100) })
  const { data, text } = await bench.run(grep, { pattern: "hit" }, { limit: 4 })
  expect(data).toMatchObject({ match_count: 40, file_count: 1, complete: false })
  expect(text).toContain("there may be more")
})

test("a file can be searched by name; files that a rule denies are counted", async () => {
  bench = await openBench({ ".env": "KEY=1", "a.txt": "KEY=2" })
  expect((await bench.run(grep, { pattern: "KEY", path: "a.txt" })).data.match_count).toBe(1)
  const grant = { admits: (_: string, path: string) => !path.endsWith(".env"), mayKeep: () => true }
  const { data, text } = await bench.run(grep, { pattern: "KEY" }, { grant })
  expect(data).toMatchObject({ match_count: 1, skipped: { denied: 1 } })
  expect(text).toContain("1 left out by rules")
})

test("a pattern that is no regular expression, a missing path and a path outside are typed failures", async () => {
  bench = await openBench({ "a.txt": "" })
  expect((await failure(bench.run(grep, { pattern: "(" }))).code).toBe("invalid_args")
  expect((await failure(bench.run(grep, { pattern: "x", path: "nowhere" }))).code).toBe("not_found")
  expect((await failure(bench.run(grep, { pattern: "x", path: ".." }))).code).toBe("denied")
})

test.each(["--files", "-e", "-", "--"])("the pattern %j never becomes a flag", async (pattern) => {
  bench = await openBench({ "a.txt": `before ${pattern} after\n` })
  expect((await bench.run(grep, { pattern })).data.match_count).toBe(1)
})

test("a missing path is answered with near names that the call may see", async () => {
  bench = await openBench({ "source/a.txt": "" })
  const near = await failure(bench.run(grep, { pattern: "x", path: "sourse" }))
  expect(near).toMatchObject({ code: "not_found", details: { near: expect.arrayContaining(["source"]) } })
  expect(near.message).toContain('did you mean "source"')
  const grant = { admits: (_: string, path: string) => !path.endsWith("/source"), mayKeep: () => true }
  expect((await failure(bench.run(grep, { pattern: "x", path: "sourse" }, { grant }))).message).not.toContain(
    '"source"',
  )
})

test.each(["one\\ntwo", "one\ntwo", "one\r\ntwo", "one\\r?\\ntwo"])(
  "the hint for %j finds both lines",
  async (pattern) => {
    bench = await openBench({ "a.txt": "zero\none\ntwo\nthree\n" })
    const { code, message, hint } = await failure(bench.run(grep, { pattern }))
    expect([code, message]).toEqual([
      "invalid_args",
      `Cannot search for "${pattern}": it contains a line break, and the search goes line by line`,
    ])
    expect(hint).toMatch(/^Send pattern "one" with context 1: the other lines are around its matches/)
    const { data } = await bench.run(grep, { pattern: "one", context: 1 })
    expect(data.matches).toEqual([{ path: "a.txt", line: 2, text: "one", before: ["zero"], after: ["two"] }])
  },
)

test.each([
  ["one\n", 'Send pattern "one"'],
  ["\n\n", "Search for the part that is in one line, with context for the lines around it"],
  ["(one\ntwo)", "Search for the part that is in one line, with context for the lines around it"],
  ["(a\nb\nc", 'Send pattern "b" with context 1: the other lines are around its matches'],
  [
    "(?<=a)\\nb",
    'Send pattern "b" with context 1: the other lines are around its matches. To find a backslash and an n as they are, write \\\\n',
  ],
])("a line break in %j has its hint", async (pattern, hint) => {
  bench = await openBench({})
  expect((await failure(bench.run(grep, { pattern }))).hint).toBe(hint)
})

test("a class without line breaks and a backslash before n are no line breaks", async () => {
  bench = await openBench({ "a.txt": "x\\name y\n" })
  for (const pattern of ["x\\\\n", "x[^\\n]*y", "x\\\\name", "(?x) x \n . name", "x(?=[^\n]*y)"]) {
    expect([pattern, (await bench.run(grep, { pattern })).data.match_count]).toEqual([pattern, 1])
  }
})

test("many brackets in a pattern take no time to speak of", async () => {
  bench = await openBench({})
  const start = performance.now()
  expect((await failure(bench.run(grep, { pattern: "[".repeat(2_000_000) }))).code).toBe("invalid_args")
  expect(performance.now() - start).toBeLessThan(2_000)
})

test("look-around is found, and a search that PCRE2 gives up is an error", async () => {
  bench = await openBench({ "a.txt": "foobar\nfoobaz\n", "evil.txt": `${"a".repeat(40)}b\n` })
  expect((await bench.run(grep, { pattern: "foo(?!bar)" })).text).toBe("a.txt\n2:foobaz\n[1 match in 1 file]")
  const { code, message } = await failure(bench.run(grep, { pattern: "^(?=((a+)+)$)" }))
  expect([code, message]).toEqual(["invalid_args", expect.stringContaining("match limit exceeded")])
})

test("a match far into a line is shown with its column and what is around it", async () => {
  bench = await openBench({ "min.js": `${"a".repeat(9_000)};needle()${"b".repeat(9_000)}\n` })
  const { text } = await bench.run(grep, { pattern: "needle" })
  expect(text).toContain("column 9002")
  expect(text).toContain("aaa;needle()bbb")
  expect(text.length).toBeLessThan(2_300)
})

test("globs that look like several patterns are answered with one that works", async () => {
  bench = await openBench({ "a.ts": "x", "b.tsx": "x" })
  const { message, hint } = await failure(bench.run(grep, { pattern: "x", glob: "*.ts,*.tsx" }))
  expect(message).toContain("a comma separates patterns only in braces")
  expect(hint).toContain('"{*.ts,*.tsx}"')
  expect((await bench.run(grep, { pattern: "x", glob: "{*.ts,*.tsx}" })).data.file_count).toBe(2)
  const note = '[No line matches "x"; for several patterns send "{a.ts,b.tsx}"]'
  expect((await bench.run(grep, { pattern: "x", glob: "a.ts,b.tsx" })).text).toBe(note)
  expect((await bench.run(grep, { pattern: "x", glob: "a.ts b.tsx" })).text).toBe('[No line matches "x"]')
})
