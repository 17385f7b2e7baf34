import { type Envelope, ToolError } from "@haft/contract"
import type { RecentCall } from "@haft/guard"
import { CallSignal } from "../call/call-signal.js"
import { hashOf } from "../call/hash-of.js"

/** The calls that a session has under way: its end is the end of each of them. */
export class RunningCalls {
  private readonly sessionId: string
  private readonly running = new Set<CallSignal>()
  private ended: ToolError | undefined
  private readonly onIdle: (() => void)[] = []

  constructor(sessionId: string) {
    this.sessionId = sessionId
  }

  /** The signal of a new call; in a session that has ended it is aborted from the start. */
  begin(outer: AbortSignal | undefined): CallSignal {
    const signal = new CallSignal(outer)
    if (this.ended) signal.abort(this.ended)
    this.running.add(signal)
    return signal
  }

  finish(signal: CallSignal): void {
    this.running.delete(signal)
    if (this.running.size > 0) return
    for (const resolve of this.onIdle.splice(0)) resolve()
  }

  /** Throws in a session that has ended. */
  check(): void {
    if (this.ended) throw this.ended
  }

  /** Refuses every further call, aborts those under way and resolves when none is left. */
  async end(): Promise<void> {
    this.ended ??= new ToolError("cancelled", `Cannot use session "${this.sessionId}": it is closed`, {
      hint: "Open another session",
    })
    if (this.running.size === 0) return
    const idle = new Promise<void>((resolve) => {
      this.onIdle.push(resolve)
    })
    for (const signal of this.running) signal.abort(this.ended)
    await idle
  }
}

// Enough to notice a loop; each entry holds on to an output.
const kept = 8

/** The last calls of a session, for the watchdog. */
export class RecentCalls {
  private calls: readonly RecentCall[] = []

  list(): readonly RecentCall[] {
    return this.calls
  }

  add(tool: string, argumentsHash: string, envelope: Envelope): void {
    const calls = this.calls.slice(1 - kept)
    calls.push(new EndedCall(tool, argumentsHash, envelope))
    this.calls = calls
  }
}

class EndedCall implements RecentCall {
  readonly tool: string
  readonly argumentsHash: string
  private readonly envelope: Envelope
  private hash: string | undefined

  constructor(tool: string, argumentsHash: string, envelope: Envelope) {
    this.tool = tool
    this.argumentsHash = argumentsHash
    this.envelope = envelope
  }

  /** Hashed only when somebody compares it: most calls are never repeated. */
  get resultHash(): string {
    this.hash ??= hashOf(this.envelope.type === "output" ? this.envelope.data : this.envelope.error_text)
    return this.hash
  }
}
