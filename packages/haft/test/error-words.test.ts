import { once } from "node:events"
import { truncateSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type Dialect, defaultWebSearchSettings, type Person, type Rule, ToolError } from "@haft/contract"
import { dialectNamed, dialectTools } from "@haft/dialects"
import { catalog } from "@haft/tools"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { HaftOptions } from "../src/library/options.js"
import type { Session } from "../src/library/session.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

/**
 * What a model is told when a call fails: only tools and arguments that it was given, only steps that it can take, and
 * never the validator's own words. Every error that can be provoked is provoked here, in our names and in every dialect;
 * `packages/haft/test/error-sources.test.ts` looks at the texts of the rest.
 */

interface Speaker {
  readonly label: string
  readonly toolset: string
  readonly dialect?: "claw" | "a3s" | "lobe" | "asyar"
}

const speakers: readonly Speaker[] = [
  { label: "locked", toolset: "locked" },
  { label: "locked,code", toolset: "locked,code" },
  { label: "all", toolset: "all" },
  { label: "claw", toolset: "locked", dialect: "claw" },
  { label: "a3s", toolset: "locked", dialect: "a3s" },
  { label: "lobe", toolset: "locked", dialect: "lobe" },
  { label: "asyar", toolset: "locked", dialect: "asyar" },
]

/** A tool as a speaker is given it. */
interface Given {
  readonly name: string
  readonly input_schema: Schema
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
}

let world: LibraryWorld
let server: Server
let page: string

