import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider"
import type { CallerSignal } from "@haft/contract"
import { type ModelClock, Watch } from "./clock.js"
import { ModelError, type ModelFailure, modelFailure } from "./model-error.js"
import type { ModelReply, ReplyChunk } from "./reply.js"
import { type ReplyLimits, streamReply } from "./stream-reply.js"

/** A try that failed and the one that follows. */
export interface ReplyRetry {
  /** The number of the next try; the first try was 1. */
  readonly attempt: number
  readonly delayMs: number
  readonly failure: ModelFailure
  /** Whether pieces of the try that failed were shown. */
  readonly wasShown: boolean
}

/** How a model is asked until it replies. */
export interface RetryOptions {
  readonly signal: CallerSignal
  readonly clock: ModelClock
  /** From 0 up to 1; spreads the retries of many sessions. */
  readonly random: () => number
  readonly limits?: ReplyLimits | undefined
  /** All tries together, the first included. */
  readonly maxTries?: number | undefined
  /** A provider that asks for a longer wait ends the reply instead. */
  readonly maxWaitMs?: number | undefined
  readonly onChunk?: ((chunk: ReplyChunk) => void) | undefined
  /** Called before the wait: the pieces that were shown until then are void. */
  readonly onRetry?: ((retry: ReplyRetry) => void) | undefined
}

// Half a second, one, two, four: a few seconds in all before the failure is reported.
const firstDelayMs = 500
const defaultMaxTries = 5
const defaultMaxWaitMs = 60_000

/**
 * Asks until there is a whole reply. Repeats what may heal by itself (limits of rate, overload, network), with delays that
 * double and vary, and no sooner than the provider asks. Throws the last failure.
 */
export function retryReply(
  model: LanguageModelV3,
  call: Omit<LanguageModelV3CallOptions, "abortSignal" | "includeRawChunks">,
  options: RetryOptions,
): Promise<ModelReply> {
  const { signal, clock, limits, maxTries = defaultMaxTries } = options
  const tryFor = (attempt: number): Promise<ModelReply> => {
    let wasShown = false
    const onChunk = (chunk: ReplyChunk) => {
      wasShown = true
      options.onChunk?.(chunk)
    }
    return streamReply(model, call, { signal, clock, limits, onChunk }).catch(async (error: unknown) => {
      if (!(error instanceof ModelError) || !error.failure.retryable) throw error
      if (attempt >= maxTries) throw gaveUp(error.failure, attempt)
      await waitForTurn({ failure: error.failure, wasShown }, attempt, options)
      return tryFor(attempt + 1)
    })
  }
  return tryFor(1)
}

async function waitForTurn(
  { failure, wasShown }: Pick<ReplyRetry, "failure" | "wasShown">,
  attempt: number,
  options: RetryOptions,
): Promise<void> {
  const { signal, clock, random, maxWaitMs = defaultMaxWaitMs } = options
  const asked = failure.retryAfterMs ?? 0
  if (asked > maxWaitMs) throw new ModelError(tooLong(failure, asked))
  // From half to the whole: never at once, and never all sessions together.
  const backoff = firstDelayMs * 2 ** (attempt - 1) * (0.5 + random() / 2)
  const delayMs = Math.round(Math.min(maxWaitMs, Math.max(asked, backoff)))
  options.onRetry?.({ attempt: attempt + 1, delayMs, failure, wasShown })
  const watch = new Watch(signal, clock)
  try {
    await watch.sleep(delayMs)
  } catch (error) {
    throw new ModelError(modelFailure("cancelled", "The reply was stopped"), error)
  } finally {
    watch.end()
  }
}

function gaveUp(failure: ModelFailure, tries: number): ModelError {
  return new ModelError({ ...failure, message: `${failure.message} (gave up after ${tries} tries)`, retryable: false })
}

function tooLong(failure: ModelFailure, askedMs: number): ModelFailure {
  const message = `${failure.message} (it asks to wait ${Math.ceil(askedMs / 1000)} seconds)`
  return { ...failure, message, retryable: false }
}
