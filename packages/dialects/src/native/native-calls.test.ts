import { afterEach, expect, test } from "vitest"
import { applyPatch } from "../../../tools/src/files/apply-patch/index.js"
import { edit } from "../../../tools/src/files/edit/index.js"
import { ls } from "../../../tools/src/files/ls.js"
import { read } from "../../../tools/src/files/read/index.js"
import { write } from "../../../tools/src/files/write/index.js"
import { bash } from "../../../tools/src/shell/bash/index.js"
import { exec } from "../../../tools/src/shell/exec/index.js"
import { openBench, type ToolBench } from "../../../tools/test/tool-bench.js"
import { speak } from "../../test/dialect-bench.js"
import { anthropic } from "./anthropic.js"
import { openai } from "./openai.js"
import { insertLines } from "./tools/insert-lines.js"

let bench: ToolBench
afterEach(() => bench.close())

const tools = [read, ls, write, edit, insertLines, applyPatch, bash, exec]
const claude = speak(anthropic, tools, () => bench)
const gpt = speak(openai, tools, () => bench)
const editor = (input: object) => claude("str_replace_based_edit_tool", input)

test("text_editor: view, create, str_replace and insert", async () => {
  bench = await openBench({ "a.txt": "one\ntwo\nthree\n" })
  const view = (view_range?: readonly number[]) =>
    editor({ command: "view", path: "a.txt", ...(view_range && { view_range }) })
  expect((await view()).text).toContain("two")
  const part = await view([2, 2])
  expect(part.text).toContain("two")
  expect(part.text).not.toContain("three")
  expect((await view([2, -1])).text).toContain("three")
  expect((await editor({ command: "view", path: "./" })).text).toContain("a.txt")
  expect((await editor({ command: "create", path: "b.txt", file_text: "new\n" })).success).toBe(true)
  expect((await editor({ command: "str_replace", path: "a.txt", old_str: "two", new_str: "2" })).success).toBe(true)
  expect(
    (await editor({ command: "insert", path: "a.txt", insert_line: 1, insert_text: "one and\na half\n" })).success,
  ).toBe(true)
  expect((await editor({ command: "insert", path: "a.txt", insert_line: 0, insert_text: "zero" })).success).toBe(true)
  expect(await bench.workspace.readText("a.txt")).toBe("zero\none\none and\na half\n2\nthree\n")
  expect((await editor({ command: "str_replace", path: "a.txt", old_str: "absent" })).success).toBe(false)
  expect((await editor({ command: "create", path: "c.txt" })).success).toBe(false)
})

test("bash: a command runs, and a restart is an answer", async () => {
  bench = await openBench({})
  expect((await claude("bash", { command: "echo hi" })).text).toBe("hi")
  expect((await claude("bash", { restart: true })).success).toBe(true)
  expect((await claude("bash", {})).success).toBe(false)
})

test("shell and local_shell give streams and the outcome", async () => {
  bench = await openBench({ "d/x.txt": "" })
  expect((await gpt("shell", { commands: ["echo out; echo err >&2; exit 3"], timeout_ms: 5000 })).value).toEqual({
    stdout: "out\n",
    stderr: "err\n",
    outcome: { type: "exit", exit_code: 3 },
  })
  const local = { type: "exec", command: ["ls"], working_directory: "d", env: {}, timeout_ms: null }
  expect((await gpt("local_shell", local)).value).toMatchObject({ stdout: "x.txt\n", exit_code: 0 })
  expect((await gpt("local_shell", { ...local, env: { A: "b" } })).text).toContain('"env" is not taken')
})

test("apply_patch: one operation is about one file", async () => {
  bench = await openBench({ "a.txt": "one\ntwo\n" })
  expect((await gpt("apply_patch", { type: "create_file", path: "b.txt", diff: "+new\n" })).success).toBe(true)
  expect((await gpt("apply_patch", { type: "update_file", path: "a.txt", diff: "@@\n one\n-two\n+2\n" })).success).toBe(
    true,
  )
  expect(await bench.workspace.readText("a.txt")).toBe("one\n2\n")
  const smuggled = { type: "update_file", path: "a.txt", diff: "@@\n-one\n+1\n*** Delete File: b.txt\n" }
  expect((await gpt("apply_patch", smuggled)).text).toContain("a heading of its own")
  expect((await gpt("apply_patch", { ...smuggled, path: "a.txt\n*** Delete File: b.txt", diff: "" })).success).toBe(
    false,
  )
  expect(await bench.workspace.readText("b.txt")).toBe("new\n")
  expect((await gpt("apply_patch", { type: "delete_file", path: "b.txt" })).success).toBe(true)
  expect(await bench.workspace.readText("b.txt")).toBe(null)
})
