import type { ErrorCode } from "@haft/contract"
import type { ProviderId } from "@haft/tools/web/shared/search/provider-id.js"

/** Keeps a session from asking an engine again and again that does not work. */
export interface CircuitBreaker {
  /** How long the engine is still left out; 0 when it may be asked. */
  pauseMs(engine: ProviderId, nowMs: number): number
  succeeded(engine: ProviderId): void
  failed(engine: ProviderId, code: ErrorCode, nowMs: number): void
}

/** Failures in a row after which an engine is left out for a while. */
export const failuresToPause = 3
const pauseLengthMs = 60_000

/** A breaker for every engine of a session. After the pause one more failure is enough for the next. */
export function circuitBreaker(): CircuitBreaker {
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
