import { addUsage, type CallRecord, type LateEffects, noUsage, ToolError, type Usage } from "@haft/contract"
import { type Appender, appendParts } from "./append-parts.js"
import {
  type CallTexts,
  type ChainHead,
  callDraft,
  createCallTexts,
  type PartDraft,
  placePart,
  type Tail,
} from "./call-record.js"
import { Clash, type Driver, type JournalWrite } from "./driver/driver.js"
import { lateDraft } from "./late-effects.js"
import { silenceMs } from "./lease/owner.js"
import type { Redactor } from "./redact/create-redactor.js"
import { sumOfUsages } from "./usage-sums.js"

/** What a recorder writes with. */
export interface RecorderOptions {
  readonly driver: Driver
  readonly redact: Redactor
  readonly appender: () => Appender
  /** Called when a session's saved head has fallen far behind. */
  readonly onLag: (sessionId: string) => void
}

/** Writes calls as parts, in groups: what arrives in one turn of the event loop is one commit. */
export class Recorder {
  private readonly texts: CallTexts
  private readonly owned = new Map<string, OwnedSession>()
  private readonly begun = new Set<string>()
  private pending: Pending[] = []
  private flushing: Promise<void> | undefined
  private groupsInTurn = 0

  constructor(private readonly options: RecorderOptions) {
    this.texts = createCallTexts(options.redact)
  }

  // Functions of the instance: the store has them as its own, without a hop at each call.
  readonly begin = (record: CallRecord): Promise<void> => {
    const { envelope: _, ...open } = record
    return this.append(callDraft(open, this.texts.begin(open)))
  }

  readonly settle = async (record: CallRecord): Promise<void> => {
    if (record.envelope) return this.append(callDraft(record, this.texts.settle(record)))
    const reason = "it has no envelope; begin is for open calls"
    throw new ToolError("internal", `Cannot settle call "${record.callId}": ${reason}`)
  }

  readonly observe = (late: LateEffects): Promise<void> => this.append(lateDraft(late, this.options.redact))

