import { ToolError } from "@haft/contract"
import { startDeadline } from "./deadline.js"

// How long a tool may take to wind up and return what it has, once its call was aborted.
const windUpMs = 1000

/** The one signal of a call: it aborts when the caller or the session does, or when the deadline of the work passes. */
export class CallSignal {
  private readonly outer: AbortSignal | undefined
  private controller: AbortController | undefined
  private reason: ToolError | undefined
  private readonly listeners = new Set<() => void>()

  constructor(outer: AbortSignal | undefined) {
    this.outer = outer
  }

  /** Made at first use: an AbortController costs more than all checks of a small call. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.reason) this.controller.abort(this.reason)
    return this.controller.signal
  }

  /** Whether `signal` is aborted, or would be if somebody had asked for it. */
  get aborted(): boolean {
    return this.reason !== undefined
  }

  /** Calls back when the call is aborted, at once when it is already; gives what ends that. Makes no signal. */
  onAbort(listener: () => void): () => void {
    if (this.reason) listener()
    else this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Ends the call with this reason; the first reason is the one that counts. */
  abort(reason: ToolError): void {
    if (this.reason) return
    this.reason = reason
    this.controller?.abort(reason)
    for (const listener of this.listeners) listener()
    this.listeners.clear()
  }

  /** Throws when the caller has already given up, or the session has ended. */
  check(): void {
    if (this.reason) throw this.reason
    if (this.outer?.aborted) throw cancelled(this.outer.reason)
  }

  /** Waits without a deadline, for instance for a person; ends at once when the caller gives up. */
  wait<T>(work: Promise<T>): Promise<T> {
    return this.race(work, { timeoutMs: undefined, windUpMs: 0 })
  }

  /** Waits for the work of a tool; after an abort only as long as the tool needs to wind up. */
  work<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    return this.race(work, { timeoutMs, windUpMs })
  }

  private race<T>(work: Promise<T>, options: { timeoutMs: number | undefined; windUpMs: number }): Promise<T> {
    const { outer } = this
    return new Promise<T>((settle, fail) => {
      let windUp: NodeJS.Timeout | undefined
      const stopListening = this.onAbort(() => {
        windUp = setTimeout(() => {
          done()
          fail(this.reason)
        }, options.windUpMs)
      })
      const onOuterAbort = () => this.abort(cancelled(outer?.reason))
      const { timeoutMs } = options
      const deadline =
        timeoutMs === undefined ? undefined : startDeadline(timeoutMs, () => this.abort(timedOut(timeoutMs)))
      outer?.addEventListener("abort", onOuterAbort, { once: true })
      if (outer?.aborted) onOuterAbort()
      const done = () => {
        stopListening()
        deadline?.clear()
        clearTimeout(windUp)
        outer?.removeEventListener("abort", onOuterAbort)
      }
      work.then(
        (value) => {
          done()
          settle(value)
        },
        (error) => {
          done()
          // A wait that ended because of the abort reports the abort, whatever it threw.
          fail(this.reason && !ToolError.is(error) ? this.reason : error)
        },
      )
    })
  }
}

function cancelled(reason: unknown): ToolError {
  if (ToolError.is(reason)) return reason
  return new ToolError("cancelled", "Cancelled by the caller", reason === undefined ? {} : { cause: reason })
}

function timedOut(timeoutMs: number): ToolError {
  return new ToolError("timeout", `The call did not end within ${timeoutMs} ms`, {
    hint: "Ask for less at a time",
  })
}
