import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { type AnyClient, connectStdio, modelText } from "./mcp-serve-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

let command: SourceCommand
let bench: Workbench
let client: AnyClient

beforeAll(async () => {
  command = await sourceCommand()
}, 120_000)
afterAll(() => command.remove())
beforeEach(() => {
  bench = workbench()
  bench.write("a.txt", "one two\n")
  bench.write("n.ipynb", JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }))
})
afterEach(async () => {
  await client.close()
  bench.remove()
})

/** What a row gives: a text of the model, or the code of an error. */
type Row = readonly [name: string, input: Record<string, unknown>, expected: RegExp | { readonly fails: string }]

const fails = (code: string) => ({ fails: code })
const denied = fails("denied")

const dialects: Readonly<Record<string, readonly Row[]>> = {
  asyar: [
    ["builtin__calculator", { expression: "2 + 2 * 3" }, /^8$/],
    ["builtin__clipboard-read", {}, denied],
    ["builtin__clipboard-write", { text: "x" }, denied],
    ["builtin__fs-read", { path: "a.txt" }, /one two/],
    ["builtin__fs-write", { path: "b.txt", content: "x" }, /b\.txt|true|bytes/],
    ["builtin__shell-exec", { command: "cat", args: ["a.txt"] }, /one two/],
    ["builtin__web-fetch", { url: "http://127.0.0.1:1/" }, denied],
    ["builtin__search", { query: "a.txt" }, /\[|results/],
  ],
  claw: [
    ["bash", { command: "cat a.txt" }, /one two/],
    ["read_file", { path: "a.txt" }, /one two/],
    ["write_file", { path: "b.txt", content: "x" }, /create/],
    ["edit_file", { path: "a.txt", old_string: "one", new_string: "1" }, /a\.txt/],
    ["glob_search", { pattern: "*.txt" }, /a\.txt/],
    ["grep_search", { pattern: "two" }, /a\.txt/],
    ["WebFetch", { url: "http://127.0.0.1:1/", prompt: "x" }, denied],
    ["WebSearch", { query: "xyz" }, denied],
    ["TodoWrite", { todos: [{ content: "x", activeForm: "doing x", status: "pending" }] }, /x/],
    ["Skill", { skill: "none" }, fails("not_found")],
    ["Agent", { description: "d", prompt: "p" }, fails("not_configured")],
    ["ToolSearch", { query: "notebook" }, /NotebookEdit|matches/],
    ["NotebookEdit", { notebook_path: "n.ipynb", new_source: "1", edit_mode: "insert" }, /n\.ipynb/],
    ["Sleep", { duration_ms: 1 }, /1/],
    ["SendUserMessage", { message: "hello", status: "normal" }, /hello/],
    ["Config", { setting: "language" }, /language/],
    ["StructuredOutput", { answer: 42 }, /42/],
    ["REPL", { code: "1 + 1", language: "javascript" }, denied],
    ["PowerShell", { command: "Get-Date" }, denied],
  ],
  a3s: [
    ["read", { file_path: "a.txt" }, /one two/],
    ["write", { file_path: "b.txt", content: "x" }, /b\.txt/],
    ["edit", { file_path: "a.txt", old_string: "one", new_string: "1" }, /a\.txt/],
    ["patch", { file_path: "a.txt", diff: "@@ -1 +1 @@\n-1 two\n+2 two\n" }, /a\.txt/],
    ["bash", { command: "cat a.txt" }, /2 two/],
    ["grep", { pattern: "two" }, /a\.txt/],
    ["glob", { pattern: "*.txt" }, /a\.txt/],
    ["ls", {}, /a\.txt/],
    ["web_fetch", { url: "http://127.0.0.1:1/" }, denied],
    ["box", { command: "true" }, denied],
    ["git", { command: "status" }, fails("not_found")],
    ["web_search", { query: "x" }, denied],
  ],
  lobe: [
    ["lobe-local-system____listLocalFiles", { path: "." }, /a\.txt/],
    ["lobe-local-system____readLocalFile", { path: "a.txt" }, /one two/],
    ["lobe-local-system____readLocalFiles", { paths: ["a.txt"] }, /one two/],
    ["lobe-local-system____searchLocalFiles", { keywords: "a" }, /a\.txt/],
    ["lobe-local-system____moveLocalFiles", { items: [{ oldPath: "a.txt", newPath: "c.txt" }] }, /c\.txt|1/],
    ["lobe-local-system____renameLocalFile", { path: "c.txt", newName: "a.txt" }, /a\.txt/],
    ["lobe-local-system____writeLocalFile", { path: "b.txt", content: "x" }, /b\.txt/],
    ["lobe-local-system____editLocalFile", { file_path: "a.txt", old_string: "one", new_string: "1" }, /a\.txt|1/],
    ["lobe-local-system____runCommand", { description: "d", command: "cat a.txt" }, /1 two/],
    ["lobe-local-system____getCommandOutput", { shell_id: "none" }, fails("not_found")],
    ["lobe-local-system____killCommand", { shell_id: "none" }, fails("not_found")],
    ["lobe-local-system____grepContent", { pattern: "two" }, /a\.txt|1/],
    ["lobe-local-system____globLocalFiles", { pattern: "*.txt" }, /a\.txt/],
    ["lobe-web-browsing____search", { query: "x" }, denied],
    ["lobe-web-browsing____crawlSinglePage", { url: "http://127.0.0.1:1/" }, denied],
    ["lobe-web-browsing____crawlMultiPages", { urls: ["http://127.0.0.1:1/"] }, denied],
    ["lobe-calculator____calculate", { expression: "2 * 21" }, /42/],
    ["lobe-calculator____evaluate", { expression: "x * 2", variables: { x: 21 } }, /42/],
    ["lobe-calculator____base", { number: "ff", fromBase: 16, toBase: 10 }, /255/],
    ["lobe-calculator____sort", { numbers: [3, 1, 2] }, /1.*2.*3/s],
    ["lobe-calculator____differentiate", { expression: "x^2", variable: "x" }, /2 \* x/],
    ["lobe-gtd____createPlan", { goal: "g", description: "d", context: "c" }, /^Created plan plan_/],
    ["lobe-gtd____updatePlan", { planId: "none" }, fails("not_found")],
    ["lobe-gtd____createTodos", { adds: ["x"] }, /^Added 1 item/],
    ["lobe-gtd____updateTodos", { operations: [{ type: "add", text: "y" }] }, /y/],
    ["lobe-gtd____clearTodos", { mode: "all" }, /./],
    ["lobe-gtd____execTask", { description: "d", instruction: "i" }, fails("not_configured")],
    ["lobe-gtd____execTasks", { tasks: [{ description: "d", instruction: "i" }] }, fails("not_configured")],
  ],
}

// Nothing here may reach further than this machine.
const words = [
  "--deny",
  "net.fetch",
  "--allow",
  "fs.write({workspace}/**)",
  "--allow",
  "fs.delete({workspace}/**)",
  "--headless",
]

test.each(Object.keys(dialects))("every row of the dialect %s is listed and works", async (name) => {
  ;({ client } = await connectStdio(command, bench, { kind: "2.4 of 2026", words: [...words, "--dialect", name] }))
  const rows = dialects[name]!
  const { tools } = await client.listTools()
  expect(tools.map((tool) => tool.name)).toEqual(rows.map(([row]) => row))
  const outcomes: unknown[] = []
  for (const [row, input, expected] of rows) {
    const result = await client.callTool({ name: row, arguments: input })
    const { error_code } = (result._meta as Record<string, { error_code?: string }>)["haft/envelope"]!
    const text = modelText(result)
    if (expected instanceof RegExp) {
      outcomes.push(result.isError || !expected.test(text) ? [row, error_code, text.slice(0, 200)] : row)
    } else outcomes.push(result.isError && error_code === expected.fails ? row : [row, error_code, text.slice(0, 200)])
  }
  expect(outcomes).toEqual(rows.map(([row]) => row))
})