beforeAll(async () => {
  world = await libraryWorld({
    "a.ts": "one\ntwo\ntwo\n",
    "b.txt": "bee\n",
    ".env": "KEY=abc\n",
    "sub/c.md": "sea\n",
    "old.ipynb": '{"nbformat":3,"worksheets":[]}',
    "n.ipynb":
      '{"cells":[{"cell_type":"code","id":"c1","metadata":{},"source":[],"outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}',
  })
  writeFileSync(world.path("binary.bin"), Buffer.from([0, 1, 2, 0, 255, 254, 0, 3]))
  writeFileSync(world.path("latin.txt"), Buffer.from("caf\xe9 na\xefve d\xe9j\xe0 vu, tr\xe8s bien s\xfbr\n", "latin1"))
  writeFileSync(
    world.path("p.png"),
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
  )
  writeFileSync(world.path("huge.txt"), "")
  truncateSync(world.path("huge.txt"), 60 * 1024 * 1024)
  server = createServer((request, response) => {
    const status = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 200)
    if (request.url?.startsWith("/slow")) return
    if (request.url === "/away") return void response.writeHead(302, { location: "https://example.org/" }).end()
    if (request.url === "/bytes") return void response.setHeader("content-type", "application/zip").end("PK\x03\x04")
    response.writeHead(status, { "content-type": "text/html" }).end("<html><body></body></html>")
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  page = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await world.remove()
})

/** A way for a session to be, in which calls fail for another reason. */
interface Circumstance {
  readonly label: string
  readonly options: HaftOptions
  readonly calls: "valid" | "failing"
  readonly before?: (session: Session) => Promise<void>
  readonly signal?: () => AbortSignal
}

const everything: readonly Rule[] = [
  ...["fs.read", "fs.write", "fs.delete", "net.fetch", "bash", "exec", "git", "repl", "run_code", "powershell"],
  ...["job_start", "job_input", "job_stop", "job_output", "repo_clone", "http_request", "web_search", "config"],
  ...["clipboard_write", "clipboard_read", "web_search_engines", "box", "lsp"],
].map((permission) => ({ permission, action: "allow" }))

function rejecting(reason?: string): Person {
  return {
    ask: async () => ({ answer: "reject", ...(reason !== undefined && { reason }) }),
    question: async () => {
      throw new ToolError("denied", "Cannot go on with the question: the person declined to answer")
    },
  }
}

const circumstances: readonly Circumstance[] = [
  { label: "nobody is there", options: {}, calls: "valid" },
  { label: "a person says no", options: { person: rejecting() }, calls: "valid" },
  { label: "a person says why not", options: { person: rejecting("not today") }, calls: "valid" },
  { label: "a rule denies", options: { rules: [{ permission: "*", action: "deny" }] }, calls: "valid" },
  { label: "while planning", options: { mode: "plan", rules: everything }, calls: "valid" },
  {
    label: "a detector denies",
    options: {
      rules: everything,
      guard: {
        detectors: [{ id: "no", about: "Nothing", inspect: () => ({ verdict: "deny", reason: "it looks odd" }) }],
      },
    },
    calls: "valid",
  },
  { label: "the caller gave up", options: { rules: everything }, calls: "valid", signal: () => AbortSignal.abort() },
  {
    label: "the session is closed",
    options: { rules: everything },
    calls: "valid",
    before: (session) => session.close(),
  },
  { label: "everything is allowed", options: { rules: everything }, calls: "failing" },
]

// biome-ignore format: one line for each tool
const validCalls: Readonly<Record<string, unknown>> = {
  read: { file_path: ".env" }, write: { file_path: "w", content: "" }, edit: { file_path: "a.ts", old_string: "one", new_string: "1" },
  glob: { pattern: "*", path: ".." }, grep: { pattern: "x", path: "/etc" }, bash: { command: "touch x" }, web_fetch: { url: "https://example.org/" },
  web_search: { query: "x y" }, ls: { path: "/etc" }, patch: { file_path: "a.ts", diff: "@@ -1 +1 @@\n-one\n+1\n" },
  apply_patch: { patch: "*** Begin Patch\n*** Add File: q\n+q\n*** End Patch" }, move: { moves: [{ from: "a.ts", to: "z.ts" }] },
  find_files: { path: "/etc" }, git: { command: "stash", message: "m" }, lsp: { action: "hover", file_path: "a.ts", line: 1, character: 1 },
  repo_clone: { url: "https://example.org/a.git" }, repo_overview: { path: "/etc" }, notebook_edit: { notebook_path: "n.ipynb", new_source: "1" },
  job_start: { command: "touch x" }, box: { command: "true" }, exec: { command: "touch", args: ["x"] }, http_request: { url: "https://example.org/", method: "POST" },
  repl: { code: "1", language: "python" }, powershell: { command: "1" }, config: { setting: "theme", value: "dark" }, clipboard_read: {},
  clipboard_write: { text: "x" }, send_user_message: { message: "m", status: "normal", attachments: [".env"] },
  question: { questions: [{ question: "q" }] }, plan_exit: { plan: "p" },
  read_file: { path: ".env" }, write_file: { path: "w", content: "" }, edit_file: { path: "a.ts", old_string: "one", new_string: "1" },
  glob_search: { pattern: "*", path: "/etc" }, grep_search: { pattern: "x", path: "/etc" }, WebFetch: { url: "https://example.org/", prompt: "p" },
  WebSearch: { query: "x y" }, NotebookEdit: { notebook_path: "n.ipynb", new_source: "1" }, REPL: { code: "1", language: "python" },
  PowerShell: { command: "1" }, Config: { setting: "theme", value: "dark" }, SendUserMessage: { message: "m", status: "normal", attachments: [".env"] },
  Agent: { description: "d", prompt: "p" },
  "lobe-local-system____listLocalFiles": { path: "/etc" }, "lobe-local-system____readLocalFile": { path: ".env" },
  "lobe-local-system____readLocalFiles": { paths: ["/etc/passwd"] }, "lobe-local-system____searchLocalFiles": { keywords: "a", directory: "/etc" },
  "lobe-local-system____moveLocalFiles": { items: [{ oldPath: "a.ts", newPath: "z.ts" }] }, "lobe-local-system____renameLocalFile": { path: "a.ts", newName: "z.ts" },
  "lobe-local-system____writeLocalFile": { path: "w", content: "" }, "lobe-local-system____editLocalFile": { file_path: "a.ts", old_string: "one", new_string: "1" },
  "lobe-local-system____runCommand": { command: "touch x", description: "d" }, "lobe-local-system____grepContent": { pattern: "x", path: "/etc" },
  "lobe-local-system____globLocalFiles": { pattern: "*", path: "/etc" }, "lobe-web-browsing____search": { query: "x y" },
  "lobe-web-browsing____crawlMultiPages": { urls: ["https://example.org/"] }, "lobe-gtd____execTask": { description: "d", instruction: "i" },
  "builtin:clipboard-read": {}, "builtin:clipboard-write": { text: "x" }, "builtin:fs-read": { path: "/etc/passwd" }, "builtin:fs-write": { path: "w", content: "" },
  "builtin:shell-exec": { command: "touch", args: ["x"] }, "builtin:web-fetch": { url: "https://example.org/", method: "POST" },
}

// biome-ignore format: one line for each tool
const failingCalls: () => Readonly<Record<string, readonly unknown[]>> = () => ({
  read: [{ file_path: "none" }, { file_path: "a.tsx" }, { file_path: "sub" }, { file_path: "a.ts", offset: 9 }, { file_path: "binary.bin" }, { file_path: "p.png", offset: 3 },
    { file_path: "a.ts", byte_offset: 99 }, { file_path: "a.ts", byte_offset: 1, offset: 1 }, { file_path: "/etc/shadow" }, { file_path: "/dev/null" }, { file_path: "a.ts/x" }],
  write: [{ file_path: "sub", content: "" }, { file_path: "a.ts/x", content: "" }, { file_path: "../o", content: "" }, { file_path: "x".repeat(300), content: "" }],
  edit: [{ file_path: "a.ts", old_string: "", new_string: "x" }, { file_path: "a.ts", old_string: "two", new_string: "x" }, { file_path: "a.ts", old_string: "o", new_string: "o" },
    { file_path: "a.ts", old_string: "no such text", new_string: "x" }, { file_path: "none", old_string: "a", new_string: "b" }, { file_path: "binary.bin", old_string: "a", new_string: "b" },
    { file_path: "latin.txt", old_string: "bien", new_string: "日本" }],
  glob: [{ pattern: "!a" }, { pattern: "*", path: "none" }], grep: [{ pattern: "(" }, { pattern: "x", path: "none" }, { pattern: "a\\nb" }],
  bash: [{ command: "\0" }], todo: [],
  question: [{ questions: [{ question: "q" }] }], skill: [{ name: "none" }],
  web_fetch: [{ url: "ftp://x/" }, { url: "http://169.254.169.254/" }, { url: `${page}/404` }, { url: `${page}/429` }, { url: `${page}/500` }, { url: `${page}/403` },
    { url: `${page}/slow`, timeout: 1 }, { url: `${page}/away` }, { url: "http://127.0.0.1:1/" }, { url: "https://no-such-host.invalid/" }, { url: page.replace("http", "https") }],
  web_search: [{ query: "   " }, { query: "x y" }, { query: "x ".repeat(2000) }],
  ls: [{ path: "none" }, { path: "a.ts" }], patch: [{ file_path: "a.ts", diff: "no diff" }, { file_path: "a.ts", diff: "@@ -1 +1 @@\n-nope\n+1\n" }, { file_path: "binary.bin", diff: "@@ -1 +1 @@\n-a\n+b\n" }],
  apply_patch: [{ patch: "nothing" }, { patch: "*** Begin Patch\n*** Update File: none\n@@\n-a\n+b\n*** End Patch" }, { patch: "*** Begin Patch\n*** Add File: a.ts\n+q\n*** End Patch" }],
  move: [{ moves: [{ from: "none", to: "q" }] }, { moves: [{ from: "a.ts", to: "b.txt" }] }, { moves: [{ from: "sub", to: "sub/in" }] }],
  find_files: [{ path: "none" }, { modified_after: "yesterday" }, { types: ["a/b"] }], git: [{ command: "status" }, { command: "log", message: "m" }, { command: "worktree", subcommand: "create" }, { command: "checkout" }],
  lsp: [{ action: "hover" }, { action: "hover", file_path: "a.ts" }, { action: "hover", file_path: "a.ts", line: 1, query: "zzz" }, { action: "symbols", query: "x" }, { action: "hover", file_path: "b.txt", line: 1, character: 1 }],
  repo_clone: [{ url: "ssh://x/y" }, { url: "none" }, { url: `${page}/404/a.git` }, { url: "https://127.0.0.1:1/a.git" }], repo_overview: [{ path: "none" }],
  notebook_edit: [{ notebook_path: "a.ts", new_source: "" }, { notebook_path: "old.ipynb", new_source: "" }, { notebook_path: "n.ipynb", cell_id: "zz", new_source: "" }, { notebook_path: "n.ipynb" }],
  job_output: [{ id: "none" }], job_input: [{ id: "none", text: "x" }], job_stop: [{ id: "none" }], box: [{ command: "true", image: "none" }, { command: "true", files: { "../x": "" } }],
  calculator: [{ expression: "1 +" }, { expression: "1/0" }, { expression: "[1,2]" }], exec: [{ command: "no-such-program" }, { command: "true", cwd: "none" }],
  http_request: [{ url: `${page}/slow`, timeout_ms: 50 }, { url: "http://10.0.0.1/" }, { url: page, headers: { "a b": "c" } }],
  sleep: [], send_user_message: [{ message: "m", status: "normal", attachments: ["none"] }, { message: "m", status: "normal", attachments: ["sub"] }],
  config: [{ setting: "none" }, { setting: "mode", value: "auto" }, { setting: "theme", value: "green" }], structured_output: [{}], powershell: [{ command: "1" }],
  repl: [{ code: "\0", language: "python" }, { code: "1", language: "cobol" }], plan_exit: [], tool_search: [],
  read_file: [{ path: "none" }, { path: "sub" }, { path: "binary.bin" }, { path: "latin.txt" }, { path: "huge.txt" }], write_file: [{ path: "sub", content: "" }, { path: "../o", content: "" }],
  edit_file: [{ path: "a.ts", old_string: "two", new_string: "x" }, { path: "a.ts", old_string: "no such text", new_string: "x" }, { path: "none", old_string: "a", new_string: "b" }, { path: "latin.txt", old_string: "bien", new_string: "日本" }],
  glob_search: [{ pattern: "!a" }, { pattern: "*", path: "none" }], grep_search: [{ pattern: "(" }, { pattern: "x", path: "none" }],
  WebFetch: [{ url: "ftp://x/", prompt: "p" }, { url: "http://169.254.169.254/", prompt: "p" }, { url: "http://127.0.0.1:1/", prompt: "p" }],
  WebSearch: [{ query: "x y" }, { query: "   " }, { query: "x y", allowed_domains: ["a b"] }], TodoWrite: [{ todos: [] }, { todos: [{ content: "", activeForm: "", status: "pending" }] }], Skill: [{ skill: "none" }],
  NotebookEdit: [{ notebook_path: "a.ts" }, { notebook_path: "n.ipynb", cell_id: "zz", new_source: "" }, { notebook_path: "old.ipynb", new_source: "" }, { notebook_path: "n.ipynb" }],
  REPL: [{ code: " ", language: "python" }, { code: "1", language: "cobol" }, { code: "import time; time.sleep(9)", language: "python", timeout_ms: 300 }], PowerShell: [{ command: "1" }, { command: "1", run_in_background: true }],
  Config: [{ setting: "theme", value: "green" }, { setting: "permissions.defaultMode", value: "x" }], SendUserMessage: [{ message: "m", status: "normal", attachments: ["none"] }], Sleep: [], StructuredOutput: [{}],
  Agent: [{ description: "d", prompt: "p" }],
  "lobe-local-system____readLocalFile": [{ path: "none" }, { path: "sub" }, { path: "a.ts", loc: [9, 12] }, { path: "a.ts", loc: [3, 1] }, { path: "p.png", loc: [2, 3] }, { path: "binary.bin" }],
  "lobe-local-system____readLocalFiles": [{ paths: ["none"], loc: [2, 1] }], "lobe-local-system____listLocalFiles": [{ path: "none" }, { path: "a.ts" }],
  "lobe-local-system____moveLocalFiles": [{ items: [{ oldPath: "none", newPath: "q" }] }, { items: [{ oldPath: "a.ts", newPath: "b.txt" }] }],
  "lobe-local-system____renameLocalFile": [{ path: "a.ts", newName: "x/y" }, { path: "none", newName: "q" }], "lobe-local-system____writeLocalFile": [{ path: "sub", content: "" }],
  "lobe-local-system____editLocalFile": [{ file_path: "a.ts", old_string: "two", new_string: "x" }, { file_path: "a.ts", old_string: "", new_string: "x" }, { file_path: "none", old_string: "a", new_string: "b" }],
  "lobe-local-system____searchLocalFiles": [{ keywords: "a", contentContains: "b" }, { keywords: "a", modifiedAfter: "yesterday" }, { keywords: "a", exclude: ["/x"] }, { keywords: "a", directory: "none" }],
  "lobe-local-system____getCommandOutput": [{ shell_id: "none" }, { shell_id: "none", filter: "a.*b" }], "lobe-local-system____killCommand": [{ shell_id: "none" }],
  "lobe-local-system____grepContent": [{ pattern: "(" }, { pattern: "x", path: "none" }], "lobe-local-system____globLocalFiles": [{ pattern: "!a" }, { pattern: "*", path: "none" }],
  "lobe-web-browsing____search": [{ query: "x y" }, { query: "   " }], "lobe-web-browsing____crawlSinglePage": [{ url: "ftp://x/" }, { url: `${page}/404` }, { url: "http://169.254.169.254/" }],
  "lobe-calculator____calculate": [{ expression: "1 +" }, { expression: "1/0" }], "lobe-calculator____evaluate": [{ expression: "x", variables: { "1x": 2 } }, { expression: "y" }],
  "lobe-calculator____base": [{ number: "9", fromBase: 2, toBase: 8 }, { number: 1.5, fromBase: 10, toBase: 2 }], "lobe-calculator____sort": [{ numbers: ["a"] }, { numbers: [""] }],
  "lobe-calculator____differentiate": [{ expression: "x^", variable: "x" }, { expression: "x", variable: "1x" }],
  "lobe-gtd____updatePlan": [{ planId: "none", goal: "g" }], "lobe-gtd____updateTodos": [{ operations: [{ type: "update" }] }, { operations: [{ type: "remove", index: 9 }] }, { operations: [{ type: "add" }] }],
  "lobe-gtd____createTodos": [{ adds: ["  "] }], "lobe-gtd____execTasks": [{ tasks: [{ description: "d", instruction: "i" }, { description: "d", instruction: "i" }] }], "lobe-gtd____execTask": [{ description: "d", instruction: "i" }],
  "builtin:fs-read": [{ path: "none" }, { path: "sub" }, { path: "latin.txt" }, { path: "huge.txt" }, { path: "" }], "builtin:fs-write": [{ path: "none/x", content: "" }, { path: "sub", content: "" }, { path: "", content: "" }],
  "builtin:shell-exec": [{ command: "no-such-program" }, { command: "true", cwd: "none" }, { command: "" }, { command: "true", args: ["\0"] }],
  "builtin:web-fetch": [{ url: "ftp://x/" }, { url: "http://169.254.169.254/" }, { url: `${page}/slow`, timeoutMs: 50 }, { url: page, headers: { "a b": "c" } }, { url: "" }],
  "builtin:calculator": [{ expression: "1 +" }, { expression: "" }], "builtin:clipboard-read": [{ x: 1 }], "builtin:clipboard-write": [{ text: "\0" }], "builtin:search": [{ query: "", limit: 0.5 }],
})

/** Arguments that do not fit: each key missing, of every wrong kind, too small and too large, and one too many. */
function misfits({ properties = {}, required = [] }: Schema): readonly unknown[] {
  const whole = Object.fromEntries(required.map((key) => [key, sampleOf(properties[key]!)]))
  const wrong = Object.entries(properties).flatMap(([key, schema]) =>
    wrongFor(schema).map((value) => ({ ...whole, [key]: value })),
  )
  return [
    "text",
    [1],
    5,
    ...required.map((key) => ({ ...whole, [key]: undefined })),
    ...wrong,
    { ...whole, cwd: "x", verbose: true },
  ]
}

function sampleOf(schema: Schema): unknown {
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!)
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case "string":
      return "x".repeat(Math.max(schema.minLength ?? 1, 1))
    case "integer":
    case "number":
      return schema.minimum ?? 1
    case "boolean":
      return true
    case "array":
      return Array.from({ length: schema.minItems ?? 1 }, () => sampleOf(schema.items ?? {}))
    default:
      return Object.fromEntries((schema.required ?? []).map((key) => [key, sampleOf(schema.properties![key]!)]))
  }
}

