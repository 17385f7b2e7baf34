import {
  defineManifest,
  defineTool,
  type Example,
  type OutputOf,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { onOneLine, quoted, readsBelow, searching, severalNotes, skippedNotes, skippedSchema } from "../shared.js"

export const manifest = defineManifest({
  id: "grep",
  title: "Search in files",
  description:
    "Finds lines that match a regular expression (Rust syntax and look-around, one line at a time); skips binary files and what ignore files name. Use to find where something is written; for file names use glob.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("Regular expression"),
    path: z.string().min(1).optional().describe("File or directory; default the working directory"),
    glob: z.string().min(1).optional().describe("Only files like this, for instance *.ts"),
    context: z.int().min(0).max(20).default(0).describe("Lines around each match"),
    "-i": z.boolean().default(false).describe("Ignore case"),
  }),
  output: outputSchema({
    matches: z.array(
      z.strictObject({
        path: z.string(),
        line: z.int().min(1),
        text: z.string(),
        before: z.array(z.string()).optional(),
        after: z.array(z.string()).optional(),
      }),
    ),
    match_count: z.int().min(0),
    file_count: z.int().min(0),
    complete: z.boolean().describe("False when there may be more matches than these"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  operands: ["pattern", "path"],
  toolset: "locked",
  ...searching,
  limit: { unit: "entries", max: 200, past: "sidecar", field: "matches" },
  effects: ({ path }) => readsBelow(path),
  habits: {
    "-n": "Leave it out: lines are always numbered",
    output_mode: "Leave it out: the matching lines are the result",
    head_limit: 'Leave it out; narrow the search with "path" or "glob"',
    max_results: 'Leave it out; narrow the search with "path" or "glob"',
    multiline: "Leave it out: a pattern matches within one line",
    type: 'Use "glob", for instance *.ts',
    fileType: 'Use "glob", for instance *.ts',
    recursive: "Leave it out: folders are always searched with what is in them",
  },
})

type Match = OutputOf<typeof manifest>["matches"][number]

/** Each file once with its lines below it (`12:` a match, `13-` a line around one), then the counts. */
export const present: Present<typeof manifest> = (output, { pattern, glob }) => {
  const { matches, match_count, file_count, complete } = output
  const lines = matches.some(({ before, after }) => before?.length || after?.length)
    ? byFile(matches).flatMap(linesWithContext)
    : plainLines(matches)
  const notes = [
    match_count === 0
      ? `No line matches ${quoted(pattern)}`
      : `${counted(match_count, "match", "matches")} in ${counted(file_count, "file", "files")}`,
    ...(match_count === 0 ? severalNotes(glob) : []),
    ...(output.timed_out ? ["timed out; narrow path or glob"] : []),
    ...(complete || output.timed_out ? [] : ["there may be more; narrow pattern, path or glob"]),
    ...skippedNotes(output.skipped),
  ]
  lines.push(`[${notes.join("; ")}]`)
  return [text(lines.join("\n"))]
}

/** Without surroundings a result of thousands is common, and each match is one line; several in one line are shown once. */
function plainLines(matches: readonly Match[]): string[] {
  const lines: string[] = []
  let last: Match | undefined
  for (const match of matches) {
    const isSameFile = match.path === last?.path
    if (!isSameFile) lines.push(onOneLine(match.path))
    else if (match.line <= last!.line) continue
    lines.push(`${match.line}:${match.text}`)
    last = match
  }
  return lines
}

function byFile(matches: readonly Match[]): readonly (readonly Match[])[] {
  const files: Match[][] = []
  for (const match of matches) {
    const file = files.at(-1)
    if (file?.[0]?.path === match.path) file.push(match)
    else files.push([match])
  }
  return files
}

/** The surroundings of two near matches overlap; every line is shown once, and a gap as `--`. */
function linesWithContext(matches: readonly Match[]): readonly string[] {
  const matched = new Map(matches.map(({ line, text }) => [line, text]))
  const hasContext = matches.some(({ before, after }) => before?.length || after?.length)
  const shown: string[] = [onOneLine(matches[0]!.path)]
  let last: number | undefined
  const show = (line: number, value: string) => {
    if (last !== undefined && line <= last) return
    if (last !== undefined && line > last + 1 && hasContext) shown.push("--")
    shown.push(`${line}${matched.has(line) ? ":" : "-"}${matched.get(line) ?? value}`)
    last = line
  }
  for (const { line, text, before = [], after = [] } of matches) {
    for (const [index, value] of before.entries()) show(line - before.length + index, value)
    show(line, text)
    for (const [index, value] of after.entries()) show(line + 1 + index, value)
  }
  return shown
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

const messages: ToolMessages = {
  en: { title: "Search in files", loading: "Searching in files", done: "Searched in files" },
  "zh-CN": {
    title: "搜索内容",
    loading: "正在搜索内容",
    done: "已搜索内容",
    summary: "在文件里查找符合正则表达式的行，跳过二进制文件和忽略文件所列的内容",
  },
}

const files = { "a.ts": "one\n// TODO first\nthree\n", "b.md": "todo: nothing\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plain word",
    files,
    input: { pattern: "TODO" },
    output: {
      matches: [{ path: "a.ts", line: 2, text: "// TODO first" }],
      match_count: 1,
      file_count: 1,
      complete: true,
    },
  },
  {
    name: "any case, with the lines around",
    files,
    input: { pattern: "todo", "-i": true, context: 1, glob: "*.ts" },
    output: {
      matches: [{ path: "a.ts", line: 2, text: "// TODO first", before: ["one"], after: ["three"] }],
      match_count: 1,
    },
  },
  {
    name: "no match is an answer, not a failure",
    files,
    input: { pattern: "FIXME" },
    output: { matches: [], match_count: 0, file_count: 0, complete: true },
  },
  { name: "a pattern that is no regular expression", files, input: { pattern: "f(" }, fails: "invalid_args" },
]

/** Finds lines by regular expression. */
export const grep = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/match-faces.js"),
})
