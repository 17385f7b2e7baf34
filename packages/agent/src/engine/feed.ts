import type { TurnEvent, TurnJournal } from "@haft/contract"

/** Hands the events of one session to its watchers. A slow watcher costs bounded memory and misses chunks, never records. */
export class Feed {
  private readonly watchers = new Set<Watcher>()
  private readonly sessionId: string
  private readonly journal: Pick<TurnJournal, "records">
  private isClosed = false

  constructor(sessionId: string, journal: Pick<TurnJournal, "records">) {
    this.sessionId = sessionId
    this.journal = journal
  }

  get isWatched(): boolean {
    return this.watchers.size > 0
  }

  publish(event: TurnEvent): void {
    for (const watcher of this.watchers) watcher.push(event)
  }

  close(): void {
    this.isClosed = true
    for (const watcher of this.watchers) watcher.wake()
  }

  /** Records after the cursor, from the journal as long as the watcher is behind, then live. */
  async *watch(from: number, signal: AbortSignal | undefined): AsyncGenerator<TurnEvent> {
    const watcher = new Watcher()
    const wake = () => watcher.wake()
    this.watchers.add(watcher)
    signal?.addEventListener("abort", wake)
    try {
      let cursor = from
      // Steps whose records came from the journal: their chunks in the queue are older and void.
      const superseded = new Set<string>()
      while (!signal?.aborted && !this.isClosed) {
        if (watcher.isBehind) {
          watcher.restart()
          for await (const event of this.recorded(cursor)) {
            if (signal?.aborted) return
            cursor = event.cursor
            if (event.record.kind === "step") superseded.add(`${event.record.turnId}/${event.record.key}`)
            yield event
          }
        }
        const event = watcher.shift(cursor)
        if (!event) {
          superseded.clear()
          if (!watcher.isBehind && !signal?.aborted && !this.isClosed) await watcher.nextEvent()
          continue
        }
        if (event.type === "record") cursor = event.cursor
        else if (superseded.has(`${event.turnId}/${event.key}`)) continue
        yield event
      }
    } finally {
      signal?.removeEventListener("abort", wake)
      this.watchers.delete(watcher)
    }
  }

  private async *recorded(from: number): AsyncGenerator<TurnEvent & { readonly type: "record" }> {
    for (let cursor = from; ; ) {
      const page = await this.journal.records(this.sessionId, { from: cursor, limit: pageSize })
      for (const record of page) yield { type: "record", cursor: ++cursor, record }
      if (page.length < pageSize) return
    }
  }
}

const pageSize = 256
/** What a watcher that does not read may hold back: a few seconds of a fast stream. */
const mostQueued = 2048

/** The events that one watcher has not taken yet. */
class Watcher {
  /** True until the first look at the journal, and again after more events than the queue holds. */
  isBehind = true
  private queue: TurnEvent[] = []
  private taken = 0
  private wakeUp: (() => void) | undefined

  push(event: TurnEvent): void {
    if (this.isBehind) return
    if (this.queue.length - this.taken >= mostQueued) {
      this.isBehind = true
      this.queue = []
      this.taken = 0
    } else this.queue.push(event)
    this.wake()
  }

  /** Collects from now on; what came before is in the journal. */
  restart(): void {
    this.isBehind = false
    this.queue = []
    this.taken = 0
  }

  /** The next event that does not belong before the cursor. */
  shift(cursor: number): TurnEvent | undefined {
    while (this.taken < this.queue.length) {
      const event = this.queue[this.taken++]!
      if (event.type === "chunk" || event.cursor > cursor) return event
    }
    if (this.taken > 0) {
      this.queue = []
      this.taken = 0
    }
    return undefined
  }

  wake(): void {
    this.wakeUp?.()
    this.wakeUp = undefined
  }

  nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.wakeUp = resolve
    })
  }
}
