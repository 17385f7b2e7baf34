import { type Context, ToolError } from "@haft/contract"
import { type FoundResult, foundResult } from "./found-result.js"
import type { Provider, Search } from "./provider.js"
import { providerAccess } from "./provider-access.js"
import { providerFailed } from "./provider-failure.js"
import { refuseStatus } from "./refuse-status.js"

/** What a search needs of the context of a call. */
export type SearchContext = Pick<
  Context<{ net: { hosts: readonly string[] } }>,
  "network" | "compute" | "signal" | "webSearchSettings"
>

/** What a provider finds, best first. A failure names the provider and the reason. */
export async function askProvider(
  provider: Provider,
  search: Search,
  context: SearchContext,
): Promise<readonly FoundResult[]> {
  const { network, compute, signal, webSearchSettings } = context
  const deadlineMs = Date.now() + search.timeoutMs
  const leftMs = () => Math.max(1, deadlineMs - Date.now())
  try {
    const access = providerAccess(provider, webSearchSettings)
    const answer = await network.fetch({ ...provider.request(search, access), ...bounds(search) })
    refuseStatus(answer, access)
    const rows = await provider.read(answer, {
      access,
      select: (html, options) => compute.selectHtml(html, { ...options, signal, timeoutMs: leftMs() }),
    })
    return rows.slice(0, maxResults).flatMap((row) => foundResult(row, answer.url) ?? [])
  } catch (error) {
    throw ToolError.is(error) ? providerFailed(error, provider, search) : error
  }
}

// Result pages have some hundred kilobytes.
const maxBytes = 3 * 1024 * 1024
// Twice what any tool gives; a hostile answer may hold many more.
const maxResults = 100

function bounds({ timeoutMs, proxy }: Search) {
  return { timeoutMs, connectTimeoutMs: Math.min(timeoutMs, 10_000), maxBytes, ...(proxy ? { proxy } : {}) }
}