  /** Resolves when the part is durable. */
  append(draft: PartDraft): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending.push({ draft, resolve, reject })
      this.flushing ??= this.moment().then(() => this.flushAll())
    })
  }

  /** From now on this process alone appends calls to the session, so its tail may be kept in memory while the lease is fresh. */
  own(sessionId: string, tail: Tail): void {
    const { seq } = tail.head
    this.owned.set(sessionId, { renewed: clocks(), tail, savedSeq: seq, askedSeq: seq, unsavedUsage: undefined })
  }

  /** The lease of an owned session was renewed at this time. */
  renew(sessionId: string, renewed: Clocks): void {
    const session = this.owned.get(sessionId)
    if (session) session.renewed = renewed
  }

  disown(sessionId: string): void {
    this.owned.delete(sessionId)
  }

  /** The head of an owned session that the session's row does not hold yet. */
  unsavedHead(sessionId: string): ChainHead | undefined {
    const session = this.owned.get(sessionId)
    return session?.tail && session.tail.head.seq > session.savedSeq ? session.tail.head : undefined
  }

  markSaved(sessionId: string, head: ChainHead): void {
    const session = this.owned.get(sessionId)
    if (session) session.savedSeq = Math.max(session.savedSeq, head.seq)
  }

  /** What the session's sums do not hold yet; it counts as saved from now on. */
  takeUsage(sessionId: string): Usage | undefined {
    const session = this.owned.get(sessionId)
    const usage = session?.unsavedUsage
    if (session) session.unsavedUsage = undefined
    return usage
  }

  /** Counts as not saved (yet). */
  addUsage(sessionId: string, usage: Usage | undefined): void {
    const session = this.owned.get(sessionId)
    if (session && usage) session.unsavedUsage = addUsage(session.unsavedUsage ?? noUsage, usage)
  }

  /** Resolves when everything that was appended is written or has failed. */
  async drain(): Promise<void> {
    await this.flushing
  }

  /**
   * The first groups of a turn go at once, what comes later in the same turn waits for its end: a lone call is not
   * delayed, and a thousand calls are a few commits.
   */
  private moment(): Promise<void> {
    if (this.groupsInTurn >= promptGroups) return new Promise((resolve) => setImmediate(resolve))
    this.groupsInTurn++
    if (this.groupsInTurn === 1) {
      setImmediate(() => {
        this.groupsInTurn = 0
      })
    }
    return Promise.resolve()
  }

  private async flushAll(): Promise<void> {
    while (this.pending.length > 0) {
      const group = this.pending
      this.pending = []
      const left = await this.writeHot(group)
      if (left.length > 0) await this.writeSlow(left)
    }
    this.flushing = undefined
  }

  /** Continues the chains of owned sessions from memory. Returns what must go the slow way. */
  private async writeHot(group: readonly Pending[]): Promise<readonly Pending[]> {
    const { driver } = this.options
    const tails = new Map<string, Tail>()
    const writes: JournalWrite[] = []
    const hot: Pending[] = []
    for (const item of group) {
      const { draft } = item
      const tail = tails.get(draft.sessionId) ?? this.freshTail(draft.sessionId)
      if (!tail) continue
      const placed = placePart(draft, tail)
      tails.set(draft.sessionId, placed.tail)
      const kind = this.begun.has(draft.id) ? "settle" : "insert"
      if (placed.message) writes.push({ kind: "message", row: placed.message, synced: false })
      // The end of a call that must not run twice counts as much as its beginning.
      writes.push({ kind, row: placed.row, synced: draft.synced || kind === "settle" })
      hot.push(item)
    }
    if (hot.length === 0) return group
    try {
      await driver.write(writes)
    } catch (error) {
      // What is on disk is not known now; the next write finds out.
      this.forget(tails.keys())
      if (error instanceof Clash) return group
      for (const item of hot) item.reject(driver.explain(error, "write to the journal"))
      return group.filter((item) => !hot.includes(item))
    }
    this.keep(tails)
    for (const { draft } of hot) if (draft.usage) this.addUsage(draft.sessionId, sumOfUsages([draft]))
    this.finish(hot)
    return hot.length === group.length ? none : group.filter((item) => !hot.includes(item))
  }

  private async writeSlow(group: readonly Pending[]): Promise<void> {
    try {
      const drafts = group.map((item) => item.draft)
      this.keep(await appendParts(this.options, drafts))
      this.finish(group)
    } catch (error) {
      this.forget(group.map((item) => item.draft.sessionId))
      if (group.length === 1) return group[0]!.reject(error)
      // One part that cannot be written must not take the others with it.
      for (const item of group) await this.writeSlow([item])
    }
  }

  private freshTail(sessionId: string): Tail | undefined {
    const session = this.owned.get(sessionId)
    return session && isFresh(session.renewed) ? session.tail : undefined
  }

  private keep(tails: ReadonlyMap<string, Tail>): void {
    for (const [sessionId, tail] of tails) {
      const session = this.owned.get(sessionId)
      if (!session) continue
      session.tail = tail
      if (tail.head.seq - session.askedSeq < headEvery) continue
      session.askedSeq = tail.head.seq
      this.options.onLag(sessionId)
    }
  }

  private forget(sessionIds: Iterable<string>): void {
    for (const sessionId of sessionIds) {
      const session = this.owned.get(sessionId)
      if (session) session.tail = undefined
    }
  }

  private finish(items: readonly Pending[]): void {
    for (const { draft, resolve } of items) {
      if (draft.chained) this.begun.delete(draft.id)
      else this.begun.add(draft.id)
      resolve()
    }
  }
}

/** Enough for the records of a turn of five steps that wait for nothing in between (bench: durable-turn). */
const promptGroups = 24

/** So many parts may follow the head that the session's row holds: what a removed tail can hide at most. */
const headEvery = 64

const none: readonly Pending[] = []

interface Pending {
  readonly draft: PartDraft
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface OwnedSession {
  renewed: Clocks
  tail: Tail | undefined
  savedSeq: number
  /** The head when saving was last asked for. */
  askedSeq: number
  unsavedUsage: Usage | undefined
}

/** A moment by two clocks. The monotonic clock stops while the machine sleeps, and the wall clock can be set back: both must agree. */
export interface Clocks {
  readonly wall: number
  readonly monotonic: number
}

export function clocks(): Clocks {
  return { wall: Date.now(), monotonic: performance.now() }
}

/** Well before others may think that we are dead. */
const freshMs = silenceMs * 0.75

function isFresh(renewed: Clocks): boolean {
  const age = Date.now() - renewed.wall
  return age >= 0 && age < freshMs && performance.now() - renewed.monotonic < freshMs
}