function wrongFor(schema: Schema): readonly unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema
  return [
    ...[5, 1.5, true, "", "x,y", [], {}, [[]], [{}], [{ nonsense: 1 }], { nonsense: [] }],
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minLength === undefined ? [] : ["x".repeat(minLength - 1)]),
    ...(maxLength === undefined || maxLength > 100_000 ? [] : ["x".repeat(maxLength + 1)]),
    ...(minItems === undefined ? [] : [Array.from({ length: minItems - 1 }, () => sampleOf(items ?? {}))]),
    ...(maxItems === undefined || maxItems > 1000
      ? []
      : [Array.from({ length: maxItems + 1 }, () => sampleOf(items ?? {}))]),
    ...(items ? wrongFor(items).map((value) => [value]) : []),
    ...(schema.properties ? misfits(schema).filter((value) => typeof value === "object" && !Array.isArray(value)) : []),
    ...(items?.properties ? misfits(items).map((value) => [value]) : []),
  ]
}

/** The words that no model may get. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])--[a-z]/, "a flag"],
  [/\bhaft [a-z]/, "a command of the terminal"],
  [
    /Too (small|big)|Invalid (input|option|string|key|element)|received (undefined|null|NaN|string|number|object)|Unrecognized key|expected (string|number|boolean|array|object|int)\b/,
    "the validator's words",
  ],
  [/outside what the tool declares|\bthe sandbox\b/, "words of the inside"],
  [/\{(tool|key):/, "a name that was not filled in"],
]

const allTools = [...catalog, ...(await dialectTools())]
const allKeys = new Set(allTools.flatMap(({ manifest }) => Object.keys(manifest.input.def.shape as object)))

/** What is wrong with the words of an error, for a model that was given these tools and called this one. */
function faults(words: string, called: Given, tools: readonly Given[], args: unknown): readonly string[] {
  const offered = new Set(
    tools.flatMap(({ name }) => [name, name.replaceAll(":", "__"), ...name.split("____").slice(1)]),
  )
  const keys = keysIn(called.input_schema)
  const named = allTools.map(({ manifest }) => manifest.id).filter((id) => !offered.has(id) && isNamed(words, id))
  const foreignKeys = [...allKeys].filter(
    (key) => key.includes("_") && !keys.has(key) && isWord(words, key) && !JSON.stringify(args)?.includes(key),
  )
  return [
    ...forbidden.flatMap(([pattern, what]) => (pattern.test(words) ? [what] : [])),
    ...named.map((id) => `the tool ${id}, which was not offered`),
    ...foreignKeys.filter((key) => !offered.has(key)).map((key) => `the argument ${key}, which it does not take`),
  ]
}

