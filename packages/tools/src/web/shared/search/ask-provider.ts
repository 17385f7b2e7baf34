import { type Context, type HttpResponse, ToolError } from "@haft/contract"
import { textAt } from "./answer-json.js"
import { answerText } from "./answer-text.js"
import { type FoundResult, foundResult } from "./found-result.js"
import type { Provider, ProviderAccess, Search } from "./provider.js"
import { providerFailed } from "./provider-failure.js"
import { providerAccess } from "./provider-place.js"

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

/** Throws for a status that is no success. A challenge may well have one: finding it is for the reader of the page. */
function refuseStatus(answer: HttpResponse, { key }: ProviderAccess): void {
  const { status, headers } = answer
  if (status >= 200 && status < 300) return
  if (status === 429) throw new ToolError("rate_limited", `it has had too many requests${retryAfter(headers)}`)
  if (key !== undefined && (status === 401 || status === 403)) {
    throw new ToolError("not_configured", `it refused the key (status ${status})`, {
      fix: "Give another key in the environment",
    })
  }
  if (status === 401 || status === 403) {
    throw new ToolError("unavailable", `it refused the request (status ${status})`, {
      fix: "Set webSearch.provider to another one; a SearXNG server must offer results as JSON (search.formats)",
    })
  }
  const words = (spokenReason(answer) ?? "").replaceAll(key ?? " ", " ").slice(0, 200)
  const reason = `it answered with status ${status}${words.trim() === "" ? "" : `: ${words}`}`
  throw new ToolError(status >= 500 ? "unavailable" : "backend", reason)
}

function retryAfter(headers: HttpResponse["headers"]): string {
  const seconds = headers["retry-after"]
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? `; it asks to wait ${seconds} s` : ""
}

/** What the body says about the failure, where it is JSON of a usual form. */
function spokenReason(answer: HttpResponse): string | undefined {
  if (!answer.headers["content-type"]?.includes("json")) return undefined
  try {
    const json: unknown = JSON.parse(answerText(answer))
    const places = [["error", "detail"], ["error", "info"], ["detail", "error"], ["detail"], ["message"], ["error"]]
    return places.map((path) => textAt(json, ...path)).find((words) => words !== undefined)
  } catch {
    return undefined
  }
}
