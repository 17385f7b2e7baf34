import { type SessionEvent, ToolError } from "@haft/contract"
import type { CallSession } from "@haft/runtime"

/** What a reader may be behind before it loses pieces of streamed output, and before it is given up. */
const mostPieces = 1_000
const mostEvents = 10_000

/** The events of a session from now on, and errors of its start, until one of the signals aborts. Nothing is missed before the first read. */
export function eventsOf(
  session: Pick<CallSession, "listen" | "takeUnheard">,
  ends: readonly AbortSignal[],
): AsyncIterableIterator<SessionEvent> {
  return new EventReader(session, ends)
}

class EventReader implements AsyncIterableIterator<SessionEvent> {
  private queue: SessionEvent[] = []
  private waiting: ((result: IteratorResult<SessionEvent>) => void)[] = []
  private isOver = false
  private isLate = false
  private readonly leave: () => void

  constructor(session: Pick<CallSession, "listen" | "takeUnheard">, ends: readonly AbortSignal[]) {
    this.queue.push(...session.takeUnheard())
    const unlisten = session.listen((event) => this.push(event))
    const end = () => this.end()
    for (const signal of ends) signal.addEventListener("abort", end, { once: true })
    this.leave = () => {
      unlisten()
      for (const signal of ends) signal.removeEventListener("abort", end)
    }
    if (ends.some(({ aborted }) => aborted)) this.end()
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<SessionEvent> {
    return this
  }

  next(): Promise<IteratorResult<SessionEvent>> {
    const event = this.queue.shift()
    if (event) return Promise.resolve({ value: event, done: false })
    if (this.isLate) {
      this.isLate = false
      return Promise.reject(
        new ToolError("too_large", `Cannot give all events: the reader is more than ${mostEvents} behind`, {
          hint: "Read them faster, or read the journal with haft.store()",
        }),
      )
    }
    if (this.isOver) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  return(): Promise<IteratorResult<SessionEvent>> {
    this.queue = []
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }

  private push(event: SessionEvent): void {
    const reader = this.waiting.shift()
    if (reader) reader({ value: event, done: false })
    else if (this.queue.length >= mostPieces && event.type.endsWith("-delta")) return
    else if (this.queue.length < mostEvents) this.queue.push(event)
    else {
      this.isLate = true
      this.end()
    }
  }

  /** What was queued is still given. */
  private end(): void {
    if (this.isOver) return
    this.isOver = true
    this.leave()
    for (const resolve of this.waiting.splice(0)) resolve({ value: undefined, done: true })
  }
}
