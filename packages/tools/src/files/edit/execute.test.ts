import { stat } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { maxTextBytes } from "../shared/text/index.js"
import { write } from "../write/index.js"
import { edit } from "./index.js"

let bench: ToolBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

async function edited(content: string | Uint8Array, old_string: string, new_string: string, more: object = {}) {
  await bench.workspace.write({ "a.ts": content })
  const done = await bench.run(edit, { file_path: "a.ts", old_string, new_string, ...more })
  const bytes = Buffer.from((await bench.workspace.readBytes("a.ts"))!)
  return { ...done, bytes, content: bytes.toString("utf8") }
}

async function refused(content: string | Uint8Array, old_string: string, new_string: string, more: object = {}) {
  await bench.workspace.write({ "a.ts": content })
  const before = await stat(join(bench.workspace.path, "a.ts"))
  const error = await failure(bench.run(edit, { file_path: "a.ts", old_string, new_string, ...more }))
  const now = Buffer.from((await bench.workspace.readBytes("a.ts"))!)
  expect(now.equals(Buffer.from(content as string)), "the file is unchanged").toBe(true)
  expect((await stat(join(bench.workspace.path, "a.ts"))).ino, "the file is not written").toBe(before.ino)
  return error
}

// biome-ignore lint/suspicious/noExplicitAny: details are data for programs.
const detailsOf = (error: { details: unknown }) => error.details as any

test("[C2-193] the result acknowledges and does not repeat the text", async () => {
  const { data, text, state, content } = await edited("const a = 1\nconst b = 2\n", "b = 2", "b = 3")
  expect(content).toBe("const a = 1\nconst b = 3\n")
  expect(data).toEqual({ file_path: "a.ts", replacements: 1, first_line: 2 })
  expect(text).toBe("Edited a.ts: 1 replacement at line 2")
  const lines = [" const a = 1", "-const b = 2", "+const b = 3"]
  expect(state()).toEqual({ hunks: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines }] })
})

test("[C2-188] [C2-195] the description says what the tool does, does not, and that it is for revision", () => {
  const { description } = edit.manifest
  for (const words of ["Replaces text", "Use to revise", "does not create files: use write"]) {
    expect(description).toContain(words)
  }
})

test("[C2-25] a missing match is a conflict and the file is unchanged", async () => {
  const error = await refused("alpha\nbeta\n", "entirely else", "x")
  expect(error.code).toBe("conflict")
})

test("[C2-26] an ambiguous match is a conflict that names the count and the lines", async () => {
  const error = await refused("x = 1\ny\nx = 1\n", "x = 1", "z")
  expect(error.code).toBe("conflict")
  expect(error.message).toBe(
    'Cannot edit "a.ts": the text to replace occurs 2 times, at lines 1, 3; add surrounding lines or set replace_all',
  )
  expect((await refused("aaa", "aa", "b")).message).toContain("occurs 2 times")
})

test("an empty old_string and one equal to new_string are invalid", async () => {
  const empty = await refused("a", "", "b")
  expect([empty.code, empty.hint]).toEqual(["invalid_args", expect.stringContaining("write")])
  expect((await refused("a", "a", "a")).code).toBe("invalid_args")
})

test("replace_all replaces every occurrence", async () => {
  const { content, data, text } = await edited("x\nxx\n", "x", "yy", { replace_all: true })
  expect(content).toBe("yy\nyyyy\n")
  expect(data.replacements).toBe(3)
  expect(text).toBe("Edited a.ts: 3 replacements from line 1 on")
})

test("mixed line endings stay, and new lines take the ending of the replaced span", async () => {
  expect((await edited("a\r\nb\nc\r\n", "b", "b1\nb2")).content).toBe("a\r\nb1\nb2\nc\r\n")
  expect((await edited("a\r\nb\r\nc\n", "b", "b1\nb2")).content).toBe("a\r\nb1\r\nb2\r\nc\n")
  expect((await edited("a\nb\nc\n", "b", "b1\r\nb2")).content).toBe("a\nb1\nb2\nc\n")
  expect((await edited("a\rb\rc", "a\nb", "x\ny\nz")).content).toBe("x\ry\rz\rc")
  // The last line has no line break: the one before it is the nearest.
  expect((await edited("a\r\nlast", "last", "x\ny")).content).toBe("a\r\nx\r\ny")
})

test("an edit of nothing but line endings is taken literally", async () => {
  expect((await edited("a\r\nb\r\n", "a\r\n", "a\n")).content).toBe("a\nb\r\n")
  expect((await edited("a\nb\r\nc\n", "\n", "\r\n", { replace_all: true })).content).toBe("a\r\nb\r\nc\r\n")
})

