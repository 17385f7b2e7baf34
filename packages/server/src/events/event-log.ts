import { randomBytes } from "node:crypto"
import type { SessionEvent } from "@haft/contract"
import { type Place, placeOf } from "./unit-of.js"

/** How much one session's log holds. */
export interface LogLimits {
  /** Of everything; units that have ended go first. */
  readonly maxBytes: number
  /** Of the pieces of one unit that has not ended; the oldest go first. */
  readonly maxPieceBytes: number
}

const usual: LogLimits = { maxBytes: 4 * 1024 * 1024, maxPieceBytes: 256 * 1024 }

// What an entry costs besides its text.
const entryBytes = 200

/** An event in the log, written down once for all readers. */
export interface LogEntry {
  /** Counts up from 1. */
  readonly number: number
  readonly text: string
  readonly unit: string | undefined
}

interface Entry extends LogEntry {
  readonly isPiece: boolean
  isGone: boolean
}

interface Unit {
  entries: Entry[]
  pieceBytes: number
}

/**
 * The last events of one session, shared by all its readers: a reader has a place in the log and no queue of its own, so
 * that a slow one costs nothing. A unit is here whole, or it has ended and is in the journal.
 */
export class EventLog {
  /** Names this log in cursors: the log of another process, or of a session that was opened again, is another one. */
  readonly stream = randomBytes(6).toString("base64url")
  private readonly limits: LogLimits
  private entries: Entry[] = []
  private readonly open = new Map<string, Unit>()
  /** Units that have ended, oldest first. */
  private readonly ended = new Map<string, Unit>()
  private readonly waiting = new Set<() => void>()
  private readonly watching = new Set<Set<string>>()
  private count = 0
  private dropped = 0
  private size = 0
  private goneEntries = 0
  private closed = false

  constructor(limits: Partial<LogLimits> = {}) {
    this.limits = { ...usual, ...limits }
  }

  /** The number of the last event. */
  get last(): number {
    return this.count
  }

  /** A reader whose place is below this has missed an event that is in the journal alone now. */
  get floor(): number {
    return this.dropped
  }

  /** What the log holds, in bytes. */
  get bytes(): number {
    return this.size
  }

  get isClosed(): boolean {
    return this.closed
  }

  append(event: SessionEvent): void {
    if (this.closed) return
    const { unit: name, isPiece, ends } = this.placeOf(event)
    const entry: Entry = { number: ++this.count, text: JSON.stringify(event), unit: name, isPiece, isGone: false }
    this.entries.push(entry)
    this.size += costOf(entry)
    const key = name ?? `event ${entry.number}`
    const unit = this.unitOf(key)
    // What came of the reply until here is void.
    if (event.type === "reply-restart") this.removePieces(unit)
    unit.entries.push(entry)
    if (isPiece) this.limitPieces(unit, entry)
    if (ends) this.end(key, unit)
    if (event.type === "turn-end") this.endReplies(event.turn)
    if (name !== undefined) for (const seen of this.watching) seen.add(name)
    this.trim()
    this.wake()
  }

  /** The entries after a place that are still here, oldest first, at most so many bytes of them. */
  after(number: number, maxBytes = Number.POSITIVE_INFINITY): readonly LogEntry[] {
    const found: Entry[] = []
    let bytes = 0
    for (let at = this.indexAfter(number); at < this.entries.length && bytes < maxBytes; at += 1) {
      const entry = this.entries[at]!
      if (entry.isGone) continue
      found.push(entry)
      bytes += entry.text.length
    }
    return found
  }

  /** Collects the names of all units that have an event from now on, until the returned function is called. */
  watch(seen: Set<string>): () => void {
    this.watching.add(seen)
    return () => void this.watching.delete(seen)
  }

  /** Resolves at the next event, at the end of the log, or after so long. */
  next(maxMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener("abort", done)
        this.waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, maxMs)
      this.waiting.add(done)
      signal.addEventListener("abort", done)
      if (signal.aborted || this.closed) done()
    })
  }

  /** Nothing comes any more; readers are woken and see it. */
  close(): void {
    this.closed = true
    this.wake()
  }

  private placeOf(event: SessionEvent): Place {
    const place = placeOf(event)
    // A subagent that goes on behind the end of its call, which is whole in the journal.
    const isLate = event.type === "child-start" && !this.open.has(place.unit!)
    return isLate ? { isPiece: false, ends: true } : place
  }

  private unitOf(key: string): Unit {
    // A turn that goes on in another process begins again: its unit is open again.
    const known = this.open.get(key) ?? this.ended.get(key)
    const unit = known ?? { entries: [], pieceBytes: 0 }
    this.ended.delete(key)
    this.open.set(key, unit)
    return unit
  }

  /** The unit is whole: its pieces are void, and all of it may go when room is needed. */
  private end(key: string, unit: Unit): void {
    this.open.delete(key)
    this.removePieces(unit)
    this.ended.set(key, unit)
  }

  private removePieces(unit: Unit): void {
    for (const entry of unit.entries) if (entry.isPiece) this.remove(entry)
    unit.entries = unit.entries.filter(({ isGone }) => !isGone)
    unit.pieceBytes = 0
  }

  /** Replies that a turn broke off have no end of their own. */
  private endReplies(turn: string): void {
    for (const [key, unit] of this.open) if (key.startsWith(`reply ${turn} `)) this.end(key, unit)
  }

  private limitPieces(unit: Unit, latest: Entry): void {
    unit.pieceBytes += costOf(latest)
    while (unit.pieceBytes > this.limits.maxPieceBytes) {
      const at = unit.entries.findIndex(({ isPiece, isGone }) => isPiece && !isGone)
      const oldest = unit.entries[at]
      if (oldest === undefined || oldest === latest) return
      unit.entries.splice(at, 1)
      unit.pieceBytes -= costOf(oldest)
      this.remove(oldest)
    }
  }

  private trim(): void {
    for (const [key, unit] of this.ended) {
      if (this.size <= this.limits.maxBytes) break
      this.ended.delete(key)
      for (const entry of unit.entries) {
        this.remove(entry)
        this.dropped = Math.max(this.dropped, entry.number)
      }
    }
    if (this.goneEntries < 512 || this.goneEntries < this.entries.length / 2) return
    this.entries = this.entries.filter(({ isGone }) => !isGone)
    this.goneEntries = 0
  }

  private remove(entry: Entry): void {
    if (entry.isGone) return
    entry.isGone = true
    this.size -= costOf(entry)
    this.goneEntries += 1
  }

  private indexAfter(number: number): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.entries[middle]!.number > number) high = middle
      else low = middle + 1
    }
    return low
  }

  private wake(): void {
    for (const done of [...this.waiting]) done()
  }
}

function costOf({ text }: LogEntry): number {
  return text.length + entryBytes
}
