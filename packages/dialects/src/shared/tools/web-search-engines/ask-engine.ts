import { canonicalJson, type ErrorCode, type SessionMemory, ToolError } from "@haft/contract"
import { askProvider, type SearchContext } from "@haft/tools/web/shared/search/ask-provider.js"
import type { FoundResult } from "@haft/tools/web/shared/search/found-result.js"
import type { Search } from "@haft/tools/web/shared/search/provider.js"
import type { ProviderId } from "@haft/tools/web/shared/search/provider-id.js"
import { providers } from "@haft/tools/web/shared/search/providers/index.js"
import { sessionState } from "@haft/tools/web/shared/search/session-state.js"

export type EngineAnswer =
  | { readonly status: "found"; readonly engine: ProviderId; readonly results: readonly FoundResult[] }
  | { readonly status: "failed"; readonly engine: ProviderId; readonly error: ToolError }

/** Asks an engine, unless it is paused; searches that are the same and run at the same time are made once. */
export async function askEngine(
  engine: ProviderId,
  search: Search,
  context: SearchContext & { readonly memory: SessionMemory },
): Promise<EngineAnswer> {
  const { breaker, running } = sessionState(context.memory, "web-search-engines", createState)
  const pauseMs = breaker.pauseMs(engine, Date.now())
  if (pauseMs > 0) return { status: "failed", engine, error: paused(engine, pauseMs) }
  const key = canonicalJson([engine, search])
  for (let same = running.get(key); same !== undefined; same = running.get(key)) {
    const answer = await same
    // The caller who made it may have given up; that is no answer for those who only waited with it.
    const isOurs = answer.status === "found" || answer.error.code !== "cancelled" || context.signal.aborted
    if (isOurs) return answer
  }
  const asked = ask()
  running.set(key, asked)
  return asked

  async function ask(): Promise<EngineAnswer> {
    try {
      const results = await askProvider(providers[engine], search, context)
      breaker.succeeded(engine)
      return { status: "found", engine, results }
    } catch (error) {
      if (!ToolError.is(error)) throw error
      breaker.failed(engine, error.code, Date.now())
      return { status: "failed", engine, error }
    } finally {
      running.delete(key)
    }
  }
}

function createState() {
  return { breaker: circuitBreaker(), running: new Map<string, Promise<EngineAnswer>>() }
}

function paused(engine: ProviderId, pauseMs: number): ToolError {
  const { label } = providers[engine]
  const seconds = Math.ceil(pauseMs / 1000)
  return new ToolError(
    "unavailable",
    `Cannot search with ${label}: it failed ${failuresToPause} times in a row; it is left out for ${seconds} s more`,
  )
}

/** Keeps a session from asking an engine again and again that does not work. */
interface CircuitBreaker {
  /** How long the engine is still left out; 0 when it may be asked. */
  pauseMs(engine: ProviderId, nowMs: number): number
  succeeded(engine: ProviderId): void
  failed(engine: ProviderId, code: ErrorCode, nowMs: number): void
}

/** Failures in a row after which an engine is left out for a while. */
const failuresToPause = 3
const pauseLengthMs = 60_000

/** A breaker for every engine of a session. After the pause one more failure is enough for the next. */
function circuitBreaker(): CircuitBreaker {
  const failures = new Map<ProviderId, { readonly count: number; readonly atMs: number }>()
  return {
    pauseMs(engine, nowMs) {
      const { count, atMs } = failures.get(engine) ?? { count: 0, atMs: 0 }
      return count < failuresToPause ? 0 : Math.max(0, atMs + pauseLengthMs - nowMs)
    },
    succeeded: (engine) => void failures.delete(engine),
    failed(engine, code, nowMs) {
      if (!isFaultOfEngine(code)) return
      failures.set(engine, { count: (failures.get(engine)?.count ?? 0) + 1, atMs: nowMs })
    },
  }
}

/** A refusal on our side, a caller who gave up or a missing setting says nothing about the engine. */
function isFaultOfEngine(code: ErrorCode): boolean {
  return ["timeout", "unavailable", "rate_limited", "backend", "too_large"].includes(code)
}
