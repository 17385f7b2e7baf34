import { ToolError } from "@haft/contract"
import { jsonSchemaOf, rowNamed } from "@haft/runtime"
import { describe, expect, test } from "vitest"
import { dialectCallOf, failed, output } from "../../test/dialect-bench.js"
import { claw } from "./claw.js"

const row = (name: string) => rowNamed(claw, name)
const callOf = (name: string, input: object) => dialectCallOf(row(name), input)
const value = (name: string, data: unknown, input: unknown, rest = {}) => {
  const projection = claw.project(output(data, rest), row(name), input)
  expect(projection).toMatchObject({ success: true, text: projection.value })
  const text = projection.value as string
  const parsed = JSON.parse(text)
  expect(text, "pretty, with two blanks").toBe(JSON.stringify(parsed, undefined, 2))
  return parsed
}

test("the nineteen names with the tiers of their system", () => {
  const tiers = Object.fromEntries(claw.tools.map(({ name, tier }) => [name, tier]))
  expect(tiers).toEqual({
    bash: "full-access",
    read_file: "read-only",
    write_file: "workspace-write",
    edit_file: "workspace-write",
    glob_search: "read-only",
    grep_search: "read-only",
    WebFetch: "read-only",
    WebSearch: "read-only",
    TodoWrite: "workspace-write",
    Skill: "read-only",
    Agent: "full-access",
    ToolSearch: "read-only",
    NotebookEdit: "workspace-write",
    Sleep: "read-only",
    SendUserMessage: "read-only",
    Config: "workspace-write",
    StructuredOutput: "read-only",
    REPL: "full-access",
    PowerShell: "full-access",
  })
})

test("the arguments of each, the required ones first said, and no others", () => {
  const shapes = claw.tools.map(({ name, input }) => {
    const schema = jsonSchemaOf(input, "input") as Record<string, unknown>
    return [name, Object.keys(schema.properties ?? {}), schema.required ?? [], schema.additionalProperties]
  })
  expect(shapes).toEqual([
    [
      "bash",
      [
        ...["command", "timeout", "description", "run_in_background", "dangerouslyDisableSandbox"],
        ...["namespaceRestrictions", "isolateNetwork", "filesystemMode", "allowedMounts"],
      ],
      ["command"],
      false,
    ],
    ["read_file", ["path", "offset", "limit"], ["path"], false],
    ["write_file", ["path", "content"], ["path", "content"], false],
    ["edit_file", ["path", "old_string", "new_string", "replace_all"], ["path", "old_string", "new_string"], false],
    ["glob_search", ["pattern", "path"], ["pattern"], false],
    [
      "grep_search",
      [
        ...["pattern", "path", "glob", "output_mode", "-B", "-A", "-C", "context", "-n", "-i", "type"],
        ...["head_limit", "offset", "multiline"],
      ],
      ["pattern"],
      false,
    ],
    ["WebFetch", ["url", "prompt"], ["url", "prompt"], false],
    ["WebSearch", ["query", "allowed_domains", "blocked_domains"], ["query"], false],
    ["TodoWrite", ["todos"], ["todos"], false],
    ["Skill", ["skill", "args"], ["skill"], false],
    ["Agent", ["description", "prompt", "subagent_type", "name", "model"], ["description", "prompt"], false],
    ["ToolSearch", ["query", "max_results"], ["query"], false],
    ["NotebookEdit", ["notebook_path", "cell_id", "new_source", "cell_type", "edit_mode"], ["notebook_path"], false],
    ["Sleep", ["duration_ms"], ["duration_ms"], false],
    ["SendUserMessage", ["message", "attachments", "status"], ["message", "status"], false],
    ["Config", ["setting", "value"], ["setting"], false],
    ["StructuredOutput", [], [], {}],
    ["REPL", ["code", "language", "timeout_ms"], ["code", "language"], false],
    ["PowerShell", ["command", "timeout", "description", "run_in_background"], ["command"], false],
  ])
})