test("a line feed at the start of old_string does not split a CRLF", async () => {
  expect((await edited("a\r\nb\r\n", "\nb", "\nx\nb")).content).toBe("a\r\nx\r\nb\r\n")
  expect((await edited("a\r\nb\r\n", "\nb", "b")).content).toBe("ab\r\n")
})

test("line endings, trailing blanks, Unicode punctuation: found, said, and the rest untouched", async () => {
  const crlf = await edited("one\r\ntwo\r\nthree", "one\ntwo", "1\n2")
  expect([crlf.content, crlf.data.normalised]).toEqual(["1\r\n2\r\nthree", "line endings"])
  expect(crlf.text).toBe("Edited a.ts: 1 replacement at line 1 (found by disregarding line endings)")
  const blanks = await edited("if (a) {  \n  b()\t\n}\n", "if (a) {\n  b()\n}", "c()")
  expect([blanks.content, blanks.data.normalised]).toEqual(["c()\n", "trailing blanks"])
  const quotes = await edited("say “hi” – ok\nsay ‘ho’\n", 'say "hi" - ok', "bye")
  expect([quotes.content, quotes.data.normalised]).toEqual(["bye\nsay ‘ho’\n", "Unicode punctuation and spaces"])
})

test("blanks at the end of old_string end a line, and match no beginning of a longer one", async () => {
  expect((await edited("foo\nbar\n", "foo\nbar  ", "x")).content).toBe("x\n")
  expect((await refused("foo\nbarn\n", "foo\nbar  ", "x")).code).toBe("conflict")
})

test("a uniform other indentation is found, and new_string is indented alike", async () => {
  const file = "class A {\n\tif (x) {\n\t\ty()\n\n\t}\n}\n"
  const done = await edited(file, "if (x) {\n\ty()\n\n}", "if (x) {\n\ty()\n\n\tz()\n}")
  expect(done.content).toBe("class A {\n\tif (x) {\n\t\ty()\n\n\t\tz()\n\t}\n}\n")
  expect(done.data.normalised).toBe("indentation")
  const less = await edited("  a()\n    b()\nc\n", "      a()\n        b()\n", "      a()\n")
  expect(less.content).toBe("  a()\nc\n")
})

test("indentation that is not uniformly different is not guessed", async () => {
  const error = await refused("  a()\n    b()\n", "a()\n    b()\n  c()", "x")
  expect(error.code).toBe("conflict")
  // The new text has a line that can not lose as much as the old one does.
  expect((await refused("a()\n  b()\n", "    a()\n      b()", "    a()\n  b()")).code).toBe("conflict")
})

test("line numbers copied from a listing are left out of both texts", async () => {
  const file = "one\n\ntwo\nthree\n"
  const done = await edited(file, "     1\tone\n     2\t\n     3\ttwo", "     1\tone\n     2\t2")
  expect([done.content, done.data.normalised]).toEqual(["one\n2\nthree\n", "line numbers"])
  const single = await edited("foo: bar\n", "12→foo: bar", "foo: baz")
  expect(single.content).toBe("foo: baz\n")
  expect((await refused(file, "     1\tone\n     2\t\n     3\ttwo", "     1\tone\nplain")).code).toBe("conflict")
})

test("similar text is shown with what differs and never changed", async () => {
  const file = "import a\n\nfunction total(items) {\n  const sum = 0\n  return sum\n}\n"
  const asked = "function total(items) {\n  const sum = 1\n  return sum\n}"
  const error = await refused(file, asked, "x")
  expect(error.message).toContain("the nearest text is at lines 3 to 6")
  expect(error.message).toContain("-       \t  const sum = 1")
  expect(error.message).toContain("+      4\t  const sum = 0")
  expect(detailsOf(error)).toEqual({
    nearest: { start_line: 3, end_line: 6, text: asked.replace("1", "0") },
    old_string: asked.replace("1", "0"),
  })
})

test("a hint for a block with another step of indentation is whole lines, and sent back it spoils nothing", async () => {
  const file =
    "class A {\n        run() {\n                if (ok) {\n                        go()\n                }\n        }\n}\n"
  const error = await refused(file, "if (ok) {\n  go()\n}", "if (ok) {\n  go()\n  stop()\n}")
  const { old_string, new_string } = detailsOf(error)
  expect(old_string).toBe("                if (ok) {\n                        go()\n                }")
  expect(new_string).toBe(
    "                if (ok) {\n                        go()\n                        stop()\n                }",
  )
  expect(error.hint).toBe(
    `If this is the text, send old_string ${JSON.stringify(old_string)} with new_string ${JSON.stringify(new_string)}`,
  )
  const { content } = await edited(file, old_string, new_string)
  expect(content).toBe(file.replace("go()\n", "go()\n                        stop()\n"))
})

