import { bestEffort } from "@haft/contract"
import type { ServedJournal } from "../host.js"
import type { EventLog } from "./event-log.js"
import { partEvents, RecordedOutcomes, recordedChildren } from "./journal-events.js"

// Another process tells nobody that it wrote; one small query finds out.
const lookMs = 1000

/**
 * Tells the log of a session what another process writes to its journal, in order and once. The log then holds nothing that
 * the journal does not have.
 */
export class JournalFollower {
  private last = -1
  private timer: NodeJS.Timeout | undefined
  private isStopped = false

  constructor(
    private readonly session: string,
    private readonly log: EventLog,
    private readonly journal: () => Promise<ServedJournal>,
  ) {}

  /** The journal up to this index is what readers have to read; what comes after it is in the log. */
  get place(): number {
    return this.last
  }

  async start(): Promise<void> {
    this.last = await (await this.journal()).lastIndex(this.session)
    this.wait()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private wait(): void {
    if (this.isStopped) return
    this.timer = setTimeout(() => {
      void bestEffort("the next look finds it", this.look()).then(() => this.wait())
    }, lookMs)
    this.timer.unref()
  }

  private async look(): Promise<void> {
    const journal = await this.journal()
    for await (const part of journal.parts(this.session, { after: this.last })) {
      const children = part.kind === "call" ? await recordedChildren(this.session, journal) : new Map()
      const outcomes = new RecordedOutcomes(this.session, journal)
      const events = await partEvents(this.session, part, { children, outcomes })
      if (this.isStopped) return
      // In one step: a reader sees the log and the place together.
      for (const { event } of events) this.log.append(event)
      this.last = part.index
    }
  }
}
