import type { SessionEvent } from "@haft/contract"

// Pieces of calls that run side by side alternate; nobody looks further back for one to join.
const lookBack = 16
// Of output that nobody takes the end counts; the result of its call has the rest.
const maxOutput = 256 * 1024

/**
 * Events between their source and one reader. A slow reader gets runs of small pieces as one, and misses old output. An
 * iterator by hand: an async generator takes three promises an event (bench: agent-step).
 */
export class EventQueue implements AsyncIterableIterator<SessionEvent> {
  private waiting: SessionEvent[] = []
  /** Reads that wait for an event: one, unless somebody reads ahead. */
  private readonly readers: ((result: IteratorResult<SessionEvent>) => void)[] = []
  private isEnded = false
  private readonly onLeave: (() => void) | undefined

  /** `onLeave` is called when the reader has got the last event, or wants no more. */
  constructor(onLeave?: () => void) {
    this.onLeave = onLeave
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<SessionEvent> {
    return this
  }

  push(event: SessionEvent): void {
    if (this.isEnded) return
    const reader = this.readers.shift()
    if (reader) reader({ value: event, done: false })
    else if (!this.joins(event)) this.waiting.push(event)
  }

  /** The reader gets what is waiting, and then no more. */
  end(): void {
    this.isEnded = true
    for (const reader of this.readers.splice(0)) reader(this.leave())
  }

  next(): Promise<IteratorResult<SessionEvent>> {
    const value = this.waiting.shift()
    if (value) return Promise.resolve({ value, done: false })
    if (this.isEnded) return Promise.resolve(this.leave())
    return new Promise((resolve) => {
      this.readers.push(resolve)
    })
  }

  return(): Promise<IteratorResult<SessionEvent>> {
    this.waiting = []
    this.end()
    return Promise.resolve(this.leave())
  }

  private leave(): IteratorResult<SessionEvent> {
    this.onLeave?.()
    return { value: undefined, done: true }
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
