import { type ErrorCode, ToolError, text } from "@haft/contract"
import { rowNamed } from "@haft/runtime"
import { describe, expect, test } from "vitest"
import { processText } from "../../../tools/src/shell/shared/output/command-text.js"
import { dialectCallOf, failed, output } from "../../test/dialect-bench.js"
import { a3s } from "./a3s.js"

interface Call {
  readonly name: string
  /** The arguments of the seed, all of them. */
  readonly keys: readonly string[]
  readonly required: readonly string[]
  readonly input: object
  readonly tool: string
  readonly ours: object
}

const calls: readonly Call[] = [
  {
    name: "read",
    keys: ["file_path", "offset", "limit"],
    required: ["file_path"],
    input: { file_path: "a" },
    tool: "read",
    ours: { file_path: "a", offset: 0, limit: 2000 },
  },
  {
    name: "write",
    keys: ["file_path", "content"],
    required: ["file_path", "content"],
    input: { file_path: "a", content: "x" },
    tool: "write",
    ours: { file_path: "a", content: "x" },
  },
  {
    name: "edit",
    keys: ["file_path", "old_string", "new_string", "replace_all"],
    required: ["file_path", "old_string", "new_string"],
    input: { file_path: "a", old_string: "x", new_string: "y", replace_all: true },
    tool: "edit",
    ours: { file_path: "a", old_string: "x", new_string: "y", replace_all: true },
  },
  {
    name: "patch",
    keys: ["file_path", "diff"],
    required: ["file_path", "diff"],
    input: { file_path: "a", diff: "@@" },
    tool: "patch",
    ours: { file_path: "a", diff: "@@" },
  },
  {
    name: "bash",
    keys: ["command", "timeout"],
    required: ["command"],
    input: { command: "ls", timeout: 5000 },
    tool: "bash",
    ours: { command: "ls", timeout: 5000 },
  },
  {
    name: "grep",
    keys: ["pattern", "path", "glob", "context", "-i"],
    required: ["pattern"],
    input: { pattern: "x", glob: "*.rs", context: 3, "-i": true },
    tool: "grep",
    ours: { pattern: "x", glob: "*.rs", context: 3, "-i": true },
  },
  {
    name: "glob",
    keys: ["pattern", "path"],
    required: ["pattern"],
    input: { pattern: "**/*.rs" },
    tool: "glob",
    ours: { pattern: "**/*.rs" },
  },
  { name: "ls", keys: ["path"], required: [], input: {}, tool: "ls", ours: {} },
  {
    name: "web_fetch",
    keys: ["url", "format", "timeout"],
    required: ["url"],
    input: { url: "https://a.test", timeout: 30 },
    tool: "web_fetch",
    ours: { url: "https://a.test", timeout: 30 },
  },
  {
    name: "box",
    keys: ["command", "image", "timeout", "files"],
    required: ["command"],
    input: { command: "x", files: { "/a": "b" } },
    tool: "box",
    ours: { command: "x", files: { "/a": "b" } },
  },
  {
    name: "git",
    keys: [
      ...["command", "subcommand", "name", "path", "ref", "target", "max_count", "message"],
      ...["include_untracked", "force", "new_branch", "base"],
    ],
    required: ["command"],
    input: { command: "worktree", subcommand: "create", name: "x", path: "../x" },
    tool: "git",
    ours: { command: "worktree", subcommand: "create", name: "x", path: "../x" },
  },
  {
    name: "web_search",
    keys: ["query", "engines", "limit", "timeout", "proxy", "format"],
    required: ["query"],
    input: { query: "q", engines: ["ddg", "wiki"], limit: 10, format: "json" },
    tool: "web_search_engines",
    ours: { query: "q", engines: ["ddg", "wiki"], limit: 10, format: "json" },
  },
]

test("the twelve names, each with the arguments of its system", () => {
  expect(a3s.tools.map((row) => row.name)).toEqual(calls.map(({ name }) => name).toSorted(byOrder))
  for (const { name, keys, required } of calls) {
    const { shape } = rowNamed(a3s, name).input
    expect([name, Object.keys(shape)]).toEqual([name, keys])
    const needed = keys.filter((key) => !(shape[key] as { isOptional(): boolean }).isOptional())
    expect([name, needed]).toEqual([name, required])
  }
})

const order = a3s.tools.map((row) => row.name)
const byOrder = (one: string, other: string) => order.indexOf(one) - order.indexOf(other)

