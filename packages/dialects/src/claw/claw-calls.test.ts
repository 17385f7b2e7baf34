import { utimesSync } from "node:fs"
import { join } from "node:path"
import { fakeConversation, fakeMemory, fakeSkills } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { skill } from "../../../tools/src/agents/skill/index.js"
import { bash } from "../../../tools/src/shell/bash/index.js"
import { jobStart } from "../../../tools/src/shell/job-start/index.js"
import { sendUserMessage } from "../../../tools/src/system/send-user-message.js"
import { sleep } from "../../../tools/src/system/sleep.js"
import { structuredOutput } from "../../../tools/src/system/structured-output.js"
import type { ToolBench } from "../../../tools/test/tool-bench.js"
import { openBench } from "../../../tools/test/tool-bench.js"
import { speak } from "../../test/dialect-bench.js"
import { grepSearch } from "../shared/tools/grep-search/index.js"
import { readText } from "../shared/tools/read-text/index.js"
import { claw } from "./claw.js"
import { editFile } from "./tools/edit-file/index.js"
import { findTools } from "./tools/find-tools.js"
import { globSearch } from "./tools/glob-search/index.js"
import { notebookEditFile } from "./tools/notebook-edit-file/index.js"
import { runCode } from "./tools/run-code/index.js"
import { todoWrite } from "./tools/todo-write.js"
import { writeFile } from "./tools/write-file/index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const tools = [
  ...[bash, jobStart, runCode, readText, writeFile, editFile, globSearch, grepSearch, todoWrite],
  ...[notebookEditFile, skill, findTools, sleep, sendUserMessage, structuredOutput],
]
const call = speak(claw, tools, () => bench)
const at = (path: string) => join(bench.workspace.path, path)
const open = async (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  bench = await openBench(files)
}

/** The JSON inside the string of a call that worked. */
const good: (...parameters: Parameters<typeof call>) => Promise<Record<string, unknown>> = async (...parameters) => {
  const { value, success } = await call(...parameters)
  expect(success, value as string).toBe(true)
  return JSON.parse(value as string)
}

/** The words of a call that failed. */
const bad = async (name: string, input: unknown): Promise<string> => {
  const { value, success } = await call(name, input)
  expect(success).toBe(false)
  return value as string
}

test("read_file: lines without numbers, counted from 1, the total known", async () => {
  await open({ "a.txt": "one\r\ntwo\nthree\n", "b.bin": "a\0b" })
  expect(await good("read_file", { path: "a.txt" })).toEqual({
    type: "text",
    file: { filePath: at("a.txt"), content: "one\ntwo\nthree", numLines: 3, startLine: 1, totalLines: 3 },
  })
  expect(await good("read_file", { path: "a.txt", offset: 1, limit: 1 })).toEqual({
    type: "text",
    file: { filePath: at("a.txt"), content: "two", numLines: 1, startLine: 2, totalLines: 3 },
  })
  expect(await good("read_file", { path: "a.txt", offset: 9 })).toMatchObject({
    file: { content: "", numLines: 0, startLine: 4, totalLines: 3 },
  })
  expect(await bad("read_file", { path: "b.bin" })).toContain("binary")
  expect(await bad("read_file", { path: "c.txt" })).toContain("c.txt")
})

test("write_file: creates parents, then updates with what was there", async () => {
  await open()
  expect(await good("write_file", { path: "new/a.txt", content: "one\n" })).toEqual({
    type: "create",
    filePath: at("new/a.txt"),
    content: "one\n",
    structuredPatch: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ["+one"] }],
    originalFile: null,
    gitDiff: null,
  })
  expect(await good("write_file", { path: "new/a.txt", content: "two\n" })).toEqual({
    type: "update",
    filePath: at("new/a.txt"),
    content: "two\n",
    structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-one", "+two"] }],
    originalFile: "one\n",
    gitDiff: null,
  })
  expect(await bad("write_file", { path: "big", content: "x".repeat(10 * 1024 * 1024 + 1) })).toContain("too large")
})