/** Ids that are words of the language count only where a tool is meant. */
function isNamed(words: string, id: string): boolean {
  if (id.includes("_")) return isWord(words, id)
  const meant = `(?:[Ww]ith|[Uu]se|[Uu]sing|[Cc]all|[Rr]un) (?:\\w+ or )?${id}(?![\\w-])|Cannot (?:run|call) "${id}"`
  return new RegExp(`\\b(?:${meant})`).test(words)
}

function isWord(words: string, word: string): boolean {
  return new RegExp(`(?<![\\w./-])${word.replace(/[-]/g, "\\$&")}(?![\\w-])`).test(words)
}

function keysIn(schema: Schema | undefined, found = new Set<string>()): Set<string> {
  for (const [key, inner] of Object.entries(schema?.properties ?? {})) {
    found.add(key)
    keysIn(inner, found)
  }
  for (const inner of [schema?.items, ...(schema?.anyOf ?? [])]) if (inner) keysIn(inner, found)
  return found
}

async function open(speaker: Speaker, options: HaftOptions = {}) {
  const haft = await world.haft({
    toolset: speaker.toolset,
    network: {
      grants: [page.replace("http://", "")],
      webSearch: {
        ...defaultWebSearchSettings,
        endpoints: { ddg: "http://127.0.0.1:1/", wiki: "http://127.0.0.1:1/", searxng: "http://127.0.0.1:1/" },
        provider: "searxng",
      },
    },
    storage: { journal: false },
    ...options,
  })
  const session = await haft.openSession()
  const dialect: Dialect | undefined = speaker.dialect && (await dialectNamed(speaker.dialect))
  const tools = session.toolDefinitions(dialect ? { dialect } : {}) as readonly Given[]
  return { haft, session, dialect, tools }
}

