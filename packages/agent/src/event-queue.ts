import type { SessionEvent } from "@haft/contract"

// Pieces of calls that run side by side alternate; nobody looks further back for one to join.
const lookBack = 16
// Of output that nobody takes the end counts; the result of its call has the rest.
const maxOutput = 256 * 1024

/** Events between their source and one reader. A slow reader gets runs of small pieces as one, and misses old output. */
export class EventQueue implements AsyncIterable<SessionEvent> {
  private waiting: SessionEvent[] = []
  private wake: (() => void) | undefined
  private isEnded = false

  push(event: SessionEvent): void {
    if (!this.joins(event)) this.waiting.push(event)
    this.wake?.()
  }

  /** The reader gets what is waiting, and then no more. */
  end(): void {
    this.isEnded = true
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent> {
    for (;;) {
      while (this.waiting.length > 0) yield this.waiting.shift()!
      if (this.isEnded) return
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
  }

  /** Puts a piece behind the last one of the same kind, where only other pieces came in between. */
  private joins(event: SessionEvent): boolean {
    if (!("delta" in event)) return false
    const last = this.waiting.length - 1
    for (let at = last; at >= 0 && at > last - lookBack; at -= 1) {
      const earlier = this.waiting[at]!
      if (!("delta" in earlier)) return false
      if (!isSameStream(earlier, event)) continue
      const delta = earlier.delta + event.delta
      this.waiting[at] = { ...event, delta: event.type === "tool-output-delta" ? delta.slice(-maxOutput) : delta }
      return true
    }
    return false
  }
}

function isSameStream(one: SessionEvent, other: SessionEvent): boolean {
  const same = (key: string) => (one as unknown as Record<string, unknown>)[key] === (other as never)[key]
  return one.type === other.type && same("turn") && same("step") && same("call")
}
