import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { Envelope } from "@haft/contract"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import type { Session } from "../src/library/session.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

// What models really send, found in the issue trackers of other tool layers. Each habit is either understood, or refused
// with words that say how to send it; nothing is spoiled on the way.

const files: Readonly<Record<string, string>> = {
  "src/a.ts": "export function a() {\n    return 1\n}\n",
  "src/b.tsx": "export const b = 2\n",
  "notes.md": "It\u2019s a \u201Cquote\u201D\u00A0here \u2014 done\n",
  "crlf.txt": "one\r\ntwo\r\nthree\r\n",
  "tabs.py": "def f():\n\tif True:\n\t\treturn 1\n",
  "@types/a.d.ts": "declare const a: 1\n",
  "app/[id]/page.tsx": "page\n",
  "(group)/x.md": "grouped\n",
  "with space/f (1).md": "spaced\n",
  "escape.ts": 'const line = "a\\nb"\n',
}

interface Habit {
  readonly habit: string
  /** Where it was seen. */
  readonly seen: string
  readonly tool: string
  readonly args: unknown
  /** Part of the data of a call that was understood. */
  readonly gives?: object
  /** What the refusal says, and with which code. */
  readonly refused?: readonly [code: string, words: RegExp]
  /** Files afterwards. */
  readonly leaves?: Readonly<Record<string, string>>
}

const one = { todos: [{ content: "x", status: "pending" }] }

