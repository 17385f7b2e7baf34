import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { notebookEditFile } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const metadata = { kernelspec: { display_name: "Julia", language: "julia", name: "julia" } }
const cell = { cell_type: "markdown", id: "m", metadata: {}, source: ["# Title"] }
const notebook = (extra: object = {}) =>
  JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5, ...extra })

test("the texts before and after and the language of the kernel are beside the result", async () => {
  const original = notebook({ metadata })
  bench = await openBench({ "a.ipynb": original })
  const input = { notebook_path: "a.ipynb", new_source: "# New\nline" }
  const { data, state, text } = await bench.run(notebookEditFile, input)
  const path = join(bench.workspace.path, "a.ipynb")
  expect(data).toEqual({ notebook_path: path, cell_id: "m", cell_type: "markdown", edit_mode: "replace" })
  const updated = await bench.workspace.readText("a.ipynb")
  expect(state()).toEqual({ language: "julia", original, updated })
  expect(JSON.parse(updated!).cells[0].source).toEqual(["# New\n", "line"])
  expect(text).toBe(`Replaced markdown cell m in ${path}`)
})

test("a notebook that names no kernel is Python; one that is none is refused and stays as it is", async () => {
  bench = await openBench({ "a.ipynb": `\ufeff${notebook()}`, "b.ipynb": "{}" })
  const edit = (notebook_path: string) => bench.run(notebookEditFile, { notebook_path, new_source: "x" })
  expect((await edit("a.ipynb")).state()).toMatchObject({ language: "python" })
  expect((await failure(edit("b.ipynb"))).code).toBe("unsupported")
  expect(await bench.workspace.readText("b.ipynb")).toBe("{}")
  expect((await failure(bench.run(notebookEditFile, { notebook_path: "a.ipynb" }))).code).toBe("invalid_args")
})