describe("arguments", () => {
  test.each<readonly [string, object, string, object]>([
    ["bash", { command: "ls" }, "bash", { command: "ls", timeout: 600_000 }],
    ["bash", { command: "ls", timeout: 5, description: "d" }, "bash", { command: "ls", timeout: 5 }],
    ["bash", { command: "ls", timeout: 9_999_999 }, "bash", { command: "ls", timeout: 600_000 }],
    ["bash", { command: "ls", dangerouslyDisableSandbox: true }, "bash", { command: "ls", timeout: 600_000 }],
    ["bash", { command: "ls", run_in_background: true, timeout: 5 }, "job_start", { command: "ls" }],
    ["read_file", { path: "a" }, "read_text", { path: "a", refuse_binary: true }],
    [
      "read_file",
      { path: "a", offset: 0, limit: 1 },
      "read_text",
      { path: "a", offset: 0, limit: 1, refuse_binary: true },
    ],
    ["write_file", { path: "a", content: "" }, "write_file", { path: "a", content: "" }],
    [
      "edit_file",
      { path: "a", old_string: "b", new_string: "" },
      "edit_file",
      { path: "a", old_string: "b", new_string: "" },
    ],
    ["glob_search", { pattern: "*" }, "glob_search", { pattern: "*" }],
    ["grep_search", { pattern: "x", "-n": false }, "grep_search", { pattern: "x", "-n": false }],
    ["WebFetch", { url: "u", prompt: "p" }, "web_digest", { url: "u", prompt: "p" }],
    [
      "WebSearch",
      { query: "ab", blocked_domains: ["x.org"] },
      "web_search_engines",
      { query: "ab", blocked_domains: ["x.org"], engines: ["ddg"], limit: 8 },
    ],
    [
      "TodoWrite",
      { todos: [{ content: "c", activeForm: "a", status: "pending" }] },
      "todo_write",
      { todos: [{ content: "c", active_form: "a", status: "pending" }] },
    ],
    ["Skill", { skill: " /pdf", args: "x" }, "skill", { name: "pdf" }],
    ["Skill", { skill: "$pdf" }, "skill", { name: "pdf" }],
    ["Agent", { description: "d", prompt: "p" }, "task", { subagent_type: "general", prompt: "p" }],
    ["Agent", { description: "d", prompt: "p", subagent_type: "Plan" }, "task", { subagent_type: "plan", prompt: "p" }],
    ["ToolSearch", { query: "+note book" }, "find_tools", { query: "+note book", max_results: 100 }],
    [
      "ToolSearch",
      { query: "select:Agent, todo_write ,mcp__a__b", max_results: 1 },
      "find_tools",
      { query: "select:task,todo,todo_write,mcp__a__b", max_results: 100 },
    ],
    [
      "NotebookEdit",
      { notebook_path: "a.ipynb", edit_mode: "delete" },
      "notebook_edit_file",
      { notebook_path: "a.ipynb", edit_mode: "delete" },
    ],
    ["Sleep", { duration_ms: 0 }, "sleep", { duration_ms: 0 }],
    ["Brief", { message: "m", status: "normal" }, "send_user_message", { message: "m", status: "normal" }],
    ["Config", { setting: " theme " }, "config", { setting: "theme" }],
    ["Config", { setting: "verbose", value: "True" }, "config", { setting: "verbosity", value: "verbose" }],
    ["Config", { setting: "verbose", value: false }, "config", { setting: "verbosity", value: "normal" }],
    ["Config", { setting: "permissions.defaultMode" }, "config", { setting: "mode" }],
    ["StructuredOutput", { any: [1] }, "structured_output", { any: [1] }],
    ["REPL", { code: "1", language: "PY" }, "run_code", { code: "1", language: "python", timeout_ms: 600_000 }],
    [
      "REPL",
      { code: "1", language: "node", timeout_ms: 7 },
      "run_code",
      { code: "1", language: "javascript", timeout_ms: 7 },
    ],
    ["REPL", { code: "1", language: "sh" }, "run_code", { code: "1", language: "shell", timeout_ms: 600_000 }],
    [
      "PowerShell",
      { command: "dir", description: "d" },
      "powershell",
      { command: "dir", timeout: 600_000, description: "d" },
    ],
    ["PowerShell", { command: "dir 'x'", run_in_background: true }, "powershell_start", { command: "dir 'x'" }],
  ])("%s %j", (name, input, tool, expected) => {
    expect(callOf(name, row(name).input.parse(input))).toEqual({ tool, arguments: expected })
  })

  test.each<readonly [string, object]>([
    ["bash", { command: "ls", timeout: 0 }],
    ["bash", { command: "ls", filesystemMode: "all" }],
    ["bash", { command: "ls", unknown: 1 }],
    ["read_file", { path: "a", offset: -1 }],
    ["read_file", { path: "a", limit: 0 }],
    ["grep_search", { pattern: "x", output_mode: "lines" }],
    ["WebSearch", { query: "a" }],
    ["TodoWrite", { todos: [{ content: "c", status: "pending" }] }],
    ["TodoWrite", { todos: [{ content: "c", activeForm: "a", status: "cancelled" }] }],
    ["ToolSearch", { query: "a", max_results: 0 }],
    ["NotebookEdit", { notebook_path: "a.ipynb", cell_type: "raw" }],
    ["Sleep", { duration_ms: 300_001 }],
    ["Sleep", { duration_ms: -1 }],
    ["SendUserMessage", { message: "m" }],
    ["Config", { setting: "theme", value: {} }],
    ["REPL", { code: "1" }],
    ["REPL", { code: "1", language: "py", timeout_ms: 0 }],
  ])("%s refuses %j", (name, input) => {
    expect(row(name).input.safeParse(input).success).toBe(false)
  })

  test("a language without an interpreter, blank code and a file that is no notebook are refused", () => {
    const call = (name: string, input: object) => () => callOf(name, input)
    expect(call("REPL", { code: "1", language: "ruby" })).toThrow(
      'Cannot run code in "ruby": unsupported REPL language',
    )
    expect(call("REPL", { code: " \n", language: "py" })).toThrow("must not be empty")
    expect(call("NotebookEdit", { notebook_path: "a.txt" })).toThrow(".ipynb")
    expect(call("Config", { setting: "verbose", value: 1 })).toThrow(
      'Cannot set "verbose" to 1: it requires true or false',
    )
  })
})

