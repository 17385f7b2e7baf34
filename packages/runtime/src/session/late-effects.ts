import type { ObservedEffect } from "@haft/contract"
import type { CallSession } from "./call-session.js"

/** Journals what processes do after the calls that started them have ended; what comes during a write waits for it. */
export class LateEffects {
  private readonly session: CallSession
  private readonly waiting = new Map<string, ObservedEffect[]>()
  private writing: Promise<void> | undefined
  private closed = false

  constructor(session: CallSession) {
    this.session = session
  }

  /** Never throws: an observer has nobody to report to. */
  add(callId: string, effect: ObservedEffect): void {
    if (this.closed || !this.session.journal) return
    const before = this.waiting.get(callId)
    if (before) before.push(effect)
    else this.waiting.set(callId, [effect])
    this.writing ??= this.write()
  }

  /** Settles when all that was observed is written; what comes afterwards is not taken any more. */
  async close(): Promise<void> {
    this.closed = true
    await this.writing
  }

  private async write(): Promise<void> {
    while (this.waiting.size > 0) {
      const taken = [...this.waiting]
      this.waiting.clear()
      for (const [callId, effects] of taken) await this.record(callId, effects)
    }
    this.writing = undefined
  }

  private async record(callId: string, effects: readonly ObservedEffect[]): Promise<void> {
    const { journal, id: sessionId, newId, now } = this.session
    try {
      await journal?.observe({ id: newId("prt"), callId, sessionId, effects, at: now() })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const message = `Cannot record what call "${callId}" did after its end: ${why}`
      this.session.emit({ type: "error", message })
    }
  }
}
