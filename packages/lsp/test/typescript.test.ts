import { rm } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterEach, expect, test } from "vitest"
import { type LanguageBench, openLanguageBench, testCall } from "./language-bench.js"

// The real server of this repository's own TypeScript.
const files = {
  "tsconfig.json": '{"compilerOptions":{"strict":true,"module":"nodenext","noEmit":true,"types":[]},"include":["src"]}',
  "src/math.ts": "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b\n}\n",
  "src/main.ts": 'import { add } from "./math.js"\n\nexport const total: string = add(1, 2)\nadd("x", 2)\n',
}
const clean = 'import { add } from "./math.js"\n\nexport const total = add(1, 2)\n'

let bench: LanguageBench
afterEach(() => bench?.close())

const open = (more: Readonly<Record<string, string>> = {}) =>
  // Time for a busy machine.
  openLanguageBench({ ...files, ...more }, { typescript: true, limits: { afterWriteMs: 20_000, scanMs: 20_000 } })

test("definition leads from a use to the name in another file, with its line", async () => {
  bench = await open()
  const answer = await bench.ask({ action: "definition", path: "src/main.ts", line: 3, character: 31 })
  expect(answer).toMatchObject({ fresh: true, server: expect.stringMatching(/^typescript-go 7\./) })
  expect(answer.items).toEqual([
    { path: "src/math.ts", line: 2, character: 17, text: "export function add(a: number, b: number): number {" },
  ])
})

test("a place may be given by name: in a line, or the first in the file", async () => {
  bench = await open()
  const inLine = await bench.ask({ action: "definition", path: "src/main.ts", line: 4, query: "add" })
  const anywhere = await bench.ask({ action: "definition", path: "src/main.ts", query: "add" })
  expect(inLine.items).toEqual(anywhere.items)
  expect(inLine.items[0]).toMatchObject({ path: "src/math.ts", line: 2 })
})

test("references are sorted, with the declaration and the lines as they are now", async () => {
  bench = await open()
  const { items } = await bench.ask({ action: "references", path: "src/math.ts", query: "add" })
  expect(items.map(({ path, line, text }) => [path, line, text])).toEqual([
    ["src/main.ts", 1, 'import { add } from "./math.js"'],
    ["src/main.ts", 3, "export const total: string = add(1, 2)"],
    ["src/main.ts", 4, 'add("x", 2)'],
    ["src/math.ts", 2, "export function add(a: number, b: number): number {"],
  ])
})

test("hover gives the type and the comment; nowhere it gives nothing", async () => {
  bench = await open()
  const hover = await bench.ask({ action: "hover", path: "src/main.ts", line: 4, query: "add" })
  expect(hover.text).toContain("function add(a: number, b: number): number")
  expect(hover.text).toContain("Adds.")
  const nothing = await bench.ask({ action: "hover", path: "src/main.ts", line: 2, character: 1 })
  expect(nothing).toMatchObject({ items: [], fresh: true })
  expect(nothing.text).toBeUndefined()
})

test("symbols of a file carry what they are in; a query narrows them", async () => {
  bench = await open({
    "src/shape.ts": "export class Circle {\n  radius = 1\n  area() {\n    return this.radius\n  }\n}\n",
  })
  const { items } = await bench.ask({ action: "symbols", path: "src/shape.ts" })
  expect(items.map(({ text, kind, line }) => [text, kind, line])).toEqual([
    ["Circle", "class", 1],
    ["Circle.radius", "property", 2],
    ["Circle.area", "method", 3],
  ])
  const some = await bench.ask({ action: "symbols", path: "src/shape.ts", query: "AREA" })
  expect(some.items.map(({ text }) => text)).toEqual(["Circle.area"])
})

test("symbols of the workspace are found by name, before any file was asked about", async () => {
  bench = await open()
  const { items } = await bench.ask({ action: "symbols", query: "add" })
  expect(items).toEqual([{ path: "src/math.ts", line: 2, character: 17, text: "add", kind: "function" }])
})

test("a language without a server takes nothing from the symbols that another one finds", async () => {
  bench = await open({ "go.mod": "module x\n", "x.go": "package x\n" })
  const { items, server } = await bench.ask({ action: "symbols", query: "add" })
  expect(items.map(({ text }) => text)).toEqual(["add"])
  expect(server).toMatch(/^typescript-go/)
})

test("diagnostics name place, code and severity", async () => {
  bench = await open()
  const { items, fresh } = await bench.ask({ action: "diagnostics", path: "src/main.ts" })
  expect(fresh).toBe(true)
  expect(items).toMatchObject([
    { path: "src/main.ts", line: 3, character: 14, severity: "error", kind: "ts 2322" },
    { path: "src/main.ts", line: 4, character: 5, severity: "error", kind: "ts 2345" },
  ])
})

test("diagnostics see what other programs changed in this file and in others", async () => {
  bench = await open({ "src/main.ts": clean })
  expect((await bench.ask({ action: "diagnostics", path: "src/main.ts" })).items).toEqual([])
  await bench.ask({ action: "diagnostics", path: "src/math.ts" })
  await bench.writeOutside("src/math.ts", files["src/math.ts"].replace("function add", "function plus"))
  const broken = await bench.ask({ action: "diagnostics", path: "src/main.ts" })
  expect(broken.items).toMatchObject([{ line: 1, severity: "error" }])
  await bench.writeOutside("src/math.ts", files["src/math.ts"])
  expect((await bench.ask({ action: "diagnostics", path: "src/main.ts" })).items).toEqual([])
  await bench.writeOutside("src/main.ts", files["src/main.ts"])
  expect((await bench.ask({ action: "diagnostics", path: "src/main.ts" })).items).toHaveLength(2)
  await rm(join(bench.root, "src/math.ts"))
  expect((await bench.ask({ action: "diagnostics", path: "src/main.ts" })).items).toMatchObject([{ line: 1 }])
  expect(bench.starts).toHaveLength(1)
})