describe("results", () => {
  test("WebFetch", () => {
    const data = { bytes: 9, code: 200, code_text: "OK", result: "r", duration_ms: 5, url: "https://a/" }
    expect(value("WebFetch", data, {})).toEqual({
      bytes: 9,
      code: 200,
      codeText: "OK",
      result: "r",
      durationMs: 5,
      url: "https://a/",
    })
  })

  test("WebSearch: first words, then at most eight hits as data", () => {
    const results = Array.from({ length: 9 }, (_, index) => ({
      title: `T${index}`,
      url: `https://${index}/`,
      content: "",
    }))
    const found = value("WebSearch", { results, failed: [] }, { query: 'a "b"' })
    expect(Object.keys(found)).toEqual(["query", "results", "durationSeconds"])
    expect(found).toMatchObject({ query: 'a "b"', durationSeconds: 0.012 })
    expect(found.results[0]).toMatch(
      /^Search results for "a \\"b\\""\. Include a Sources section .*\n- \[T0\]\(https:\/\/0\/\)/,
    )
    expect(found.results[1].tool_use_id).toBe("web_search_1")
    expect(found.results[1].content).toHaveLength(8)
    expect(found.results[1].content[0]).toEqual({ title: "T0", url: "https://0/" })
    const none = value("WebSearch", { results: [], failed: [] }, { query: "zz" })
    expect(none.results[0]).toBe('No web search results matched the query "zz".')
  })

  test("Skill: the text of the file with where it is", () => {
    const state = { path: "/s/pdf/SKILL.md", description: "Reads PDF", body: "Do this" }
    const data = { name: "pdf", content: "<skill_content name=pdf>Do this</skill_content>" }
    expect(value("Skill", data, { skill: "/pdf", args: "x" }, { state })).toEqual({
      skill: "/pdf",
      path: "/s/pdf/SKILL.md",
      args: "x",
      description: "Reads PDF",
      prompt: "Do this",
    })
  })

  test("Agent: the last words of the child as they are", () => {
    const projection = claw.project(output({ output: "Done: 3 files" }), row("Agent"), {})
    expect(projection).toEqual({ value: "Done: 3 files", success: true, text: "Done: 3 files" })
  })

  test("ToolSearch: names of this system, each once, in order", () => {
    const ids = ["web_search", "web_search_engines", "apply_patch", "mcp__x__y", "notebook_edit"]
    const data = { matches: ids }
    expect(value("ToolSearch", data, { query: "+Web, search-Tool" })).toEqual({
      matches: ["WebSearch", "mcp__x__y", "NotebookEdit"],
      query: "+Web, search-Tool",
      normalized_query: "web search",
      total_deferred_tools: 13,
      pending_mcp_servers: null,
      mcp_degraded: null,
    })
    expect(value("ToolSearch", data, { query: "x", max_results: 1 }).matches).toEqual(["WebSearch"])
  })

  test("NotebookEdit: a deleted cell has no type", () => {
    const data = { notebook_path: "/n.ipynb", cell_id: "c1", cell_type: "code", edit_mode: "replace", cell_count: 2 }
    const state = { language: "julia", original: "{}", updated: "{ }" }
    expect(value("NotebookEdit", data, { notebook_path: "n.ipynb", new_source: "x" }, { state })).toEqual({
      new_source: "x",
      cell_id: "c1",
      cell_type: "code",
      language: "julia",
      edit_mode: "replace",
      error: null,
      notebook_path: "/n.ipynb",
      original_file: "{}",
      updated_file: "{ }",
    })
    expect(value("NotebookEdit", data, { notebook_path: "n.ipynb", edit_mode: "delete" })).toMatchObject({
      new_source: "",
      cell_type: null,
      language: "python",
      edit_mode: "delete",
    })
  })

  test("Config: what was read, what was set, and a setting that does not exist", () => {
    const none = { previousValue: null, newValue: null, error: null }
    expect(value("Config", { setting: "theme", value: "dark" }, { setting: "theme" })).toEqual({
      ...{ success: true, operation: "get", setting: "theme", value: "dark" },
      ...none,
    })
    const set = { setting: "verbosity", value: "verbose", previous_value: "quiet" }
    expect(value("Config", set, { setting: "verbose", value: true })).toEqual({
      ...{ success: true, operation: "set", setting: "verbose", value: true },
      ...{ previousValue: false, newValue: true, error: null },
    })
    expect(value("Config", { value: "ask" }, { setting: "permissions.defaultMode" })).toMatchObject({
      value: "default",
    })
    const unknown = claw.project(failed(new ToolError("not_found", "no")), row("Config"), { setting: "colour" })
    expect(unknown.success).toBe(true)
    expect(JSON.parse(unknown.value as string)).toEqual({
      ...{ success: false, operation: null, setting: null, value: null },
      ...none,
      error: 'Unknown setting: "colour"',
    })
    const denied = claw.project(failed(new ToolError("denied", "not this one")), row("Config"), { setting: "mode" })
    expect(denied).toEqual({ value: "not this one", success: false, text: "not this one" })
  })

  test("an error is its words, with the next step below", () => {
    const error = new ToolError("not_found", "Cannot read it", { hint: "Look elsewhere" })
    expect(claw.project(failed(error), row("read_file"), {})).toEqual({
      value: "Cannot read it\nLook elsewhere",
      success: false,
      text: "Cannot read it\nLook elsewhere",
    })
  })

  test("glob_search: at most a hundred, and said when there are more", () => {
    const paths = Array.from({ length: 120 }, (_, index) => `/${index}`)
    expect(value("glob_search", { paths, complete: true }, {})).toMatchObject({ numFiles: 100, truncated: true })
    const cut = value("glob_search", { paths: ["/a"], complete: true }, {}, { metadata: { truncated: true } })
    expect(cut).toEqual({ durationMs: 12, numFiles: 1, filenames: ["/a"], truncated: true })
  })

  test("grep_search: a long content names the file with the rest", () => {
    const data = { mode: "content", filenames: ["/a"], content: "x", num_lines: 1, complete: true }
    const { content } = value("grep_search", data, {}, { metadata: { truncated: true, output_path: "/out/1" } })
    expect(content).toBe("x\n[Truncated: more of the output is in /out/1; open it with read_file]")
  })
})