test("edit_file: one place or all of them; several without being told are an error", async () => {
  await open({ "a.txt": "x y x\n" })
  const input = { path: "a.txt", old_string: "x", new_string: "z" }
  await bad("edit_file", input)
  await bad("edit_file", { ...input, old_string: "gone" })
  await bad("edit_file", { ...input, new_string: "x" })
  expect(await bench.workspace.readText("a.txt")).toBe("x y x\n")
  expect(await good("edit_file", { ...input, replace_all: true })).toEqual({
    filePath: at("a.txt"),
    oldString: "x",
    newString: "z",
    originalFile: "x y x\n",
    structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-x y x", "+z y z"] }],
    userModified: false,
    replaceAll: true,
    gitDiff: null,
  })
  expect(await good("edit_file", { ...input, old_string: "y", new_string: "" })).toMatchObject({ replaceAll: false })
  expect(await bench.workspace.readText("a.txt")).toBe("z  z\n")
})

test("glob_search: the newest first", async () => {
  await open({ "a.rs": "", "src/b.rs": "", "target/c.rs": "" })
  utimesSync(at("a.rs"), 100, 100)
  const found = await good("glob_search", { pattern: "**/*.rs" })
  expect(found).toEqual({
    durationMs: expect.any(Number),
    numFiles: 2,
    filenames: [at("src/b.rs"), at("a.rs")],
    truncated: false,
  })
})

test("grep_search: three modes, null where a field does not apply", async () => {
  await open({ "a.txt": "hit\nno\nhit\n", "b.txt": "hit\n" })
  const nothing = { content: null, numLines: null, numMatches: null, appliedLimit: null, appliedOffset: null }
  const filenames = [at("a.txt"), at("b.txt")]
  expect(await good("grep_search", { pattern: "hit" })).toEqual({
    ...{ mode: "files_with_matches", numFiles: 2, filenames },
    ...nothing,
  })
  expect(await good("grep_search", { pattern: "hit", output_mode: "count" })).toEqual({
    ...{ mode: "count", numFiles: 2, filenames },
    ...nothing,
    numMatches: 3,
  })
  const page = { pattern: "hit", output_mode: "content", head_limit: 1, offset: 1 }
  expect(await good("grep_search", page)).toEqual({
    ...{ mode: "content", numFiles: 1, filenames: [at("a.txt")] },
    ...{ content: `${at("a.txt")}:3:hit`, numLines: 1, numMatches: null, appliedLimit: 1, appliedOffset: 1 },
  })
})

test("bash: the end of a command, and a job that goes on", async () => {
  await open({ "a.txt": "one\n" })
  expect(await good("bash", { command: "cat a.txt; exit 4" })).toMatchObject({
    stdout: "one\n",
    returnCodeInterpretation: "exit_code:4",
    interrupted: false,
    sandboxStatus: { enabled: true, active: true, fallback_reason: null },
  })
  const long = await good("bash", { command: "seq 1 9999" })
  expect(long.stdout).toMatch(/^1\n2\n[\s\S]*\n\n\[output truncated — exceeded 16384 bytes\]$/)
  expect(await good("bash", { command: "sleep 30", timeout: 100 })).toMatchObject({ interrupted: true })
  const job = await good("bash", { command: "sleep 30", run_in_background: true })
  expect(job).toMatchObject({ backgroundTaskId: expect.any(String), noOutputExpected: true, stdout: "" })
})

test("REPL: a new process for each call, time running out is an error", async () => {
  await open()
  const run = (language: string, code: string, rest = {}) => good("REPL", { language, code, ...rest })
  expect(await run("js", "globalThis.x = 1; console.log(x)")).toEqual({
    language: "js",
    stdout: "1\n",
    stderr: "",
    exitCode: 0,
    durationMs: expect.any(Number),
  })
  expect(await run("node", "console.log(typeof x); process.exit(2)")).toMatchObject({
    stdout: "undefined\n",
    exitCode: 2,
  })
  expect(await run("bash", "kill -9 $$")).toMatchObject({ exitCode: 1 })
  expect(await bad("REPL", { language: "sh", code: "sleep 30", timeout_ms: 100 })).toContain("timeout of 100 ms")
  expect(await bad("REPL", { language: "ruby", code: "1" })).toContain("unsupported REPL language")
})

test("TodoWrite: old and new, a nudge where nothing verified the work, errors for blanks", async () => {
  await open()
  const memory = fakeMemory()
  const step = (content: string, status: string) => ({ content, activeForm: `${content}ing`, status })
  const first = [step("a", "in_progress"), step("b", "in_progress"), step("c", "pending")]
  expect(await good("TodoWrite", { todos: first }, { memory })).toEqual({
    oldTodos: [],
    newTodos: first,
    verificationNudgeNeeded: null,
  })
  const done = first.map(({ content }) => step(content, "completed"))
  expect(await good("TodoWrite", { todos: done }, { memory })).toEqual({
    oldTodos: first,
    newTodos: done,
    verificationNudgeNeeded: true,
  })
  expect((await good("TodoWrite", { todos: first }, { memory })).oldTodos).toEqual([])
  await bad("TodoWrite", { todos: [] })
  await bad("TodoWrite", { todos: [step("", "pending")] })
})

