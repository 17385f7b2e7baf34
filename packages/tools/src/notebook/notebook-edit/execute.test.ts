import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { notebookEdit } from "./index.js"

let bench: ToolBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

const code = (id: string | undefined, source: unknown = ["x\n", "y"], more: object = {}) => ({
  cell_type: "code",
  execution_count: 3,
  ...(id !== undefined && { id }),
  metadata: {},
  outputs: [{ output_type: "stream", name: "stdout", text: ["hi\n"] }],
  source,
  ...more,
})
const markdown = (id: string | undefined, source: unknown = ["# Title"]) => ({
  cell_type: "markdown",
  ...(id !== undefined && { id }),
  metadata: {},
  source,
})
const notebook = (cells: readonly object[], minor = 5) => ({
  cells,
  metadata: { kernelspec: { name: "python3" } },
  nbformat: 4,
  nbformat_minor: minor,
})
const written = (value: unknown, indent: number | string | undefined = 1) => `${JSON.stringify(value, null, indent)}\n`

async function edited(content: string, input: object) {
  await bench.workspace.write({ "a.ipynb": content })
  const done = await bench.run(notebookEdit, { notebook_path: "a.ipynb", ...input })
  const text = (await bench.workspace.readText("a.ipynb"))!
  return { ...done, file: text, cells: JSON.parse(text.replace(/^\ufeff/, "")).cells }
}

async function refused(content: string, input: object) {
  await bench.workspace.write({ "a.ipynb": content })
  const error = await failure(bench.run(notebookEdit, { notebook_path: "a.ipynb", ...input }))
  expect(await bench.workspace.readText("a.ipynb"), "the file is unchanged").toBe(content)
  return error
}

describe("replace", () => {
  test("gives a cell another source as a list of lines and keeps its outputs", async () => {
    const before = written(notebook([code("a"), markdown("b")]))
    const { file, data, text } = await edited(before, { cell_id: "a", new_source: "one\ntwo\n" })
    expect(file).toBe(written(notebook([code("a", ["one\n", "two\n"]), markdown("b")])))
    expect(data).toEqual({
      ...{ notebook_path: "a.ipynb", cell_id: "a", cell_type: "code", edit_mode: "replace", cell_count: 2 },
    })
    expect(text).toBe("Replaced code cell a in a.ipynb, which has 2 cells now")
  })

  test("tells people every cell with what it gave, as far as they would read", async () => {
    const failed = { output_type: "error", ename: "KeyError", evalue: "'x'", traceback: [] }
    const drawn = { output_type: "display_data", data: { "image/png": "iVBORw0KGgo=" }, metadata: {} }
    const outputs = [failed, drawn, { output_type: "stream", name: "stdout", text: "y".repeat(9000) }]
    const cells = [code("a"), markdown("b"), code("c", "z", { outputs })]
    const { state } = await edited(written(notebook(cells)), { cell_id: "b", new_source: "# New" })
    expect(state()).toMatchObject({
      cells: [
        { id: "a", type: "code", source: "x\ny", outputs: ["hi\n"] },
        { id: "b", type: "markdown", source: "# New" },
        { id: "c", type: "code", outputs: ["KeyError: 'x'", "[image/png]", "y".repeat(2048)] },
      ],
    })
    const many = Array.from({ length: 200 }, (_, index) => code(`c${index}`, "x".repeat(5000)))
    const { state: long } = await edited(written(notebook(many)), { cell_id: "c0", new_source: "1" })
    expect(JSON.stringify((long() as { cells: object[] }).cells).length).toBeLessThan(80_000)
  })

  test("takes the last cell when none is named", async () => {
    const { cells } = await edited(written(notebook([code("a"), markdown("b")])), { new_source: "z" })
    expect(cells).toEqual([code("a"), markdown("b", ["z"])])
  })

  test("a switch to markdown drops outputs and count, a switch to code adds them", async () => {
    const before = written(notebook([code("a"), markdown("b")]))
    const first = await edited(before, { cell_id: "a", new_source: "t", cell_type: "markdown" })
    expect(first.cells[0]).toEqual(markdown("a", ["t"]))
    expect(first.file).toBe(written(notebook([markdown("a", ["t"]), markdown("b")])))
    const second = await edited(before, { cell_id: "b", new_source: "", cell_type: "code" })
    expect(second.cells[1]).toEqual({ ...code("b", []), execution_count: null, outputs: [] })
    const same = await edited(before, { cell_id: "a", new_source: "t", cell_type: "code" })
    expect(same.cells[0]).toEqual(code("a", ["t"]))
  })

  test("numbers, escapes, key order, odd blanks and unknown fields of everything else stay to the byte", async () => {
    const cell = `{ "source" :"old", "cell_type":"code", "metadata":{"n": 1.0, "big": 12345678901234567890, "e":1E5},
      "outputs": [ {"output_type":"display_data", "data": {"x": 0.10, "u": "\\u00e9\\/"}} ] , "execution_count": null, "zz": -0.0 }`
    const frame = (text: string) =>
      `\ufeff\r\n{"nbformat_minor": 2,"x": 1.50,\t"cells" : [ ${cell},${text} , ${cell}], "metadata": {}, "nbformat":4 }  \n\n`
    const { file, data } = await edited(frame(cell), { cell_id: "cell-1", new_source: 'a "q"\né' })
    expect(file).toBe(frame(cell.replace('"old"', '["a \\"q\\"\\n", "é"]')))
    expect(data.cell_id).toBe("cell-1")
  })
})

