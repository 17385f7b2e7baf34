import { ToolError } from "@haft/contract"
import { CallSignal } from "../call/call-signal.js"

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
