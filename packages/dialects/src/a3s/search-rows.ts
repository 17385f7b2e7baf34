import { defineDialectTool, type OutputOf, type ToolResult } from "@haft/contract"
import type { manifest as globManifest } from "@haft/tools/search/glob/index.js"
import type { manifest as grepManifest } from "@haft/tools/search/grep/index.js"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { worked } from "./a3s-output.js"

type Match = OutputOf<typeof grepManifest>["matches"][number]

export const grepRow = defineDialectTool({
  name: "grep",
  tool: "grep",
  description: "Search for a pattern in files using ripgrep. Returns matching lines with file paths and line numbers.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("Regular expression pattern to search for"),
    path: z.string().min(1).optional().describe("Directory or file to search in (default workspace root)"),
    glob: z.string().min(1).optional().describe("Glob pattern to filter files (e.g., '*.rs', '*.{ts,tsx}')"),
    context: z
      .int()
      .min(0)
      .max(20)
      .optional()
      .describe("Number of context lines to show before and after matches (at most 20)"),
    "-i": z.boolean().optional().describe("Case insensitive search"),
  }),
  toArguments: given,
  toValue: (result, { pattern }) => {
    const { matches, match_count, file_count, skipped, ...rest } = dataOf<OutputOf<typeof grepManifest>>(result)
    const complete = rest.complete && !isCut(result)
    const metadata = {
      search: {
        matching_lines: match_count,
        matching_files: file_count,
        returned_lines: matches.length,
        truncated: !complete,
      },
      source_anchors: [...new Set(matches.map(({ path }) => path))],
      ...(skipped !== undefined && { skipped }),
    }
    if (match_count === 0) return worked(`No matches found for pattern: ${pattern}`, metadata)
    const footer = complete
      ? `${match_count} match(es) in ${file_count} file(s)`
      : `... (output truncated)\nFound ${match_count} matches in ${file_count} files (output truncated)`
    return worked(`${matchLines(matches).join("\n")}\n${footer}`, metadata)
  },
})

export const globRow = defineDialectTool({
  name: "glob",
  tool: "glob",
  description: "Find files matching a glob pattern. Returns a list of file paths.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("Glob pattern to match (e.g., '**/*.rs', 'src/**/*.ts')"),
    path: z.string().min(1).optional().describe("Base directory for the search (default workspace root)"),
  }),
  toArguments: given,
  toValue: (result, { pattern }) => {
    const { paths, total, skipped, ...rest } = dataOf<OutputOf<typeof globManifest>>(result)
    const complete = rest.complete && !isCut(result)
    const all = total ?? paths.length
    // Where the search itself ended early nobody knows how many there are.
    const known = complete || total !== undefined
    const metadata = {
      page: { returned_items: paths.length, total_items: known ? all : null, truncated: !complete },
      ...(skipped !== undefined && { skipped }),
    }
    if (all === 0) return worked(`No files found matching pattern: ${pattern}`, metadata)
    const count = known ? String(all) : `at least ${all}`
    return worked(`${paths.join("\n")}\n\n${paths.length} of ${count} file(s) shown`, metadata)
  },
})

/** Whether the list is shorter than what was found, because it was cut at the tool's limit. */
function isCut({ envelope }: ToolResult): boolean {
  return envelope.metadata.truncated === true
}

/** Lines as ripgrep prints them: `path:12:text` a match, `path-13-text` a line around one, each once. */
function matchLines(matches: readonly Match[]): readonly string[] {
  const matched = new Set(matches.map(({ path, line }) => `${line}:${path}`))
  const shown: string[] = []
  let last: { path: string; line: number } | undefined
  const show = (path: string, line: number, text: string) => {
    if (last?.path === path && line <= last.line) return
    const mark = matched.has(`${line}:${path}`) ? ":" : "-"
    shown.push(`${path}${mark}${line}${mark}${text}`)
    last = { path, line }
  }
  for (const { path, line, text, before = [], after = [] } of matches) {
    const first = line - before.length
    const gap = last !== undefined && (last.path !== path || first > last.line + 1)
    if (gap && before.length + after.length > 0) shown.push("--")
    for (const [index, value] of before.entries()) show(path, first + index, value)
    show(path, line, text)
    for (const [index, value] of after.entries()) {
      // A line after this match that matches itself is shown with its own match.
      if (matched.has(`${line + 1 + index}:${path}`)) break
      show(path, line + 1 + index, value)
    }
  }
  return shown
}