test.each(calls)("$name: its arguments become those of $tool", ({ name, input, tool, ours }) => {
  const row = rowNamed(a3s, name)
  expect(dialectCallOf(row, row.input.parse(input))).toEqual({ tool, arguments: ours })
})

test.each([
  ["read", { file_path: "a", offset: -1 }],
  ["read", { path: "a" }],
  ["bash", { command: "x", timeout: 1.5 }],
  ["web_fetch", { url: "https://a.test", timeout: 121 }],
  ["web_fetch", { url: "https://a.test", format: "pdf" }],
  ["git", { command: "push" }],
  ["web_search", { query: "q", limit: 51 }],
  ["web_search", { query: "q", timeout: 61 }],
  ["web_search", { query: "q", engine: "ddg" }],
  ["box", { command: "x", files: { a: 1 } }],
])("%s does not take %j", (name, input) => {
  expect(rowNamed(a3s, name).input.safeParse(input).success).toBe(false)
})

test("engines may be one text; a branch to check out may be called by name", () => {
  const search = rowNamed(a3s, "web_search")
  expect(search.toArguments(search.input.parse({ query: "q", engines: "ddg,brave" }))).toMatchObject({
    engines: "ddg,brave",
  })
  const git = rowNamed(a3s, "git")
  expect(git.toArguments(git.input.parse({ command: "checkout", name: "x" }))).toEqual({
    command: "checkout",
    ref: "x",
  })
  expect(git.toArguments(git.input.parse({ command: "branch", name: "x" }))).toEqual({ command: "branch", name: "x" })
})

test("a limit above 2000 lines is lowered, and the metadata says so", () => {
  const row = rowNamed(a3s, "read")
  expect(row.toArguments({ file_path: "a", limit: 9000 })).toMatchObject({ limit: 2000 })
  const data = { content: "x\n", start_line: 1, line_count: 1, eof: true, total_lines: 1 }
  const { value } = a3s.project(output(data), row, { file_path: "a", limit: 9000 })
  expect(value).toMatchObject({
    metadata: { range: { requested_limit: 9000, applied_limit: 2000, limit_clamped: true } },
  })
})

describe("a process", () => {
  const isolation = { level: "namespaces", notes: [] }
  const end = { stdout: "", stderr: "", exit_code: 0, timed_out: false, isolation }
  const value = (data: object, name = "bash", input: object = { command: "x" }) =>
    a3s.project(
      output({ ...end, ...data }, { content: processText({ ...end, ...data } as never, 1) }),
      rowNamed(a3s, name),
      input,
    )

  test.each(["bash", "box"])("%s: both streams are one text; only exit code 0 is a success", (name) => {
    expect(value({ stdout: "out\n", stderr: "err\n" }, name)).toEqual({
      value: { content: "out\n[stderr]\nerr", success: true, metadata: { exit_code: 0, isolation } },
      success: true,
      text: "out\n[stderr]\nerr",
    })
    expect(value({ stdout: "out", exit_code: 3 }, name)).toMatchObject({
      success: false,
      value: { content: "out\n[Exit code: 3]", success: false, metadata: { exit_code: 3 } },
    })
    expect(value({ exit_code: null, signal: "SIGKILL" }, name).value).toMatchObject({
      content: "[Command ended by SIGKILL]",
      metadata: { exit_code: null, signal: "SIGKILL" },
    })
    expect(value({}, name).text).toBe("(no output)")
  })

  test("out of time: the output so far, a notice in brackets, the kind", () => {
    const { value: late } = value({ stdout: "half\n", exit_code: null, timed_out: true }, "bash", {
      command: "x",
      timeout: 50,
    })
    expect(late).toMatchObject({
      content: "half\n[Command timed out after 50 ms]",
      success: false,
      metadata: { error_kind: { type: "Timeout", op: "bash", duration_ms: 50 } },
    })
  })

  test("a run without a sandbox is said", () => {
    expect(value({ stdout: "x\n", isolation: { level: "none", notes: [] } }).text).toBe("x\n[Ran outside the sandbox]")
  })
})

test("pages of the web, and what engines found", () => {
  const page = { url: "https://a.test/", status: 200, content_type: "text/html", title: "T", content: "# T" }
  expect(a3s.project(output(page), rowNamed(a3s, "web_fetch"), {}).value).toEqual({
    content: "# T",
    success: true,
    metadata: {
      url: "https://a.test/",
      status: 200,
      content_type: "text/html",
      title: "T",
      source_anchors: ["https://a.test/"],
    },
  })
  const found = {
    results: [{ title: "T", url: "https://a.test/", content: "", engines: ["ddg"], score: 1 }],
    failed: [],
  }
  const search = a3s.project(output(found), rowNamed(a3s, "web_search"), { query: "q" })
  expect(search.value).toMatchObject({
    content: "what the model reads",
    metadata: { query: "q", result_count: 1, source_anchors: ["https://a.test/"], failed: [] },
  })
})

