import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { editFile } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("other bytes stay, and the former content is beside the result", async () => {
  bench = await openBench({ "a.txt": "one\r\ntwo\r\nthree" })
  const { data, state } = await bench.run(editFile, { path: "a.txt", old_string: "two\n", new_string: "2\n" })
  expect(data).toMatchObject({ replacements: 1 })
  expect(state()).toMatchObject({ original: "one\r\ntwo\r\nthree" })
  expect(await bench.workspace.readText("a.txt")).toBe("one\r\n2\r\nthree")
})

test("equal strings, a missing text and several places are errors that change nothing", async () => {
  bench = await openBench({ "a.txt": "x y x" })
  const edit = (old_string: string, new_string: string) =>
    failure(bench.run(editFile, { path: "a.txt", old_string, new_string }))
  expect((await edit("x", "x")).code).toBe("invalid_args")
  expect((await edit("z", "x")).code).toBe("conflict")
  expect((await edit("x", "z")).code).toBe("conflict")
  expect(await bench.workspace.readText("a.txt")).toBe("x y x")
  expect((await failure(bench.run(editFile, { path: "b.txt", old_string: "x", new_string: "y" }))).code).toBe(
    "not_found",
  )
})
