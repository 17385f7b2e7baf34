import { afterEach, expect, test } from "vitest"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { read } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("a notebook is shown as cells with shortened text outputs", async () => {
  const notebook = {
    nbformat: 4,
    nbformat_minor: 4,
    metadata: {},
    cells: [
      { cell_type: "markdown", source: "# Title\ntext", metadata: {} },
      {
        cell_type: "code",
        id: "b2",
        source: ["a = 1\n", "print(a)"],
        outputs: [
          { output_type: "stream", name: "stdout", text: ["1\n", "x".repeat(3_000)] },
          { output_type: "display_data", data: { "text/plain": "<Figure>", "image/png": "AAAA" }, metadata: {} },
          { output_type: "error", ename: "ValueError", evalue: "bad", traceback: ["\u001b[31mline 1\u001b[0m"] },
        ],
      },
    ],
  }
  bench = await openBench({ "a.ipynb": JSON.stringify(notebook) })
  const { data } = await bench.run(read, { file_path: "a.ipynb" })
  expect(data.content).toContain("--- cell cell-0 (markdown) ---\n# Title\ntext\n")
  expect(data.content).toContain("--- cell b2 (code) ---\na = 1\nprint(a)\n--- output ---\n1\nxxx")
  expect(data.content).toContain("[1002 more characters left out]")
  expect(data.content).toContain("<Figure>\n[image/png left out]")
  expect(data.content).toContain("ValueError: bad\nline 1\n")
  expect(data.content).not.toContain("AAAA")
})

test.each(['{"nbformat": 4, "cells": [', '{"cells": 5}', "[]", ""])(
  "a damaged notebook %j is read as text",
  async (content) => {
    bench = await openBench({ "a.ipynb": content })
    expect((await bench.run(read, { file_path: "a.ipynb" })).data).toMatchObject({ content, media_type: "text/plain" })
  },
)
