import { defineDialectTool, type OutputOf } from "@haft/contract"
import type { manifest as globManifest } from "@haft/tools/search/glob/index.js"
import type { manifest as grepManifest } from "@haft/tools/search/grep/index.js"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { worked } from "./a3s-output.js"

type Match = OutputOf<typeof grepManifest>["matches"][number]

/** `grep`. */
export const grepRow = defineDialectTool({
  name: "grep",
  tool: "grep",
  description: "Search for a pattern in files using ripgrep. Returns matching lines with file paths and line numbers.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("Regular expression pattern to search for"),
    path: z.string().min(1).optional().describe("Directory or file to search in (default workspace root)"),
    glob: z.string().min(1).optional().describe("Glob pattern to filter files (e.g., '*.rs', '*.{ts,tsx}')"),
    context: z.int().min(0).optional().describe("Number of context lines to show before and after matches"),
    "-i": z.boolean().optional().describe("Case insensitive search"),
  }),
  toArguments: given,
  toValue: (result, { pattern }) => {
    const { matches, match_count, file_count, complete, skipped } = dataOf<OutputOf<typeof grepManifest>>(result)
    const metadata = {
      search: { matching_lines: match_count, matching_files: file_count, truncated: !complete },
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

/** `glob`. */
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
    const { paths, complete, total, skipped } = dataOf<OutputOf<typeof globManifest>>(result)
    const all = total ?? paths.length
    const metadata = {
      page: { returned_items: paths.length, total_items: all, truncated: !complete },
      ...(skipped !== undefined && { skipped }),
    }
    if (all === 0) return worked(`No files found matching pattern: ${pattern}`, metadata)
    const known = complete || total !== undefined ? String(all) : `at least ${all}`
    return worked(`${paths.join("\n")}\n\n${paths.length} of ${known} file(s) shown`, metadata)
  },
})

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