test("a line that the edit keeps stays as the file has it, also when it was sent wrong", async () => {
  const error = await refused("timeout = 30\nretries = 1\n", "timeout = 20\nretries = 1", "timeout = 20\nretries = 2")
  expect(detailsOf(error)).toMatchObject({
    old_string: "timeout = 30\nretries = 1",
    new_string: "timeout = 30\nretries = 2",
  })
})

test("no hint where it could take something away or meet the wrong lines; the whole lines are shown", async () => {
  const piece = await refused("const message = greet('wrold', options) // note\n", "greet('world', options)", "x")
  expect(piece.message).toContain("+      1\tconst message = greet('wrold', options) // note")
  const comment = await refused("timeout = 30 # in sync with x\n", "timeout=30", "timeout=60")
  const between = await refused("a()\n// about b\nb(1)\n", "a()\nb(2)", "a()\nb(3)")
  const deeper = await refused("\t\trun(1)\n", "  run(2)", "  if (x) {\n    run(3)\n  }")
  const flat = await refused("if (a) {\n  run(1)\n}\n", "if (a)  {\nrun(1)\n}", "if (a)  {\nrun(1)\nrun(2)\n}")
  const endings = await refused("a( )\r\nb()\nc()\n", "a()\nb()\nc()", "b()\nc()")
  for (const error of [piece, comment, between, deeper, flat, endings]) {
    expect(error.hint).toBe(
      "Send whole lines as they are in the file, in old_string and, where they stay, in new_string",
    )
    expect(Object.keys(detailsOf(error))).toEqual(["nearest"])
  }
  const file = "first\n  value = compute(1)\nend\nsecond\n    value = compute(1)\nend\n"
  const twice = await refused(file, "value = compute(2)", "value = compute(3)")
  expect(twice.message).toContain("the nearest text is at line 2, and as near at line 5")
  expect(twice.hint).toContain("with a line around them that is there only once")
  expect(Object.keys(detailsOf(twice))).toEqual(["nearest"])
})

test("lines are added to both strings where the whole line is the end of another one", async () => {
  const error = await refused("begin\nx =  f(1)\nmax =  f(1)\nend\n", "x = f(1)", "x = f(2)")
  const { old_string, new_string } = detailsOf(error)
  expect(old_string).toBe("begin\nx =  f(1)\n")
  expect(new_string).toBe("begin\nx = f(2)\n")
})

test("a correction that is too long to quote is not quoted in part", async () => {
  const lines = Array.from({ length: 90 }, (_, index) => `const value${index} = compute(${index})`)
  const sent = lines.join("\n  ")
  const error = await refused(`\t${lines.join("\n\t\t")}\n`, sent, sent.replace("(89)", "(0)"))
  expect(error.hint).toBe(
    "If this is the text, send old_string as it is in the file at lines 1 to 90, and new_string with the same indentation",
  )
  expect(detailsOf(error).new_string).toBe(`\t${lines.join("\n\t\t").replace("(89)", "(0)")}`)
})

test("backslashes that were escaped once too often are named", async () => {
  const error = await refused('if (a) {\r\n\tsay("b")\r\n}\r\n', 'if (a) {\\n\\tsay(\\"b\\")\\n}', "x")
  expect(error.code).toBe("conflict")
  expect(error.message).toContain("escaped once too often")
  expect(error.hint).toContain("not a backslash and a letter")
})

test("an edit that was made already is said to be there", async () => {
  const error = await refused("const limit = 20\n", "const limit = 10", "const limit = 20")
  expect(error.message).toContain("but new_string does, at line 1")
})

test("NULs, a missing final newline and a byte order mark stay", async () => {
  const file = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("a\0b\r\nc = 1\nd\0")])
  const { bytes } = await edited(file, "c = 1", "c = 2")
  expect(bytes).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("a\0b\r\nc = 2\nd\0")]))
})

test("a foreign byte on another line stays", async () => {
  const file = Buffer.concat([Buffer.from("// caf"), Buffer.from([0xe9]), Buffer.from("\nlet a = 1\n")])
  const { bytes } = await edited(file, "a = 1", "a = 2")
  expect(bytes).toEqual(Buffer.concat([Buffer.from("// caf"), Buffer.from([0xe9]), Buffer.from("\nlet a = 2\n")]))
})

