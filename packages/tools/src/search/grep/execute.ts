import type { Execute, GrepMatch } from "@haft/contract"
import { searchTimeoutMs } from "../shared/search-timeout-ms.js"
import { skippedField } from "../shared/skipped.js"
import type { manifest } from "./manifest.js"

/** Looks for up to ten times the limit: the runtime shows the first part and keeps the rest in a file. */
export const execute: Execute<typeof manifest> = async (input, { search, limit }) => {
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

function plainMatch({ path, line, text, before, after }: GrepMatch) {
  return { path, line, text, ...(before && { before: [...before] }), ...(after && { after: [...after] }) }
}