describe("insert", () => {
  test("appends without an id, and goes after the cell that is named", async () => {
    const before = written(notebook([code("a"), markdown("b")]))
    const fresh = { ...code("cell-3", ["n"]), execution_count: null, outputs: [] }
    const last = await edited(before, { new_source: "n", edit_mode: "insert" })
    expect(last.file).toBe(written(notebook([code("a"), markdown("b"), fresh])))
    const middle = await edited(before, { cell_id: "a", new_source: "n", edit_mode: "insert", cell_type: "markdown" })
    expect(middle.file).toBe(written(notebook([code("a"), markdown("cell-3", ["n"]), markdown("b")])))
    expect(middle.data).toMatchObject({ cell_id: "cell-3", cell_type: "markdown", cell_count: 3 })
  })

  test("new ids are free, and there are none before format 4.5", async () => {
    const taken = await edited(written(notebook([code("cell-3"), code("cell-4")])), {
      new_source: "",
      edit_mode: "insert",
    })
    expect(taken.data.cell_id).toBe("cell-5")
    const old = await edited(written(notebook([code(undefined)], 4)), { new_source: "n", edit_mode: "insert" })
    expect(old.data.cell_id).toBe("cell-1")
    expect(Object.keys(old.cells[1])).not.toContain("id")
  })

  test.each([1, 2, 4, "\t", undefined])(
    "an empty notebook written with indent %j gets its first cell",
    async (indent) => {
      const { file } = await edited(written(notebook([]), indent), { new_source: "n", edit_mode: "insert" })
      expect(file).toBe(written(notebook([{ ...code("cell-1", ["n"]), execution_count: null, outputs: [] }]), indent))
    },
  )

  test("CRLF files stay CRLF", async () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n")
    const { file } = await edited(crlf(written(notebook([markdown("a")]))), {
      ...{ new_source: "n", edit_mode: "insert", cell_type: "markdown" },
    })
    expect(file).toBe(crlf(written(notebook([markdown("a"), markdown("cell-2", ["n"])]))))
  })
})

describe("delete", () => {
  test.each([
    ["a", ["b", "c"]],
    ["b", ["a", "c"]],
    ["c", ["a", "b"]],
    [undefined, ["a", "b"]],
  ])("of cell %s leaves the others as they were", async (cell_id, left) => {
    const before = written(notebook(["a", "b", "c"].map((id) => code(id))))
    const { file } = await edited(before, { ...(cell_id && { cell_id }), edit_mode: "delete" })
    expect(file).toBe(written(notebook(left.map((id) => code(id)))))
  })

  test("of the only cell leaves an empty list", async () => {
    expect((await edited(written(notebook([code("a")])), { edit_mode: "delete" })).cells).toEqual([])
  })
})