type Opened = Awaited<ReturnType<typeof open>>

/** What went wrong with the words of one call; undefined when it gave an output. */
async function wordsOf({ session, dialect }: Opened, name: string, args: unknown, signal?: AbortSignal) {
  const options = { fromModel: true, ...(signal && { signal }) }
  const ended = dialect
    ? await session.callIn(dialect, name, args, options)
    : { result: await session.result(name, args, options), projection: undefined }
  const { envelope, content } = ended.result
  if (envelope.type !== "error") {
    if (ended.projection?.success !== false) return undefined
    return { code: "backend", hint: undefined, words: ended.projection.text }
  }
  const read = content.flatMap((part) => (part.type === "text" ? [part.text] : []))
  return {
    code: envelope.metadata.error_code!,
    hint: envelope.metadata.hint,
    words: [envelope.error_text, envelope.metadata.hint ?? "", ...read, ended.projection?.text ?? ""].join("\n"),
  }
}

const loops: Readonly<Record<string, readonly [string, unknown]>> = {
  claw: ["read_file", { path: "b.txt" }],
  lobe: ["lobe-local-system____readLocalFile", { path: "b.txt" }],
  asyar: ["builtin:fs-read", { path: "b.txt" }],
}

test("a search that takes too long names no argument that there is not", async () => {
  const endpoints = { searxng: `${page}/slow` }
  const webSearch = { ...defaultWebSearchSettings, provider: "searxng", endpoints, timeoutMs: 300 }
  const opened = await open(speakers[0]!, {
    rules: everything,
    network: { webSearch, grants: [page.replace("http://", "")] },
  })
  const failure = (await wordsOf(opened, "web_search", { query: "x y" }))!
  expect(failure.code).toBe("timeout")
  expect(failure.hint).toBe("Try again later")
  await opened.haft.close()
})

