import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type InputOf,
  type OutputOf,
  type Present,
  ToolError,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

const manifest = defineManifest({
  id: "lsp",
  title: "Ask language server",
  description:
    "Asks the project's language server: definition, references, hover (type and documentation), symbols, diagnostics (problems of a file). Use for what a name means and where it is used; for plain text use grep. Changes nothing.",
  input: z.strictObject({
    action: z.enum(["definition", "references", "hover", "symbols", "diagnostics"]),
    file_path: z.string().min(1).optional().describe("Needed except for symbols of the whole workspace"),
    line: z.int().min(1).optional().describe("Line of the name, from 1"),
    character: z.int().min(1).optional().describe("Column of the name, from 1; or give query"),
    query: z.string().min(1).max(500).optional().describe("The name itself, or part of a symbol's name"),
  }),
  output: outputSchema({
    items: z.array(
      z.strictObject({
        path: z.string(),
        line: z.int().min(1),
        character: z.int().min(1),
        text: z.string().describe("The line, the name of the symbol, or the message"),
        kind: z.string().optional().describe("Kind of symbol, or origin and code of a problem"),
        severity: z.enum(["error", "warning", "information", "hint"]).optional(),
      }),
    ),
    text: z.string().optional().describe("What hover shows, or a note"),
    server: z.string(),
    fresh: z.boolean().describe("False when the server said nothing about the files as they are now"),
    skipped: z.strictObject({ denied: z.int().min(1).describe("Places that may not be read") }).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] }, capabilities: ["lsp"] },
  operands: ["action", "file_path"],
  toolset: "code",
  kind: "read",
  tier: "read-only",
  limit: { unit: "entries", max: 200, past: "sidecar", field: "items" },
  retry: "safe",
  timeoutMs: 60_000,
  effects: ({ file_path = "." }) => [{ kind: "fs.read", path: file_path }],
})

/** Checks that the question is whole, and asks. */
const execute: Execute<typeof manifest> = async (input, { languages, signal }) => {
  assertWhole(input)
  const { action, file_path: path, line, character, query } = input
  const answer = await languages.ask({
    action,
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    ...(character !== undefined && { character }),
    ...(query !== undefined && { query }),
    signal,
  })
  return {
    items: answer.items.map((item) => ({ ...item })),
    ...(answer.text !== undefined && { text: answer.text }),
    server: answer.server,
    fresh: answer.fresh,
    ...(answer.denied !== undefined && answer.denied > 0 && { skipped: { denied: answer.denied } }),
  }
}

function assertWhole({ action, file_path, line, character, query }: InputOf<typeof manifest>): void {
  if (file_path === undefined && action === "symbols" && query !== undefined) return
  if (file_path === undefined) {
    const next = action === "symbols" ? "give it, or query for the whole workspace" : "name the file"
    throw new ToolError("invalid_args", `Cannot ask for ${action}: file_path is missing; ${next}`)
  }
  if (action === "symbols" || action === "diagnostics") return
  if (query === undefined && (line === undefined || character === undefined)) {
    throw new ToolError(
      "invalid_args",
      `Cannot ask for ${action} in "${file_path}": the place is missing; give line and character, or line and query with the name`,
    )
  }
}

type Output = OutputOf<typeof manifest>
type Item = Output["items"][number]

/** Each file once with its places below it, then what hover shows, then who said it. */
const present: Present<typeof manifest> = (output, { action }) => {
  const { items, server, fresh, skipped } = output
  const notes = [
    countOf(output, action),
    ...(fresh ? [] : ["not fresh: ask again, or run the project's own check"]),
    ...(skipped ? [`${skipped.denied} left out by rules`] : []),
    server,
  ]
  const words = output.text === undefined ? [] : [output.text]
  return [text([...inFiles(items), ...words, `[${notes.join("; ")}]`].join("\n"))]
}

function countOf({ items, text: words, fresh }: Output, action: string): string {
  if (action === "hover") return words === undefined ? "Nothing is known about this place" : "hover"
  if (action === "diagnostics" && items.length === 0) return fresh ? "No problems" : "No answer about the current text"
  const [one, many] = names[action] ?? ["place", "places"]
  return items.length === 0 ? `No ${many}` : `${items.length} ${items.length === 1 ? one : many}`
}

const names: Readonly<Record<string, readonly [string, string]>> = {
  definition: ["definition", "definitions"],
  references: ["reference", "references"],
  symbols: ["symbol", "symbols"],
  diagnostics: ["problem", "problems"],
}

function inFiles(items: readonly Item[]): readonly string[] {
  return items.flatMap((item, index) => {
    const isFirst = items[index - 1]?.path !== item.path
    return [...(isFirst ? [onOneLine(item.path)] : []), lineOf(item)]
  })
}

function lineOf({ line, character, text: words, kind, severity }: Item): string {
  // A message of several lines stays below its place.
  const shown = words.replaceAll(/\s*\n\s*/g, "\n    ")
  const about = severity ? ` (${[severity, kind].filter(Boolean).join(", ")})` : kind ? ` (${kind})` : ""
  return `${line}:${character} ${shown}${about}`
}

/** A path as one line: one that holds line breaks would look like several. */
function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}

const messages: ToolMessages = {
  en: { title: "Ask language server", loading: "Asking the language server", done: "Asked the language server" },
  "zh-CN": {
    title: "询问语言服务器",
    loading: "正在询问语言服务器",
    done: "已询问语言服务器",
    summary: "询问项目的语言服务器：定义、引用、类型和文档、符号、诊断；不更改任何内容",
  },
}

const files = { "src/main.ts": "export const total = 1\n", "notes.txt": "total\n" }

const examples: readonly Example<typeof manifest>[] = [
  { name: "a question without a file", files, input: { action: "diagnostics" }, fails: "invalid_args" },
  {
    name: "a question without a place",
    files,
    input: { action: "definition", file_path: "src/main.ts", line: 1 },
    fails: "invalid_args",
  },
  {
    name: "a line that the file does not have",
    files,
    input: { action: "hover", file_path: "src/main.ts", line: 40, query: "total" },
    fails: "invalid_args",
  },
  {
    name: "a file that no language server knows",
    files,
    input: { action: "symbols", file_path: "notes.txt" },
    fails: "unsupported",
  },
  {
    name: "a file that does not exist",
    files,
    input: { action: "diagnostics", file_path: "src/man.ts" },
    fails: "not_found",
  },
]

/** Asks the project's language server. */
export const lsp = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/places-faces.js"),
})
