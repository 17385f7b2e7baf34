import { type Dialect, defineDialectTool } from "@haft/contract"
import * as z from "zod"
import { projectText, textValue } from "./project-text.js"

/** `bash_20250124`. Every command starts fresh here, so that a restart has nothing to do. */
const bash = defineDialectTool({
  name: "bash",
  tool: "bash",
  description: "Runs a bash command line in a sandbox. Each command starts fresh: cd and variables do not last.",
  input: z.strictObject({
    command: z.string().min(1).optional().describe("Command line"),
    restart: z.boolean().optional().describe("Does nothing: there is no shell that stays"),
  }),
  toArguments: ({ command, restart }) => ({ command: command ?? (restart ? "true" : undefined) }),
  toValue: textValue,
})

const line = z.int().min(0)

/** `text_editor_20250728`, and what it was called before. */
const textEditor = defineDialectTool({
  name: "str_replace_based_edit_tool",
  aliases: ["str_replace_editor"],
  tool: ({ command, path }) => {
    if (command === "view") return isFolder(path) ? "ls" : "read"
    return { create: "write", str_replace: "edit", insert: "insert_lines" }[command]
  },
  choices: ["read", "ls", "write", "edit", "insert_lines"],
  description:
    "Views, creates and edits text files. view: a file as numbered lines, or with a slash at the end a folder; create: a whole file; str_replace: text that occurs once; insert: lines after a line.",
  input: z.strictObject({
    command: z.enum(["view", "create", "str_replace", "insert"]),
    path: z.string().min(1),
    view_range: z.array(z.int()).length(2).optional().describe("view: first and last line, from 1; -1 is the end"),
    file_text: z.string().optional().describe("create: all of it"),
    old_str: z.string().optional().describe("str_replace: text to replace"),
    new_str: z.string().optional().describe("str_replace: text to put there"),
    insert_line: line.optional().describe("insert: the line before, 0 for the top"),
    insert_text: z.string().optional().describe("insert: the lines"),
  }),
  keys: { file_path: "path", old_string: "old_str", new_string: "new_str", content: "file_text" },
  toArguments: (input) => {
    const { command, path } = input
    if (command === "view") return isFolder(path) ? { path } : { file_path: path, ...pageOf(input.view_range) }
    if (command === "create") return { file_path: path, content: input.file_text }
    if (command === "str_replace")
      return { file_path: path, old_string: input.old_str, new_string: input.new_str ?? "" }
    return { path, after_line: input.insert_line, lines: input.insert_text }
  },
  toValue: textValue,
})

function isFolder(path: string): boolean {
  return path === "." || path.endsWith("/")
}

function pageOf([first, last]: readonly number[] = []): { readonly offset?: number; readonly limit?: number } {
  if (first === undefined || last === undefined) return {}
  const offset = Math.max(0, first - 1)
  return last < 0 ? { offset } : { offset, limit: Math.max(1, last - offset) }
}

/** The tools that Anthropic's models know by themselves: their types in a request, their calls answered by ours. */
export const anthropic: Dialect = { name: "anthropic", tools: [bash, textEditor], project: projectText }
