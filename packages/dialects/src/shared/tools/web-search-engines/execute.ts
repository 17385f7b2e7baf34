import { type Execute, ToolError } from "@haft/contract"
import { countSearch } from "@haft/tools/web/shared/search/count-search.js"
import { reasonOf } from "@haft/tools/web/shared/search/provider-failure.js"
import { searchQuery } from "@haft/tools/web/shared/search/search-query.js"
import { askEngine, type EngineAnswer } from "./ask-engine.js"
import { domainFilter } from "./domain-filter.js"
import type { manifest } from "./index.js"
import { mergeResults } from "./merge-results.js"
import { knownEngines, parseEngines } from "./parse-engines.js"

/** Asks all engines at once, each within the whole time, and gives what those found that answered. */
export const execute: Execute<typeof manifest> = async (input, context) => {
  const { limit, timeout, proxy, allowed_domains: allowed, blocked_domains: blocked } = input
  const text = searchQuery(input.query)
  const { engines, unknown } = parseEngines(input.engines)
  await countSearch(context.memory, context.webSearchSettings)
  // A filter leaves few of the results, so more are asked for.
  const count = allowed || blocked ? mostResults : limit
  const search = { text, count, timeoutMs: timeout * 1000, proxy }
  const answers = await Promise.all(engines.map((engine) => askEngine(engine, search, context)))
  const found = answers.filter((answer) => answer.status === "found")
  const failures = answers.filter((answer) => answer.status === "failed")
  if (found.length === 0) throw allFailed(failures)
  const passes = domainFilter(allowed, blocked)
  return {
    results: mergeResults(found)
      .filter(({ url }) => passes(url))
      .slice(0, limit)
      .map((result) => ({ ...result, engines: [...result.engines] })),
    failed: [
      ...failures.map(({ engine, error }) => ({ engine, reason: reasonOf(error) })),
      ...unknown.map((engine) => ({ engine, reason: `it is no known engine; known are ${knownEngines}` })),
    ],
  }
}

const mostResults = 50

/** One failure of several: the code that they share, and the reason of each. */
function allFailed(failures: readonly Extract<EngineAnswer, { status: "failed" }>[]): ToolError {
  const [first, ...others] = failures.map(({ error }) => error)
  const cancelled = failures.find(({ error }) => error.code === "cancelled")
  if (cancelled || others.length === 0) return cancelled?.error ?? first!
  const isShared = others.every(({ code }) => code === first!.code)
  const reasons = failures.map(({ engine, error }) => `${engine}: ${reasonOf(error)}`)
  return new ToolError(isShared ? first!.code : "unavailable", `Cannot search the web: ${reasons.join("; ")}`, {
    hint: first!.steps.length > 0 ? first!.steps : [{ say: "Try other {key:engines}" }, "Try later"],
    fix: first!.fix,
    details: { failed: failures.map(({ engine, error }) => ({ engine, code: error.code, reason: reasonOf(error) })) },
  })
}
