import type { Execute } from "@haft/contract"
import { searchTimeoutMs, skippedField } from "../shared.js"
import type { manifest } from "./index.js"

/** Looks for up to ten times the limit: the runtime shows the first part and keeps the rest in a file. */
export const execute: Execute<typeof manifest> = async ({ pattern, path }, { search, limit }) => {
  const found = await search.glob({
    pattern,
    ...(path !== undefined && { path }),
    maxPaths: 10 * limit,
    timeoutMs: searchTimeoutMs,
  })
  return {
    paths: [...found.paths],
    complete: found.complete,
    ...(found.total !== undefined && { total: found.total }),
    ...skippedField(found.skipped),
    ...(found.timedOut && { timed_out: true as const }),
  }
}
