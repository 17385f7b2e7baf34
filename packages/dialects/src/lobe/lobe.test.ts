import { rowNamed } from "@haft/runtime"
import { expect, test } from "vitest"
import { catalog } from "../../../tools/src/catalog.js"
import { dialectCallOf, output } from "../../test/dialect-bench.js"
import { dialectTools } from "../catalog.js"
import { lobe } from "./lobe.js"

const local = "lobe-local-system"
const gtd = "lobe-gtd"

interface Call {
  readonly name: string
  readonly keys: readonly string[]
  readonly input: object
  readonly tool: string
  readonly ours: object
}

const search = ["keywords", "contentContains", "createdAfter", "createdBefore", "modifiedAfter", "modifiedBefore"]
const searchMore = ["directory", "exclude", "fileTypes", "limit", "liveUpdate", "sortBy", "sortDirection"]
const grep = ["pattern", "path", "glob", "type", "output_mode", "-A", "-B", "-C", "-i", "-n", "head_limit", "multiline"]
const task = ["description", "instruction", "inheritMessages", "runInClient", "timeout"]

const row = (name: string, keys: readonly string[], input: object, tool: string, ours: object): Call => ({
  name,
  keys,
  input,
  tool,
  ours,
})

const calls: readonly Call[] = [
  row(`${local}____listLocalFiles`, ["path"], { path: "d" }, "ls", { path: "d" }),
  row(`${local}____readLocalFile`, ["path", "loc"], { path: "a" }, "read", { file_path: "a", offset: 0, limit: 200 }),
  row(`${local}____readLocalFiles`, ["paths", "loc"], { paths: ["a"], loc: [5, 8] }, "read_files", {
    paths: ["a"],
    offset: 5,
    limit: 3,
  }),
  row(
    `${local}____searchLocalFiles`,
    [...search, ...searchMore],
    { keywords: "x", directory: "d", fileTypes: ["ts"], modifiedAfter: "2024-01-01", sortBy: "date", limit: 5 },
    "find_files",
    { query: "x", path: "d", types: ["ts"], modified_after: "2024-01-01", sort: "date", limit: 5 },
  ),
  row(`${local}____moveLocalFiles`, ["items"], { items: [{ oldPath: "a", newPath: "b" }] }, "move", {
    moves: [{ from: "a", to: "b" }],
  }),
  row(`${local}____renameLocalFile`, ["path", "newName"], { path: "d/a.txt", newName: "b.txt" }, "move", {
    moves: [{ from: "d/a.txt", to: "d/b.txt" }],
  }),
  row(`${local}____writeLocalFile`, ["path", "content"], { path: "a", content: "x" }, "write", {
    file_path: "a",
    content: "x",
  }),
  row(
    `${local}____editLocalFile`,
    ["file_path", "old_string", "new_string", "replace_all"],
    { file_path: "a", old_string: "x", new_string: "y" },
    "edit",
    { file_path: "a", old_string: "x", new_string: "y" },
  ),
  row(
    `${local}____runCommand`,
    ["description", "command", "run_in_background", "timeout"],
    { description: "Lists", command: "ls", timeout: 1000 },
    "bash",
    { command: "ls", timeout: 1000 },
  ),
  row(`${local}____getCommandOutput`, ["shell_id", "filter"], { shell_id: "j1", filter: ".*a\\.b" }, "job_output", {
    id: "j1",
    filter: "a.b",
  }),
  row(`${local}____killCommand`, ["shell_id"], { shell_id: "j1" }, "job_stop", { id: "j1" }),
  row(`${local}____grepContent`, grep, { pattern: "x", "-A": 2, output_mode: "content" }, "grep_search", {
    pattern: "x",
    "-A": 2,
    output_mode: "content",
  }),
  row(`${local}____globLocalFiles`, ["pattern", "path"], { pattern: "*.ts" }, "glob", { pattern: "*.ts" }),
  row(
    "lobe-web-browsing____search",
    ["query", "searchCategories", "searchEngines", "searchTimeRange"],
    { query: "q", searchEngines: ["google", "duckduckgo", "wikipedia"] },
    "web_search_engines",
    { query: "q", engines: ["ddg", "wiki"] },
  ),
  row("lobe-web-browsing____crawlSinglePage", ["url"], { url: "https://a.test" }, "crawl_pages", {
    urls: ["https://a.test"],
  }),
  row("lobe-web-browsing____crawlMultiPages", ["urls"], { urls: ["https://a.test"] }, "crawl_pages", {
    urls: ["https://a.test"],
  }),
  row("lobe-calculator____calculate", ["expression", "precision"], { expression: "1+1" }, "calculate_expression", {
    expression: "1+1",
  }),
  row(
    "lobe-calculator____evaluate",
    ["expression", "variables", "precision"],
    { expression: "x", variables: { x: 1 }, precision: 2 },
    "evaluate_expression",
    { expression: "x", variables: { x: 1 }, precision: 2 },
  ),
  row(
    "lobe-calculator____base",
    ["number", "fromBase", "toBase"],
    { number: "ff", fromBase: 16, toBase: 2 },
    "convert_base",
    {
      number: "ff",
      fromBase: 16,
      toBase: 2,
    },
  ),
  row("lobe-calculator____sort", ["numbers", "mode", "reverse", "precision"], { numbers: [2, "1"] }, "sort_numbers", {
    numbers: [2, "1"],
  }),
  row(
    "lobe-calculator____differentiate",
    ["expression", "variable"],
    { expression: "x^2", variable: "x" },
    "differentiate_expression",
    { expression: "x^2", variable: "x" },
  ),
  row(
    `${gtd}____createPlan`,
    ["goal", "description", "context"],
    { goal: "g", description: "d", context: "c" },
    "create_plan",
    { goal: "g", description: "d", context: "c" },
  ),
  row(
    `${gtd}____updatePlan`,
    ["planId", "goal", "description", "context", "completed"],
    { planId: "p", goal: "g" },
    "update_plan",
    { id: "p", goal: "g" },
  ),
  row(`${gtd}____createTodos`, ["adds"], { adds: ["a"] }, "create_todos", { adds: ["a"] }),
  row(
    `${gtd}____updateTodos`,
    ["operations"],
    {
      operations: [
        { type: "add", text: "a" },
        { type: "update", index: 0, newText: "b", status: "todo" },
        { type: "processing", index: 0 },
        { type: "complete", index: 0 },
        { type: "remove", index: 0 },
      ],
    },
    "update_todos",
    {
      operations: [
        { type: "add", text: "a" },
        { type: "update", index: 0, text: "b", status: "pending" },
        { type: "update", index: 0, status: "in_progress" },
        { type: "update", index: 0, status: "completed" },
        { type: "remove", index: 0 },
      ],
    },
  ),
  row(`${gtd}____clearTodos`, ["mode"], { mode: "all" }, "clear_todos", { mode: "all" }),
  row(`${gtd}____execTask`, task, { description: "d", instruction: "i" }, "task", {
    subagent_type: "general",
    prompt: "i",
  }),
  row(`${gtd}____execTasks`, ["tasks"], { tasks: [{ description: "d", instruction: "i" }] }, "task", {
    subagent_type: "general",
    prompt: "i",
  }),
]