const habits: readonly Habit[] = [
  // Types
  {
    habit: "a number as text",
    seen: "opencode 26870, claude-code 30197",
    tool: "read",
    args: { file_path: "src/a.ts", offset: "1", limit: "1" },
    gives: { content: "    return 1\n" },
  },
  {
    habit: "a timeout as text",
    seen: "opencode 7512",
    tool: "bash",
    args: { command: "echo hi", timeout: "5000" },
    gives: { stdout: "hi\n" },
  },
  {
    habit: "a flag as Python writes it",
    seen: "opencode 7512",
    tool: "edit",
    args: { file_path: "src/b.tsx", old_string: "2", new_string: "3", replace_all: "False" },
    leaves: { "src/b.tsx": "export const b = 3\n" },
  },
  {
    habit: "a list as JSON text",
    seen: "kilocode 10421",
    tool: "todo",
    args: { todos: JSON.stringify(one.todos) },
    gives: one,
  },
  { habit: "one object for a list", seen: "SonettoHere 319", tool: "todo", args: { todos: one.todos[0] }, gives: one },
  {
    habit: "a list whose entries are JSON texts",
    seen: "hermes-agent 14185",
    tool: "todo",
    args: { todos: one.todos.map((todo) => JSON.stringify(todo)) },
    gives: one,
  },
  { habit: "all arguments as JSON text", seen: "future-os 334", tool: "todo", args: JSON.stringify(one), gives: one },
  {
    habit: "arguments that are broken JSON",
    seen: "future-os 334",
    tool: "read",
    args: '{"file_path": "src/a.ts',
    refused: ["invalid_args", /not a JSON object/],
  },
  {
    habit: "null for what is optional",
    seen: "pi 137",
    tool: "grep",
    args: { pattern: "return", path: null, glob: null, context: null, "-i": null },
    gives: { match_count: 2 },
  },
  {
    habit: "a fraction where lines are counted",
    seen: "pawwork 270",
    tool: "read",
    args: { file_path: "src/a.ts", offset: 1.5 },
    refused: ["invalid_args", /"offset" must be a whole number/],
  },
  {
    habit: "a negative offset",
    seen: "pi-hashline-readmap 40",
    tool: "read",
    args: { file_path: "src/a.ts", offset: -5 },
    refused: ["invalid_args", /"offset" must be at least 0/],
  },
  {
    habit: "arguments inside one more object",
    seen: "kilocode 3282",
    tool: "read",
    args: { arguments: { file_path: "src/b.tsx" } },
    gives: { content: "export const b = 2\n" },
  },
  {
    habit: "arguments inside an object called input",
    seen: "comfyui-mcp 1825",
    tool: "read",
    args: { input: { file_path: "src/b.tsx" } },
    gives: { content: "export const b = 2\n" },
  },
  {
    habit: "arguments inside parameters, as JSON text",
    seen: "ollama 12413",
    tool: "read",
    args: { parameters: '{"file_path":"src/b.tsx"}' },
    gives: { content: "export const b = 2\n" },
  },
  // Names of tools
  {
    habit: "a tool with a capital letter",
    seen: "pi 4517",
    tool: "Read",
    args: { file_path: "src/b.tsx" },
    gives: { eof: true },
  },
  {
    habit: "a tool behind functions.",
    seen: "maki 505",
    tool: "functions.read",
    args: { file_path: "src/b.tsx" },
    gives: { eof: true },
  },
  {
    habit: "a tool behind default_api.",
    seen: "gemini cookbook 1374",
    tool: "default_api.glob",
    args: { pattern: "*.py" },
    gives: { paths: ["tabs.py"] },
  },
  {
    habit: "a tool of another system",
    seen: "little-coder 92",
    tool: "str_replace_editor",
    args: { command: "view", path: "src/a.ts" },
    refused: ["not_found", /there is no tool of that name/],
  },
  // Names of arguments
  {
    habit: "path for file_path",
    seen: "qmd 373",
    tool: "read",
    args: { path: "src/a.ts" },
    refused: ["invalid_args", /Use "file_path".* instead of "path"/],
  },
  {
    habit: "filePath for file_path",
    seen: "kilocode 12091",
    tool: "write",
    args: { filePath: "n.txt", content: "x" },
    refused: ["invalid_args", /Use "file_path".* instead of "filePath"/],
  },
  {
    habit: "file for file_path",
    seen: "Cogtrix 2257",
    tool: "write",
    args: { file: "n.txt", content: "x" },
    refused: ["invalid_args", /Use "file_path".* instead of "file"/],
  },
  {
    habit: "file_path for path",
    seen: "term-llm 35",
    tool: "grep",
    args: { pattern: "x", file_path: "src" },
    refused: ["invalid_args", /Use "path".* instead of "file_path"/],
  },
  {
    habit: "old_str and new_str",
    seen: "freebuff 578",
    tool: "edit",
    args: { file_path: "src/a.ts", old_str: "1", new_str: "2" },
    refused: ["invalid_args", /Use "old_string".* instead of "old_str"/],
  },
  {
    habit: "a folder for a command",
    seen: "pi 5904, pi-fabric 71",
    tool: "bash",
    args: { command: "ls", cwd: "src" },
    refused: ["invalid_args", /cd .*&&/],
  },
  {
    habit: "a description of a command",
    seen: "opencode 7512",
    tool: "bash",
    args: { command: "echo hi", description: "Says hi" },
    gives: { stdout: "hi\n" },
  },
  {
    habit: "cmd for command",
    seen: "Cogtrix 2259",
    tool: "bash",
    args: { cmd: "ls" },
    refused: ["invalid_args", /Use "command".* instead of "cmd"/],
  },
  {
    habit: "a todo with id and priority",
    seen: "hapi 501",
    tool: "todo",
    args: { todos: [{ id: "1", content: "x", status: "pending", priority: "high" }] },
    refused: ["invalid_args", /"todos\.0\.id" is not an argument/],
  },
  {
    habit: "a status that is not on the list",
    seen: "opencode 1354",
    tool: "todo",
    args: { todos: [{ content: "x", status: "failed" }] },
    refused: ["invalid_args", /"pending", "in_progress", "completed", "cancelled"/],
  },
  {
    habit: "a todo of blanks",
    seen: "gemini-cli 11241",
    tool: "todo",
    args: { todos: [{ content: "  ", status: "pending" }] },
    refused: ["invalid_args", /content/],
  },
  // Paths
  {
    habit: "a mention",
    seen: "gemini-cli, @ in front of a path",
    tool: "read",
    args: { file_path: "@src/b.tsx" },
    gives: { content: "export const b = 2\n" },
  },
  {
    habit: "a folder whose name begins like a mention",
    seen: "opencode, @types",
    tool: "read",
    args: { file_path: "@types/a.d.ts" },
    gives: { content: "declare const a: 1\n" },
  },
  {
    habit: "a path in backticks",
    seen: "nanobot 3528",
    tool: "read",
    args: { file_path: "`src/b.tsx`" },
    gives: { content: "export const b = 2\n" },
  },
  {
    habit: "a path in quotes",
    seen: "nanobot 3528",
    tool: "read",
    args: { file_path: '"src/b.tsx"' },
    gives: { content: "export const b = 2\n" },
  },
  {
    habit: "a path of Windows",
    seen: "opencode 26870",
    tool: "read",
    args: { file_path: "C:\\work\\a.ts" },
    refused: ["invalid_args", /Windows/],
  },
  {
    habit: "a path with escaped blanks",
    seen: "claude-code, paths with spaces",
    tool: "read",
    args: { file_path: "with\\ space/f\\ (1).md" },
    gives: { content: "spaced\n" },
  },
  {
    habit: "a folder where a file is read",
    seen: "opencode, read of a directory",
    tool: "read",
    args: { file_path: "src" },
    refused: ["unsupported", /directory|folder/],
  },
  {
    habit: "a name that is nearly right",
    seen: "openseek 243",
    tool: "read",
    args: { file_path: "src/A.tsx" },
    refused: ["not_found", /src\/(a\.ts|b\.tsx)/],
  },
  // Search
  {
    habit: "several patterns with a comma",
    seen: "aft 32",
    tool: "glob",
    args: { pattern: "src/*.ts,src/*.tsx" },
    refused: ["invalid_args", /\{/],
  },
  {
    habit: "a brace that is not closed",
    seen: "aft 32",
    tool: "grep",
    args: { pattern: "b", glob: "**/*.{ts" },
    refused: ["invalid_args", /never closed/],
  },
  {
    habit: "braces",
    seen: "rewrite 8856, mcp-workspace 249",
    tool: "glob",
    args: { pattern: "src/*.{ts,tsx}" },
    gives: { paths: ["src/a.ts", "src/b.tsx"] },
  },
  {
    habit: "a pattern of several folders without two stars",
    seen: "copilot-cli 4271",
    tool: "glob",
    args: { pattern: "src/a.ts" },
    gives: { paths: ["src/a.ts"] },
  },
  {
    habit: "brackets that are a name",
    seen: "Next.js routes in opencode",
    tool: "glob",
    args: { pattern: "app/[id]/*.tsx" },
    gives: { paths: ["app/[id]/page.tsx"] },
  },
  {
    habit: "round brackets that are a name",
    seen: "gulp-hb 33",
    tool: "glob",
    args: { pattern: "(group)/*.md" },
    gives: { paths: ["(group)/x.md"] },
  },
  {
    habit: "a blank in a pattern",
    seen: "oh-my-pi 12179",
    tool: "glob",
    args: { pattern: "with space/*.md" },
    gives: { paths: ["with space/f (1).md"] },
  },
  {
    habit: "code as a regular expression",
    seen: "grep of foo( in many trackers",
    tool: "grep",
    args: { pattern: "function a(" },
    refused: ["invalid_args", /\\\(/],
  },
  {
    habit: "look-around",
    seen: "ripgrep without PCRE2",
    tool: "grep",
    args: { pattern: "(?<=return )\\d" },
    gives: { match_count: 2 },
  },
  // Edits
  {
    habit: "numbers of lines in the text",
    seen: "Zoo-Code 716",
    tool: "edit",
    args: { file_path: "src/b.tsx", old_string: "1: export const b = 2", new_string: "1: export const b = 4" },
    leaves: { "src/b.tsx": "export const b = 4\n" },
  },
  {
    habit: "plain quotes and blanks for typographic ones",
    seen: "claude-code 29870",
    tool: "edit",
    args: { file_path: "notes.md", old_string: 'It\'s a "quote" here', new_string: "Gone" },
    leaves: { "notes.md": "Gone \u2014 done\n" },
  },
  {
    habit: "line feeds for CRLF",
    seen: "pi 4430",
    tool: "edit",
    args: { file_path: "crlf.txt", old_string: "one\ntwo\n", new_string: "1\n2\n" },
    leaves: { "crlf.txt": "1\r\n2\r\nthree\r\n" },
  },
  {
    habit: "the same text twice",
    seen: "openseek 420",
    tool: "edit",
    args: { file_path: "src/a.ts", old_string: "return 1", new_string: "return 1" },
    refused: ["invalid_args", /same|identical|nothing/i],
    leaves: { "src/a.ts": files["src/a.ts"]! },
  },
  {
    habit: "text that is not there",
    seen: "opencode 42908",
    tool: "edit",
    args: { file_path: "src/a.ts", old_string: "export function a() {\n    return 2\n}", new_string: "x" },
    refused: ["conflict", /return 1/],
    leaves: { "src/a.ts": files["src/a.ts"]! },
  },
  {
    habit: "a backslash and an n that belong to the source",
    seen: "llxprt-code 3606",
    tool: "edit",
    args: { file_path: "escape.ts", old_string: '"a\\nb"', new_string: '"a\\nc"' },
    leaves: { "escape.ts": 'const line = "a\\nc"\n' },
  },
  {
    habit: "a backslash and an n in new content",
    seen: "openclaw 114390 and llxprt-code 3606",
    tool: "write",
    args: { file_path: "new.py", content: 'print("a\\nb")\n' },
    leaves: { "new.py": 'print("a\\nb")\n' },
  },
  {
    habit: "an empty text to make a file",
    seen: "gemini-cli, replace with an empty old_string",
    tool: "edit",
    args: { file_path: "made.txt", old_string: "", new_string: "x" },
    refused: ["invalid_args", /old_string/],
  },
  // Patches
  {
    habit: "a patch in a code fence",
    seen: "codex 35361",
    tool: "apply_patch",
    args: {
      patch:
        "```diff\n*** Begin Patch\n*** Update File: src/b.tsx\n@@\n-export const b = 2\n+export const b = 5\n*** End Patch\n```",
    },
    leaves: { "src/b.tsx": "export const b = 5\n" },
  },
  {
    habit: "a patch in a here-document with an odd end",
    seen: "opencode 43389",
    tool: "apply_patch",
    args: { patch: "apply_patch <<'PATCH-1'\n*** Begin Patch\n*** Add File: ok.txt\n+ok\n*** End Patch\nPATCH-1" },
    leaves: { "ok.txt": "ok\n" },
  },
  {
    habit: "stars behind the first and the last line",
    seen: "opencodex 372",
    tool: "apply_patch",
    args: { patch: "*** Begin Patch ***\n*** Add File: stars.txt\n+ok\n*** End Patch ***" },
    leaves: { "stars.txt": "ok\n" },
  },
  {
    habit: "context with other blanks at its end",
    seen: "codex, trailing whitespace in context",
    tool: "patch",
    args: {
      file_path: "src/a.ts",
      diff: "@@ -1,3 +1,3 @@\n export function a() {  \n-    return 1\n+    return 7\n }\n",
    },
    leaves: { "src/a.ts": "export function a() {\n    return 7\n}\n" },
  },
  {
    habit: "a patch that is no patch",
    seen: "pi-codemode 28",
    tool: "apply_patch",
    args: { patch: "change b to 5 please" },
    refused: ["invalid_args", /\*\*\* Begin Patch/],
  },
  // Commands and the web
  {
    habit: "a list of words as command",
    seen: "codex 2235",
    tool: "bash",
    args: { command: ["bash", "-lc", "ls"] },
    refused: ["invalid_args", /"command" must be a string/],
  },
  {
    habit: "a program that fills the screen",
    seen: "gemini-cli, vim in the shell tool",
    tool: "bash",
    args: { command: "vim src/a.ts" },
    refused: ["unsupported", /edit|write/],
  },
  {
    habit: "an address without https",
    seen: "simonw/tools 265",
    tool: "web_fetch",
    args: { url: "example.org/page" },
    refused: ["invalid_args", /write https:\/\//],
  },
  {
    habit: "an address in backticks",
    seen: "nanobot 3528",
    tool: "web_fetch",
    args: { url: "`http://127.0.0.1:1/`" },
    refused: ["invalid_args", /write https:\/\//],
  },
]

let world: LibraryWorld
let session: Session

beforeAll(async () => {
  world = await libraryWorld()
  session = await (await world.haft({ toolset: "all" })).openSession()
})
afterAll(() => world.remove())

beforeEach(async () => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(world.path(name)), { recursive: true })
    await writeFile(world.path(name), content)
  }
})

test("there are more than fifty habits, each with its source", () => {
  expect(habits.length).toBeGreaterThan(50)
  expect(new Set(habits.map(({ habit }) => habit)).size).toBe(habits.length)
  for (const { seen } of habits) expect(seen).not.toBe("")
})

test.each(habits)("$habit ($seen)", async ({ tool, args, gives, refused, leaves = {} }) => {
  const envelope: Envelope = await session.call(tool, args, { answer: "once" })
  if (refused) {
    const [code, words] = refused
    if (envelope.type !== "error") throw new Error(`it was taken: ${JSON.stringify(envelope.data)}`)
    const { error_code, hint = "" } = envelope.metadata
    expect([error_code, `${envelope.error_text}\n${hint}`]).toEqual([code, expect.stringMatching(words)])
  } else {
    if (envelope.type === "error") throw new Error(`${envelope.error_text} (${envelope.metadata.hint})`)
    expect(envelope.data).toMatchObject(gives ?? {})
  }
  for (const [name, content] of Object.entries(leaves)) expect(await readFile(world.path(name), "utf8")).toBe(content)
})