test("NotebookEdit: the whole notebook before and after", async () => {
  const cell = { cell_type: "code", execution_count: 1, id: "c", metadata: {}, outputs: [], source: ["1"] }
  const original = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 })
  await open({ "a.ipynb": original })
  const edited = await good("NotebookEdit", { notebook_path: "a.ipynb", new_source: "x", cell_type: "markdown" })
  expect(edited).toEqual({
    ...{ new_source: "x", cell_id: "c", cell_type: "markdown", language: "python", edit_mode: "replace", error: null },
    ...{
      notebook_path: at("a.ipynb"),
      original_file: original,
      updated_file: await bench.workspace.readText("a.ipynb"),
    },
  })
  expect(JSON.parse(edited.updated_file as string).cells[0]).not.toHaveProperty("outputs")
  await bad("NotebookEdit", { notebook_path: "a.ipynb" })
  await bad("NotebookEdit", { notebook_path: "a.txt", new_source: "x" })
})

test("Skill: loaded by a name as people type it", async () => {
  await open()
  const skills = fakeSkills([
    {
      ...{ name: "pdf", description: "Reads PDF", kind: "instruction", source: "project", path: "/s/pdf/SKILL.md" },
      ...{ tags: [], allowedTools: [], body: "Do this" },
    },
  ])
  expect(await good("Skill", { skill: "/pdf" }, { skills })).toEqual({
    ...{ skill: "/pdf", path: "/s/pdf/SKILL.md", args: null, description: "Reads PDF", prompt: "Do this" },
  })
})

test("ToolSearch asks the index of the session", async () => {
  await open()
  const asked: unknown[] = []
  const index = {
    size: 0,
    search: (query: string, { max, listed }: { max: number; listed?: boolean }) => {
      asked.push([query, max, listed])
      return [{ id: "sleep", description: "Waits" }]
    },
  }
  expect((await good("ToolSearch", { query: "wait", max_results: 2 }, { tools: index })).matches).toEqual(["Sleep"])
  // Tools without a name here are left out, so that two are wanted says nothing about how many to ask for.
  expect(asked).toEqual([["wait", 100, true]])
})

test("ToolSearch: what has no name here takes no place, and an empty query lists all that are there by name", async () => {
  await open()
  const ids = ["apply_patch", "ls", "sleep", "config", "todo", "todo_write"]
  const index = {
    size: 0,
    search: (query: string, { max }: { max: number }) => {
      const wanted = query.startsWith("select:") ? query.slice("select:".length).split(",") : ids
      const found = wanted.filter((id) => ids.includes(id)).slice(0, max)
      return found.map((id) => ({ id, description: "" }))
    },
  }
  const found = async (input: object) => (await good("ToolSearch", input, { tools: index })).matches
  expect(await found({ query: "file", max_results: 1 })).toEqual(["Sleep"])
  expect(await found({ query: "" })).toEqual(["Config", "Sleep", "TodoWrite"])
  expect(await found({ query: " ", max_results: 2 })).toEqual(["Config", "Sleep"])
})

test("Sleep, SendUserMessage and StructuredOutput", async () => {
  await open({ "a.png": "x" })
  expect(await good("Sleep", { duration_ms: 1 })).toEqual({ duration_ms: 1, message: "Slept for 1ms" })
  const conversation = fakeConversation()
  const sent = await good("Brief", { message: "m", status: "proactive", attachments: ["a.png"] }, { conversation })
  expect(sent).toEqual({
    message: "m",
    attachments: [{ path: at("a.png"), size: 1, isImage: true }],
    sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  const plain = await good("SendUserMessage", { message: "m", status: "normal" }, { conversation })
  expect(plain.attachments).toBeNull()
  await bad("SendUserMessage", { message: "m", status: "normal", attachments: ["missing.png"] })
  expect(await good("StructuredOutput", { a: { b: 1 } })).toEqual({
    data: "Structured output provided successfully",
    structured_output: { a: { b: 1 } },
  })
  await bad("StructuredOutput", {})
})

test("a tool that is not built says so", async () => {
  await open()
  expect(await bad("Agent", { description: "d", prompt: "p" })).toContain("this host has nothing that does its work")
})