test("UTF-16 is edited as UTF-16", async () => {
  const file = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("eins\r\nzwei\r\n", "utf16le")])
  const { bytes } = await edited(file, "zwei", "drei\n😀")
  expect(bytes).toEqual(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("eins\r\ndrei\r\n😀\r\n", "utf16le")]))
})

test("a character that the file's encoding lacks is an error that names it", async () => {
  const file = Buffer.from("Le caf\xe9 est d\xe9j\xe0 ferm\xe9\n", "latin1")
  const error = await refused(file, "café", "漢字")
  expect([error.code, error.message]).toEqual(["unsupported", expect.stringContaining("U+6F22")])
  const done = await edited(file, "café", "thé")
  expect(done.bytes).toEqual(Buffer.from("Le th\xe9 est d\xe9j\xe0 ferm\xe9\n", "latin1"))
  expect(done.text).toContain("written as windows-1252, a guess")
})

test("ASCII in a binary file is replaced exactly, anything else is refused", async () => {
  const file = Buffer.concat([Buffer.from([0, 1, 2, 0xff, 0, 0, 0, 9]), Buffer.from("name=old"), Buffer.alloc(9)])
  const { bytes } = await edited(file, "name=old", "name=new")
  expect(bytes.indexOf("name=new")).toBe(8)
  expect(bytes.length).toBe(file.length)
  expect((await refused(file, "name=alt", "x")).code).toBe("conflict")
  expect((await refused(file, "name=old", "é")).code).toBe("unsupported")
})

test("[C2-31] [C2-32] a file above the size bound, before or after, is too_large", async () => {
  const big = Buffer.alloc(maxTextBytes - 10, "a")
  big.write("needle", 5)
  expect((await refused(big, "needle", "longer than the needle")).code).toBe("too_large")
  const larger = Buffer.concat([big, Buffer.alloc(11)])
  expect((await refused(larger, "needle", "n")).code).toBe("too_large")
})

test("[C2-24] [C2-27] what another call just wrote can be edited without reading it first", async () => {
  await bench.run(write, { file_path: "b.txt", content: "one\ntwo\n" })
  await bench.run(edit, { file_path: "b.txt", old_string: "two", new_string: "three" })
  await bench.run(edit, { file_path: "b.txt", old_string: "three", new_string: "four" })
  expect(await bench.workspace.readText("b.txt")).toBe("one\nfour\n")
})

test("[C2-29] edits of one file in flight at the same time all land", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `name${index}.`)
  await bench.workspace.write({ "c.txt": names.join("\n") })
  const edits = names.map((name) => ({ file_path: "c.txt", old_string: name, new_string: name.toUpperCase() }))
  await Promise.all(edits.map((input) => bench.run(edit, input)))
  expect(await bench.workspace.readText("c.txt")).toBe(names.join("\n").toUpperCase())
})

test("[C2-192] a file that does not exist is not_found, a folder unsupported; nothing is created", async () => {
  await bench.workspace.write({ "folder/x": "x" })
  const missing = { file_path: "missing.txt", old_string: "a", new_string: "b" }
  expect((await failure(bench.run(edit, missing))).code).toBe("not_found")
  expect(await bench.workspace.readBytes("missing.txt")).toBeNull()
  expect((await failure(bench.run(edit, { ...missing, file_path: "folder" }))).code).toBe("unsupported")
})

test("the hunks for faces hold the changed lines and three around them, also far apart and in endless lines", async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)
  const file = `${lines.join("\n")}\n`
  const { state } = await edited(file, "0\n", "0!\nnew\n", { replace_all: true })
  const { hunks } = state() as { hunks: { oldStart: number; newStart: number; oldLines: number; lines: string[] }[] }
  expect(hunks).toHaveLength(10)
  expect(hunks[1]).toEqual({
    ...{ oldStart: 17, oldLines: 7, newStart: 18, newLines: 8 },
    lines: [" line 17", " line 18", " line 19", "-line 20", "+line 20!", "+new", " line 21", " line 22", " line 23"],
  })
  const long = await edited(`${"x".repeat(500_000)}needle${"y".repeat(500_000)}`, "needle", "pin")
  expect(JSON.stringify(long.state()).length).toBeLessThan(50_000)
  const open = await edited("a\nlast", "last", "end")
  const marker = "\\ No newline at end of file"
  expect(open.state()).toMatchObject({ hunks: [{ lines: [" a", "-last", marker, "+end", marker] }] })
})
