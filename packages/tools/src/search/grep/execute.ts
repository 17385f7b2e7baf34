import type { Execute, GrepMatch } from "@haft/contract"
import { quoted, refuseLineBreak, searchableLine, searchTimeoutMs, skippedField } from "../shared.js"
import type { manifest } from "./index.js"

/** Looks for up to ten times the limit: the runtime shows the first part and keeps the rest in a file. */
export const execute: Execute<typeof manifest> = async (input, { search, limit }) => {
  refuseLineBreak(input.pattern, lineHint)
  const found = await search.grep({
    pattern: input.pattern,
    ...(input.path !== undefined && { path: input.path }),
    ...(input.glob !== undefined && { glob: input.glob }),
    contextLines: input.context,
    ignoreCase: input["-i"],
    maxMatches: 10 * limit,
    timeoutMs: searchTimeoutMs,
  })
  return {
    matches: found.matches.map(plainMatch),
    match_count: found.matches.length,
    file_count: found.fileCount,
    complete: found.complete,
    ...skippedField(found.skipped),
    ...(found.timedOut && { timed_out: true as const }),
  }
}

// As many as the schema allows.
const mostContextLines = 20

function lineHint(lines: readonly string[]): string {
  const at = searchableLine(lines)
  if (at === undefined) return "Search for the part that is in one line, with context for the lines around it"
  const filled = lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]))
  const context = Math.min(Math.max(at - filled[0]!, filled.at(-1)! - at), mostContextLines)
  if (context === 0) return `Send pattern ${quoted(lines[at]!)}`
  return `Send pattern ${quoted(lines[at]!)} with context ${context}: the other lines are around its matches`
}

function plainMatch({ path, line, text, before, after }: GrepMatch) {
  return { path, line, text, ...(before && { before: [...before] }), ...(after && { after: [...after] }) }
}