describe("refusals", () => {
  test("what is missing is named", async () => {
    const good = written(notebook([code("cell-a"), code("cell-b")]))
    expect((await refused(good, { edit_mode: "insert" })).message).toContain("new_source is missing")
    expect((await refused(good, {})).code).toBe("invalid_args")
    expect(await refused(good, { cell_id: "cell-c", new_source: "" })).toMatchObject({
      ...{ code: "not_found", message: expect.stringContaining("did you mean") },
    })
    // Cells that have ids are not found by position.
    expect((await refused(good, { cell_id: "cell-0", new_source: "" })).code).toBe("not_found")
    expect((await refused(written(notebook([])), { new_source: "x" })).code).toBe("not_found")
    expect((await refused(written(notebook([])), { edit_mode: "delete" })).code).toBe("not_found")
    expect((await refused(written(notebook([code("a"), code("a")])), { cell_id: "a", new_source: "" })).code).toBe(
      "conflict",
    )
    await bench.workspace.write({ "a.txt": "x" })
    const wrong = bench.run(notebookEdit, { notebook_path: "a.txt", new_source: "x" })
    expect((await failure(wrong)).code).toBe("invalid_args")
    const missing = bench.run(notebookEdit, { notebook_path: "none.ipynb", new_source: "x" })
    expect((await failure(missing)).code).toBe("not_found")
  })

  test.each([
    ["broken JSON", "{", "no valid JSON"],
    ["an empty file", "", "no valid JSON"],
    ["format 3", JSON.stringify({ nbformat: 3, nbformat_minor: 0, worksheets: [] }), "format 3"],
    ["no cells", JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {} }), "cells"],
    ["null", "null", "no valid notebook"],
    ["a list", "[]", "no valid notebook"],
    ["an unknown cell", JSON.stringify(notebook([{ cell_type: "widget", metadata: {}, source: "" }])), "cells.0"],
    ["a cell without source", JSON.stringify(notebook([{ cell_type: "markdown", metadata: {} }])), "cells.0.source"],
    [
      "code without outputs",
      JSON.stringify(notebook([{ cell_type: "code", metadata: {}, source: "", execution_count: 1 }])),
      "outputs",
    ],
  ])("%s is unsupported, with the reason", async (_, content, reason) => {
    const error = await refused(content, { new_source: "x" })
    expect([error.code, error.message]).toEqual(["unsupported", expect.stringContaining(reason)])
  })

  test("bytes that are not UTF-8, and a notebook beyond the bound", async () => {
    await bench.workspace.write({
      "a.ipynb": Buffer.from([0x7b, 0xff, 0x7d]),
      "b.ipynb": Buffer.alloc(50 * 1024 * 1024 + 1, 32),
    })
    expect((await failure(bench.run(notebookEdit, { notebook_path: "a.ipynb", new_source: "x" }))).code).toBe(
      "unsupported",
    )
    expect((await failure(bench.run(notebookEdit, { notebook_path: "b.ipynb", new_source: "x" }))).code).toBe(
      "too_large",
    )
  })
})

test("a notebook nested ten thousand deep is edited all the same", async () => {
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`
  const before = JSON.stringify(notebook([code("a")])).replace(
    '"metadata":{"kernelspec"',
    `"deep":${deep},"metadata":{"kernelspec"`,
  )
  expect((await edited(before, { new_source: "n" })).file).toBe(before.replace('["x\\n","y"]', '["n"]'))
})

const value = fc.json({ maxDepth: 3 })
const source = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
)
const cellText = fc
  .record({ source, extra: value, isCode: fc.boolean(), space: fc.constantFrom("", " ", "\n", "\n   ", "\r\n\t") })
  .map(({ source: each, extra, isCode, space }) => {
    const members = [
      `"cell_type":${space}"${isCode ? "code" : "raw"}"`,
      `"my field": ${extra}`,
      `"metadata"${space}: {"n": 1.0, "v": ${extra}}`,
      ...(isCode ? [`"outputs": [{"output_type": "x", "d": ${extra}}]`, '"execution_count":null'] : []),
      `"source": ${JSON.stringify(each)}`,
    ]
    return `{${space}${members.join(`${space},${space}`)}${space}}`
  })

test("whatever the notebook looks like, all bytes outside the edited cell stay the same, and the cell says what was sent", async () => {
  const mode = fc.constantFrom("replace" as const, "insert" as const, "delete" as const)
  const type = fc.constantFrom("code" as const, "markdown" as const, undefined)
  const text = fc.string({ unit: "binary", maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(cellText, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      mode,
      type,
      text,
      async (cells, at, edit_mode, cell_type, sent) => {
        const index = at % cells.length
        const gap = ["\n ,\t", ", "][at % 2]!
        const [head, tail] = [
          `{"a": 1.0, "cells": [ `,
          ` ],\n"metadata": {}, "nbformat": 4, "nbformat_minor": 4, "z": 1e400 }`,
        ]
        const before = head + cells.join(gap) + tail
        const input = { cell_id: `cell-${index}`, edit_mode, new_source: sent, ...(cell_type && { cell_type }) }
        const done = await edited(before, input)
        const upTo = head + cells.slice(0, index).join(gap)
        const from = cells.slice(index + 1).join(gap) + tail
        // An empty list is written without blanks.
        const isEmptied = edit_mode === "delete" && cells.length === 1
        expect(done.file.startsWith(isEmptied ? upTo.trimEnd() : upTo)).toBe(true)
        expect(done.file.endsWith(isEmptied ? from.trimStart() : from)).toBe(true)
        if (edit_mode === "delete") {
          expect(done.cells).toHaveLength(cells.length - 1)
          return
        }
        if (edit_mode === "insert") expect(done.file).toContain(head + cells.slice(0, index + 1).join(gap))
        const now = done.cells[edit_mode === "insert" ? index + 1 : index]
        expect(now.source.join("")).toBe(sent)
        if (cell_type) expect(now.cell_type).toBe(cell_type)
        expect("outputs" in now).toBe(now.cell_type === "code")
        if (edit_mode === "replace") expect(now["my field"]).toEqual(JSON.parse(before).cells[index]["my field"])
      },
    ),
    { numRuns: 150 },
  )
})