describe.each(speakers)("$label", (speaker) => {
  test("arguments that do not fit", { timeout: 120_000 }, async () => {
    const opened = await open(speaker)
    const found: string[] = []
    let errors = 0
    for (const tool of opened.tools) {
      for (const args of misfits(tool.input_schema)) {
        const failure = await wordsOf(opened, tool.name, args)
        if (failure?.code !== "invalid_args") continue
        errors += 1
        for (const fault of faults(failure.words, tool, opened.tools, args))
          found.push(`${tool.name} ${JSON.stringify(args)?.slice(0, 120)}: ${fault}: ${failure.words}`)
      }
    }
    expect(found.slice(0, 20)).toEqual([])
    expect(errors).toBeGreaterThan(opened.tools.length * 8)
    await opened.haft.close()
  })

  test.each(circumstances)("$label", { timeout: 120_000 }, async ({ options, calls, before, signal }) => {
    const opened = await open(speaker, options)
    await before?.(opened.session)
    const found: string[] = []
    const codes = new Set<string>()
    const table: Readonly<Record<string, readonly unknown[]>> =
      calls === "failing"
        ? failingCalls()
        : Object.fromEntries(Object.entries(validCalls).map(([name, args]) => [name, [args]]))
    for (const tool of opened.tools) {
      for (const args of table[tool.name] ?? []) {
        const failure = await wordsOf(opened, tool.name, args, signal?.())
        if (!failure) {
          if (calls === "failing") found.push(`${tool.name} ${JSON.stringify(args)} did not fail`)
          continue
        }
        codes.add(failure.code)
        if (failure.code === "internal") found.push(`${tool.name} ${JSON.stringify(args)}: a defect: ${failure.words}`)
        for (const fault of faults(failure.words, tool, opened.tools, args))
          found.push(`${tool.name} ${JSON.stringify(args)?.slice(0, 120)}: ${fault}: ${failure.words}`)
      }
    }
    expect(found).toEqual([])
    expect([...codes].length, [...codes].join()).toBeGreaterThan(calls === "failing" ? 3 : 0)
    await opened.haft.close()
  })

  test("the same call again and again", async () => {
    const opened = await open(speaker)
    const [name, args] = loops[speaker.label] ?? ["read", { file_path: "b.txt" }]
    for (let turn = 0; turn < 5; turn += 1) expect(await wordsOf(opened, name, args)).toBeUndefined()
    const { words, hint } = (await wordsOf(opened, name, args))!
    expect(words).toContain("the last 5 calls were the same as this one")
    expect(hint).toBe("Do something else: the result will not change by asking again")
    await opened.haft.close()
  })

  test("a tool that does not exist", async () => {
    const opened = await open(speaker)
    for (const name of ["nothing_like_it_at_all", "raed", "Bash", "readfile", "web_search_engines", "zz"]) {
      const failure = await wordsOf(opened, name, {})
      if (!failure) continue
      expect(
        faults(failure.words.replaceAll(`"${name}"`, "it"), { name, input_schema: {} }, opened.tools, {}),
        failure.words,
      ).toEqual([])
      expect(failure.hint).toBeDefined()
    }
    await opened.haft.close()
  })
})