test("an image is an attachment with one line of text", () => {
  const image = { media_type: "image/png", width: 1, height: 1, bytes: 67, resized: false }
  const data = { content: "", start_line: 0, line_count: 0, eof: true, encoding: "", media_type: "image/png", image }
  const attachments = [{ mediaType: "image/png", data: "AAAA" }]
  const { value } = a3s.project(output(data, { attachments }), rowNamed(a3s, "read"), { file_path: "a.png" })
  expect(value).toEqual({
    content: "[Image: image/png (67 bytes)]",
    success: true,
    metadata: { file_path: "a.png", media_type: "image/png" },
    images: [{ media_type: "image/png", data: "AAAA" }],
  })
})

test("a long result names the file with the rest", () => {
  const data = { paths: ["a"], complete: false, total: 2 }
  const result = output(data, { metadata: { truncated: true, output_path: "/s/out.txt" } })
  const { value, text } = a3s.project(result, rowNamed(a3s, "glob"), { pattern: "*" })
  expect(text).toContain("[Output truncated; more of it is in /s/out.txt]")
  expect(value).toMatchObject({ metadata: { artifact: { artifact_uri: "/s/out.txt" } } })
})

test("a result whose text alone was shortened names the file with all of it", () => {
  const end = { stdout: "x", stderr: "", exit_code: 0, timed_out: false, isolation: { level: "namespaces" } }
  const result = output(end, { content: [text("x"), text("[Shortened]")], metadata: { output_path: "/s/out.txt" } })
  expect(a3s.project(result, rowNamed(a3s, "bash"), { command: "x" }).text).toBe(
    "x\n[Output shortened; all of it is in /s/out.txt]",
  )
})

test.each<[ErrorCode, object]>([
  ["not_found", { type: "NotFound", path: "a.txt" }],
  ["invalid_args", { type: "InvalidArgument", message: "words" }],
  ["conflict", { type: "InvalidArgument", message: "words" }],
  ["denied", { type: "HookDenied", reason: "words", retryable: false }],
  ["timeout", { type: "Timeout", op: "edit", duration_ms: 12 }],
  ["cancelled", { type: "Cancelled", op: "edit" }],
  ["rate_limited", { type: "RateLimited" }],
  ["unsupported", { type: "Unsupported", message: "words" }],
  ["not_configured", { type: "Unsupported", message: "words" }],
  ["too_large", { type: "Unsupported", message: "words" }],
  ["unavailable", { type: "Transport", op: "edit" }],
  ["backend", { type: "Transport", op: "edit" }],
  ["internal", { type: "Transport", op: "edit" }],
])("a failure with code %s has its kind", (code, kind) => {
  const result = failed(new ToolError(code, "words", { hint: "next step" }))
  expect(a3s.project(result, rowNamed(a3s, "edit"), { file_path: "a.txt" })).toEqual({
    value: { content: "words\nnext step", success: false, metadata: { error_kind: kind } },
    success: false,
    text: "words\nnext step",
  })
})

test("a file that changed since it was read is a conflict of versions; a text that does not fit is not", () => {
  const result = failed(new ToolError("conflict", "words"))
  const kind = (tool: string) =>
    a3s.project(result, rowNamed(a3s, tool), { file_path: "a.txt" }).value as { metadata: { error_kind: object } }
  expect(kind("write").metadata.error_kind).toEqual({ type: "VersionConflict", path: "a.txt" })
  for (const tool of ["edit", "patch"])
    expect(kind(tool).metadata.error_kind).toEqual({ type: "InvalidArgument", message: "words" })
})

test.each([
  [{ command: "status" }, "."],
  [{ command: "checkout", ref: "nope" }, "nope"],
  [{ command: "diff", target: "HEAD~9" }, "HEAD~9"],
  [{ command: "worktree", subcommand: "remove", path: "wt" }, "wt"],
])("git %j: what was not found is not the verb", (input, path) => {
  const result = failed(new ToolError("not_found", "words"))
  const { value } = a3s.project(result, rowNamed(a3s, "git"), input)
  expect(value).toMatchObject({ metadata: { error_kind: { type: "NotFound", path } } })
})
