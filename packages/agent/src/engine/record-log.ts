import { bestEffort, type TurnJournal, type TurnRecord, type TurnRecordBody } from "@haft/contract"
import type { EngineClock } from "./clock.js"
import type { Feed } from "./feed.js"
import type { OpenTurn } from "./open-turn.js"

/** Where the records of a session go. */
interface RecordLogOptions {
  readonly journal: TurnJournal
  readonly clock: EngineClock
  readonly feed: Feed
  /** The journal refused a record. */
  readonly onFailure: (error: unknown) => void
}

/** Writes the records of one session, and tells its watchers of each that is committed. */
export class RecordLog {
  private readonly sessionId: string
  private readonly options: RecordLogOptions
  /** How many records the journal has of this session. */
  cursor = 0
  /** Records that are being written, in the order of the journal. */
  private readonly writing: Writing[] = []
  /** Records are committed in order, so that after it all before it are there too. */
  private lastAppend: Promise<void> = Promise.resolve()

  constructor(sessionId: string, options: RecordLogOptions) {
    this.sessionId = sessionId
    this.options = options
  }

  /** True when no record is on its way. */
  get isWritten(): boolean {
    return this.writing.length === 0
  }

  /** Resolves when the records that were handed over are in the journal, or refused by it. */
  async written(): Promise<void> {
    await bestEffort("a record that cannot be written ends its turn", this.lastAppend)
  }

  /**
   * Undefined when the record is in the journal already. The body belongs to the log from here on and is completed in place,
   * as an event is: a copy takes three times as long (bench: agent-step).
   */
  append(turn: Recorded, body: TurnRecordBody, synced: boolean): Promise<void> | undefined {
    const { journal, clock } = this.options
    const record = body as TurnRecordBody & { sessionId: string; turnId: string; at: number }
    record.sessionId = this.sessionId
    record.turnId = turn.turnId
    record.at = clock.now()
    const writing = { record, isCommitted: false }
    this.writing.push(writing)
    const committed = journal.append(record, { synced })
    if (committed) {
      this.lastAppend = this.write(committed, writing, turn)
      return this.lastAppend
    }
    this.commit(writing, turn)
    return undefined
  }

  private async write(committed: Promise<void>, writing: Writing, turn: Recorded): Promise<void> {
    try {
      await committed
    } catch (error) {
      this.writing.splice(this.writing.indexOf(writing), 1)
      this.publish()
      this.options.onFailure(error)
      throw error
    }
    this.commit(writing, turn)
  }

  private commit(writing: Writing, turn: Recorded): void {
    writing.isCommitted = true
    this.publish()
    turn.note?.(writing.record)
  }

  /** Tells watchers of committed records, in the order of the journal. */
  private publish(): void {
    while (this.writing[0]?.isCommitted) {
      const { record } = this.writing.shift()!
      this.cursor += 1
      const { feed } = this.options
      if (feed.isWatched) feed.publish({ type: "record", cursor: this.cursor, record })
    }
  }
}

/** The turn that a record is about, and what takes in what it says. */
type Recorded = Pick<OpenTurn, "turnId"> & Partial<Pick<OpenTurn, "note">>

/** A record on its way into the journal. */
interface Writing {
  readonly record: TurnRecord
  isCommitted: boolean
}