test("every API of the four packages, each with its arguments", () => {
  expect(lobe.tools.map(({ name }) => name)).toEqual(calls.map(({ name }) => name))
  expect(calls.filter(({ name }) => name.startsWith(local))).toHaveLength(13)
  for (const { name, keys } of calls) {
    expect([name, Object.keys(rowNamed(lobe, name).input.shape)]).toEqual([name, keys])
  }
})

test.each(calls)("$name becomes $tool", ({ name, input, tool, ours }) => {
  const found = rowNamed(lobe, name)
  expect(dialectCallOf(found, found.input.parse(input))).toEqual({ tool, arguments: ours })
  // The key of LobeHub's own allow list finds it too.
  expect(rowNamed(lobe, name.replace("____", "/"))).toBe(found)
})

test("every tool behind an API is there", () => {
  const known = new Set([...catalog, ...dialectTools].map(({ manifest }) => manifest.id as string))
  expect([...new Set(calls.map(({ tool }) => tool))].filter((tool) => !known.has(tool))).toEqual([])
})

test("a command in the background is a job", () => {
  const found = rowNamed(lobe, `${local}____runCommand`)
  const input = { description: "Serves", command: "serve", run_in_background: true, timeout: 5 }
  expect(dialectCallOf(found, found.input.parse(input))).toEqual({
    tool: "job_start",
    arguments: { command: "serve" },
  })
  const job = { id: "j1", state: "running", output: "", next: 0 }
  expect(lobe.project(output(job), found, input).value).toMatchObject({
    success: true,
    state: { commandId: "j1", success: true, running: true },
  })
})

test.each([
  [`${local}____readLocalFile`, { path: "a", loc: [5, 5] }, "the end must be after the start"],
  [`${local}____renameLocalFile`, { path: "a", newName: "d/b" }, "a name has no folders in it"],
  [`${local}____renameLocalFile`, { path: "a", newName: ".." }, "a name has no folders in it"],
  [`${local}____searchLocalFiles`, { keywords: "x", contentContains: "y" }, "use grepContent"],
  [`${local}____searchLocalFiles`, { keywords: "x", createdAfter: "2024" }, "use modifiedAfter"],
  [`${local}____getCommandOutput`, { shell_id: "j", filter: "(a+)+$" }, "only a plain text"],
  [`${gtd}____updateTodos`, { operations: [{ type: "remove" }] }, '"index" is missing'],
  [`${gtd}____updateTodos`, { operations: [{ type: "add" }] }, '"text" is missing'],
  [
    `${gtd}____execTasks`,
    { tasks: [1, 2].map(() => ({ description: "d", instruction: "i" })) },
    "one call starts one agent",
  ],
])("%s does not take %j", (name, input, words) => {
  const found = rowNamed(lobe, name)
  expect(() => found.toArguments(found.input.parse(input))).toThrow(words)
})