test("after a write only the new problems are reported, and only where a server runs already", async () => {
  bench = await open()
  await bench.write("src/main.ts", `${files["src/main.ts"]}add(1)\n`)
  expect(await bench.afterWrite("src/main.ts")).toBeUndefined()
  expect(bench.starts).toHaveLength(0)

  await bench.ask({ action: "hover", path: "src/math.ts", query: "add" })
  await bench.write("src/main.ts", `// one more line\n${files["src/main.ts"]}add(1)\nadd(2)\n`)
  const added = await bench.afterWrite("src/main.ts")
  expect(added).toMatchObject([{ path: "src/main.ts", severity: "error" }])
  expect(added?.[0]?.line).toBeGreaterThan(4)

  await bench.write("src/main.ts", clean)
  expect(await bench.afterWrite("src/main.ts")).toEqual([])
  await bench.write("src/new.ts", "export const text: string = 1\n")
  expect(await bench.afterWrite("src/new.ts")).toMatchObject([{ path: "src/new.ts", line: 1 }])
})

test("after a write without a known former text nothing old is reported as new", async () => {
  bench = await open()
  await bench.ask({ action: "hover", path: "src/math.ts", query: "add" })
  await bench.writeOutside("src/main.ts", `${files["src/main.ts"]}add(1)\n`)
  expect(await bench.afterWrite("src/main.ts")).toBeUndefined()
  await bench.writeOutside("src/main.ts", `${files["src/main.ts"]}add(1)\nadd(true, 1)\n`)
  expect(await bench.afterWrite("src/main.ts")).toMatchObject([{ line: 6 }])
})

test("places in files that a rule denies are counted, not named", async () => {
  bench = await open()
  const call = testCall((path) => path.endsWith("math.ts"))
  const answer = await bench.ask({ action: "references", path: "src/main.ts", line: 4, query: "add" })
  expect(answer.items).toHaveLength(4)
  const judged = await bench.ask({ action: "references", path: "src/main.ts", line: 4, query: "add" }, call)
  expect(judged.items.map(({ path }) => path)).not.toContain("src/math.ts")
  expect(JSON.stringify(judged)).not.toContain('math.ts"')
  expect(judged.denied).toBe(1)
})

test("a rule that became tighter restarts the server, so that its sandbox masks the file", async () => {
  bench = await open({ "secret.json": '{"key": "abc"}' })
  await bench.ask({ action: "hover", path: "src/math.ts", query: "add" })
  await bench.ask(
    { action: "hover", path: "src/math.ts", query: "add" },
    testCall((path) => path.endsWith("secret.json")),
  )
  expect(bench.starts).toHaveLength(2)
})

test("a place outside the workspace is counted, not named", async () => {
  bench = await open({ "src/list.ts": "export const size = [1, 2].map(String)\n" })
  const answer = await bench.ask({ action: "definition", path: "src/list.ts", query: "map" })
  expect(answer).toMatchObject({ items: [], denied: 1 })
})

test("bad requests are typed failures before a server is started", async () => {
  bench = await open({ "notes.txt": "x", "src/folder.ts/inner.ts": "" })
  const code = async (request: Parameters<LanguageBench["ask"]>[0]) =>
    await bench.ask(request).then(
      () => "none",
      (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
    )
  expect(await code({ action: "hover", path: "notes.txt", line: 1, character: 1 })).toBe("unsupported")
  expect(await code({ action: "hover", path: "src/nowhere.ts", line: 1, character: 1 })).toBe("not_found")
  expect(await code({ action: "hover", path: "src/folder.ts", line: 1, character: 1 })).toBe("unsupported")
  expect(await code({ action: "hover", path: "../outside.ts", line: 1, character: 1 })).toBe("denied")
  expect(await code({ action: "hover", path: "src/main.ts", line: 99, character: 1 })).toBe("invalid_args")
  expect(await code({ action: "hover", path: "src/main.ts", line: 1, character: 400 })).toBe("invalid_args")
  expect(await code({ action: "hover", path: "src/main.ts" })).toBe("invalid_args")
  expect(await code({ action: "hover", path: "src/main.ts", query: "nothing" })).toBe("not_found")
  expect(await code({ action: "diagnostics" })).toBe("invalid_args")
  expect(await code({ action: "symbols" })).toBe("invalid_args")
  expect(bench.starts).toHaveLength(0)
})

test("two questions at once share one server", async () => {
  bench = await open()
  const requests = ["src/main.ts", "src/math.ts", "src/main.ts"].map((path) =>
    bench.ask({ action: "diagnostics", path }),
  )
  expect((await Promise.all(requests)).map(({ items }) => items.length)).toEqual([2, 0, 2])
  expect(bench.starts).toHaveLength(1)
})

test("odd names, a byte order mark and UTF-16 are no trouble", async () => {
  const name = "src/ä b#%20[1].ts"
  bench = await open({ [name]: '\ufeffexport const smile = "😀", wrong: number = "x"\n' })
  const { items } = await bench.ask({ action: "diagnostics", path: name })
  expect(items).toMatchObject([{ path: name, line: 1, character: 28 }])
  const hover = await bench.ask({ action: "hover", path: name, line: 1, query: "wrong" })
  expect(hover.text).toContain("wrong: number")
})
