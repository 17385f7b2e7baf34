import { rowNamed } from "@haft/runtime"
import { createHash } from "node:crypto"
import { ToolError, type ToolResult } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dialectCallOf, failed, output } from "../../test/dialect-bench.js"
import { lobeIntervention } from "./lobe/interventions.js"
import { literalFilter } from "./lobe/literal-filter.js"
import { md5 } from "./lobe/md5.js"
import { baseName, extensionOf, folderOf } from "./lobe/paths.js"
import { wireName } from "./lobe/wire-name.js"
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

test("every tool behind an API that is not in a toolset comes with the dialect", () => {
  const ids = lobe.workers?.map(({ manifest }) => manifest.id) ?? []
  expect(ids).toEqual(
    expect.arrayContaining(["read_files", "grep_search", "crawl_pages", "sort_numbers", "clear_todos"]),
  )
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
  [`${local}____readLocalFile`, { path: "a", loc: [5, 5] }, "the end must lie after the start"],
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

describe("the one way out", () => {
  const found = rowNamed(lobe, `${local}____writeLocalFile`)

  test("a failure has its words, the type of a failing tool, and what programs need", () => {
    const error = new ToolError("conflict", "It changed", { hint: "Read it again" })
    expect(lobe.project(failed(error), found, {})).toEqual({
      value: {
        success: false,
        content: "It changed\nRead it again",
        error: { type: "PluginServerError", message: "It changed", body: { code: "conflict", hint: "Read it again" } },
      },
      success: false,
      text: "It changed\nRead it again",
    })
  })

  test.each([
    ["lobe-local-system____readEverything", "ApiNotFound"],
    ["lobe-weather____today", "ExecutorNotFound"],
    ["read", "ExecutorNotFound"],
  ])("the unknown name %s is %s", (name, type) => {
    let thrown: ToolError | undefined
    try {
      rowNamed(lobe, name)
    } catch (error) {
      thrown = error as ToolError
    }
    const result = failed(thrown!)
    const metadata = { ...result.envelope.metadata, details: thrown!.details }
    const { value } = lobe.project({ ...result, envelope: { ...result.envelope, metadata } as never }, undefined, {})
    expect(value).toMatchObject({ success: false, error: { type } })
  })

  test("content is never empty", () => {
    const silent = output({ bytes_written: 0 }, { content: [] })
    expect(lobe.project(silent, found, {}).value).toEqual({
      success: true,
      content: "Done",
      state: { bytesWritten: 0, success: true },
    })
  })
})

const value = (name: string, data: object, input: object, rest: Partial<ToolResult> = {}) =>
  lobe.project(output(data, rest), rowNamed(lobe, name), input).value

test("a command that ended badly is an answer; its state says how it ended", () => {
  const end = { stdout: "out\n", stderr: "err\n", exit_code: 2, timed_out: false }
  expect(value(`${local}____runCommand`, end, { command: "x" })).toMatchObject({
    success: true,
    state: {
      exitCode: 2,
      stdout: "out\n",
      stderr: "err\n",
      output: "out\n\nerr\n",
      success: false,
      error: "Exit code 2",
    },
  })
})

test("found files: left out, turned round and cut afterwards", () => {
  const data = { paths: ["a.ts", "d/b.ts", "d2/c.ts", "e.ts"], complete: true }
  const name = `${local}____searchLocalFiles`
  const input = { keywords: "", exclude: ["./d/"], sortBy: "name", sortDirection: "desc", limit: 2 }
  expect(rowNamed(lobe, name).toArguments(input)).toMatchObject({ limit: 1000 })
  expect(value(name, data, input)).toMatchObject({
    content: "e.ts\nd2/c.ts\n[2 files]",
    state: { results: ["e.ts", "d2/c.ts"], totalCount: 2 },
  })
  expect(value(name, data, { keywords: "" })).toMatchObject({ state: { totalCount: 4 } })
})

test("a page that cannot be read fails a single call and not one of several", () => {
  const bad = { url: "https://b.test", content: "", error: "Cannot read it", error_code: "not_found" }
  const good = {
    url: "https://a.test",
    final_url: "https://a.test/x",
    content: "# A",
    content_type: "text/html",
    title: "A",
  }
  expect(value("lobe-web-browsing____crawlSinglePage", { pages: [bad], failed: 1 }, {})).toMatchObject({
    success: false,
    error: { type: "PluginServerError", message: "Cannot read it" },
    state: {
      results: [{ originalUrl: "https://b.test", data: { errorMessage: "Cannot read it", errorType: "not_found" } }],
    },
  })
  expect(value("lobe-web-browsing____crawlMultiPages", { pages: [good, bad], failed: 1 }, {})).toMatchObject({
    success: true,
    state: {
      results: [
        { originalUrl: "https://a.test", data: { url: "https://a.test/x", title: "A", content: "# A", length: 3 } },
        { data: { errorType: "not_found" } },
      ],
    },
  })
})

test("a search says what of the request had no effect", () => {
  const row = { title: "T", url: "https://a.test/x", content: "c", engines: ["ddg"], score: 1 }
  const input = { query: "q", searchEngines: ["google"], searchCategories: ["news"], searchTimeRange: "day" }
  const found = value("lobe-web-browsing____search", { results: [row], failed: [] }, input)
  expect(found).toMatchObject({
    content: expect.stringMatching(/Not searched.*google[^]*category: news[^]*last day/),
    state: { query: "q", costTime: 12, resultNumbers: 1, results: [{ ...row, parsedUrl: "a.test" }] },
  })
  expect(rowNamed(lobe, "lobe-web-browsing____search").toArguments(input)).toEqual({ query: "q" })
})

test("who is asked before: seven APIs, one of them always", () => {
  const marked = lobe.tools
    .map(({ name }) => [name.split("____")[1], lobeIntervention(name)])
    .filter(([, each]) => each !== "never")
  expect(marked).toEqual([
    ["moveLocalFiles", "required"],
    ["writeLocalFile", "required"],
    ["editLocalFile", "required"],
    ["runCommand", "required"],
    ["createPlan", "required"],
    ["createTodos", "required"],
    ["clearTodos", "always"],
  ])
})

describe("names on the wire", () => {
  test("MD5 as everybody computes it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(md5(text)).toBe(createHash("md5").update(text).digest("hex"))
      }),
    )
  })

  test("short names stay; from 64 characters on the API is hashed, then the identifier", () => {
    expect(wireName(`${local}____runCommand`)).toBe(`${local}____runCommand`)
    const api = "a".repeat(60)
    const hash = (text: string) => `MD5HASH_${createHash("md5").update(text).digest("hex").slice(0, 12)}`
    expect(wireName(`pkg____${api}`)).toBe(`pkg____${hash(api)}`)
    expect(wireName(`${"p".repeat(50)}____${api}`)).toBe(`${hash("p".repeat(50))}____${hash(api)}`)
    expect(wireName(`pkg____${"a".repeat(56)}`)).toHaveLength(63)
    expect(wireName(`pkg____${"a".repeat(57)}`)).toBe(`pkg____${hash("a".repeat(57))}`)
  })

  test("any name fits, and different ones stay different", () => {
    const name = fc.stringMatching(/^[a-z-]{1,70}$/)
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, name), { selector: (pair) => pair.join(" ") }), (pairs) => {
        const wired = pairs.map(([identifier, api]) => wireName(`${identifier}____${api}`))
        expect(wired.every((each) => each.length < 64)).toBe(true)
        expect(new Set(wired).size).toBe(pairs.length)
      }),
    )
  })
})

test("a filter is the text that a simple expression looks for", () => {
  expect(literalFilter("error")).toBe("error")
  expect(literalFilter(".*a\\.b\\(.*")).toBe("a.b(")
  expect(literalFilter(".*")).toBeUndefined()
  expect(literalFilter(undefined)).toBeUndefined()
  for (const pattern of ["a|b", "^a", "\\d+", "[ab]", "a{2}"]) expect(() => literalFilter(pattern)).toThrow(ToolError)
})

test("parts of paths", () => {
  expect([baseName("a/b.tar.gz"), folderOf("a/b.tar.gz"), extensionOf("a/b.tar.GZ")]).toEqual(["b.tar.gz", "a/", "gz"])
  expect([baseName("b"), folderOf("b"), extensionOf(".env")]).toEqual(["b", "", ""])
  expect([baseName("a/b/"), folderOf("a/b/"), folderOf("/b")]).toEqual(["b", "a/", "/"])
  expect(baseName("C:\\a\\b.txt")).toBe("b.txt")
})
