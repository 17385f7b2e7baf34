import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import { onOneLine, quoted, severalNotes, skippedNotes, skippedSchema } from "@haft/tools/search/shared.js"
import * as z from "zod"

/** Lines or files of a page when the call names no limit. */
const defaultHeadLimit = 250

const count = z.int().min(0)

export const manifest = defineManifest({
  id: "grep_search",
  title: "Search in files",
  description:
    "Finds files, lines or counts by regular expression (Rust syntax and look-around); skips binary files and what ignore files name. Use where the knobs of a command-line searcher are wanted.",
  input: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().min(1).optional().describe("File or directory; default the working directory"),
    glob: z.string().min(1).optional().describe("Only files like this"),
    output_mode: z.enum(["files_with_matches", "content", "count"]).default("files_with_matches"),
    "-B": count.optional().describe("Lines before each match"),
    "-A": count.optional().describe("Lines after each match"),
    "-C": count.optional().describe("Lines around each match"),
    context: count.optional().describe("The same; wins over -C"),
    "-n": z.boolean().default(true).describe("Line numbers"),
    "-i": z.boolean().default(false).describe("Ignore case"),
    type: z.string().min(1).optional().describe("Only files with this extension"),
    head_limit: count.default(defaultHeadLimit).describe("Lines or files to return; 0 for all"),
    offset: count.default(0).describe("Lines or files to pass over"),
    multiline: z.boolean().default(false).describe("Let a match go over line breaks"),
  }),
  output: outputSchema({
    mode: z.enum(["files_with_matches", "content", "count"]),
    filenames: z.array(z.string()).describe("Absolute, in order"),
    content: z.string().optional().describe("The lines, each after its file and number"),
    num_lines: count.optional(),
    num_matches: count.optional().describe("Lines that match, in all files"),
    matching_lines: count.optional().describe("Lines of the page that match; the others are around them"),
    applied_limit: count.optional().describe("Set when the limit left something out"),
    applied_offset: count.optional(),
    complete: z.boolean().describe("False when the search stopped before its end, the page aside"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "search",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["content"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path = "." }) => [{ kind: "fs.read", path }],
  judgedLike: "grep",
})

/** The lines or the files of the page, then what is known about the rest. */
const present: Present<typeof manifest> = (output, { pattern, glob }) => {
  const { filenames, content, num_matches, applied_limit, complete } = output
  const shown = content === undefined ? filenames.map(onOneLine) : content === "" ? [] : [content]
  const notes = [
    ...(filenames.length === 0
      ? [`No line matches ${quoted(pattern)}`]
      : [`${filenames.length} ${filenames.length === 1 ? "file" : "files"}`]),
    ...(num_matches === undefined ? [] : [`${num_matches} matching lines`]),
    ...(applied_limit === undefined ? [] : [`cut at ${applied_limit}; go on with offset`]),
    ...(filenames.length === 0 ? severalNotes(glob) : []),
    ...(output.timed_out ? ["timed out; narrow path or glob"] : []),
    ...(complete || applied_limit !== undefined || output.timed_out ? [] : ["there may be more"]),
    ...skippedNotes(output.skipped),
  ]
  return [text([...shown, `[${notes.join("; ")}]`].join("\n"))]
}

const messages: ToolMessages = {
  en: { title: "Search in files", loading: "Searching in files", done: "Searched in files" },
  "zh-CN": { title: "搜索内容", loading: "正在搜索内容", done: "已搜索内容" },
}

const files = { "a.ts": "one\n// TODO first\nthree\n", "b.md": "TODO second\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "files with a match, and no more of them than wanted",
    files,
    input: { pattern: "TODO", head_limit: 1 },
    output: { mode: "files_with_matches", applied_limit: 1 },
  },
  {
    name: "how many lines match",
    files,
    input: { pattern: "todo", "-i": true, output_mode: "count" },
    output: { mode: "count", num_matches: 2 },
  },
  {
    name: "the lines themselves, with one before each",
    files,
    input: { pattern: "TODO", type: "ts", output_mode: "content", "-B": 1 },
    output: { mode: "content", num_lines: 2 },
  },
  { name: "a pattern that is no regular expression", files, input: { pattern: "f(" }, fails: "invalid_args" },
]

/** Finds lines or files by regular expression, with the knobs of command-line searchers. */
export const grepSearch = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/search/ui/match-faces.js"),
})
