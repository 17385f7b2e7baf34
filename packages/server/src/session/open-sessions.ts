import { bestEffort, type SessionEvent, ToolError } from "@haft/contract"
import { EventLog, type LogLimits } from "../events/event-log.js"
import { JournalFollower } from "../events/journal-follower.js"
import type { DrivenSession, OpenRequest, ServedJournal, SessionsHost } from "../host.js"

/** A session that this server drives, and what runs in it. */
export interface OpenSession extends DrivenSession {
  readonly calls: Map<string, AbortController>
  readonly turnsRunning: Set<string>
  usedAt: number
}

/** The log of a session for one reader. */
export interface Reading {
  readonly log: EventLog
  /** Where the log begins that is made of the journal; undefined for one that is made of what happens. */
  readonly followed: () => number | undefined
  /** Ends the reading. */
  readonly done: () => void
}

// Each has folders and perhaps processes. The one that was idle for longest makes room.
const maxOpen = 64

/** The sessions that this server drives, and the events of all that it hears of. */
export class OpenSessions {
  private readonly host: SessionsHost
  private readonly limits: Partial<LogLimits>
  private readonly entries = new Map<string, OpenSession>()
  private readonly opening = new Map<string, Promise<OpenSession>>()
  /** Sessions that are being let go: they can be opened again when that is done. */
  private readonly leaving = new Map<string, Promise<unknown>>()
  private readonly logs = new Map<string, EventLog>()
  private readonly readers = new Map<string, number>()
  /** Of sessions that are read here and driven elsewhere, or by nobody. */
  private readonly followers = new Map<string, JournalFollower>()
  /** Turns that run or wait, by session: an open turn goes on while its session is still being opened. */
  private readonly turns = new Map<string, Set<string>>()
  private readonly listeners = new Set<() => void>()
  private isClosed = false

  constructor(
    host: SessionsHost,
    private readonly journal: () => Promise<ServedJournal>,
    limits: Partial<LogLimits> = {},
  ) {
    this.host = host
    this.limits = limits
  }

  list(): readonly OpenSession[] {
    return [...this.entries.values()]
  }

  find(id: string): OpenSession | undefined {
    return this.entries.get(id)
  }

  /** Opens a new session. */
  async create(request: OpenRequest): Promise<OpenSession> {
    return this.keep(await this.host.open(request))
  }

  /** The session, opened if it is not: its open turns go on. One that another process owns is a conflict. */
  async drive(id: string): Promise<OpenSession> {
    const known = this.entries.get(id)
    if (known) {
      known.usedAt = Date.now()
      return known
    }
    const opening = this.opening.get(id) ?? this.reopen(id)
    this.opening.set(id, opening)
    return opening.finally(() => this.opening.delete(id))
  }

  private async reopen(id: string): Promise<OpenSession> {
    await this.leaving.get(id)
    return this.keep(await this.host.open({ id }))
  }

  async keep(driven: DrivenSession): Promise<OpenSession> {
    if (this.isClosed) {
      await driven.detach()
      throw new ToolError("unavailable", "Cannot open a session: the server stops")
    }
    await this.makeRoom()
    const { id } = driven.record
    this.unfollow(id)
    const turnsRunning = this.turns.get(id) ?? new Set()
    this.turns.set(id, turnsRunning)
    const open: OpenSession = { ...driven, calls: new Map(), turnsRunning, usedAt: Date.now() }
    this.entries.set(id, open)
    this.tell()
    return open
  }

  /** The log of a session for one reader. */
  async read(id: string): Promise<Reading> {
    this.readers.set(id, (this.readers.get(id) ?? 0) + 1)
    const done = () => {
      const left = (this.readers.get(id) ?? 1) - 1
      if (left > 0) this.readers.set(id, left)
      else {
        this.readers.delete(id)
        this.followers.get(id)?.stop()
        this.followers.delete(id)
      }
      this.forget(id)
    }
    try {
      if (!this.entries.has(id) && !this.turns.has(id)) await this.follow(id)
    } catch (error) {
      done()
      throw error
    }
    return { log: this.logOf(id), followed: () => this.followers.get(id)?.place, done }
  }

  /** Another process may write to the session. When this one begins to, the log is another one: its readers come back. */
  private async follow(id: string): Promise<void> {
    if (this.followers.has(id)) return
    const follower = new JournalFollower(id, this.logOf(id), this.journal)
    await follower.start()
    if (this.followers.has(id) || this.entries.has(id) || !this.readers.has(id)) follower.stop()
    else this.followers.set(id, follower)
  }

  private unfollow(id: string): void {
    const follower = this.followers.get(id)
    if (!follower) return
    follower.stop()
    this.followers.delete(id)
    this.logs.get(id)?.close()
    this.logs.delete(id)
  }

  /** Takes an event of any session of this process. */
  hear(event: SessionEvent): void {
    if (event.type === "turn-start" || event.type === "turn-end") this.noteTurn(event)
    this.unfollow(event.session)
    this.logOf(event.session).append(event)
    // What works for a session is heard of as long as it works.
    if (event.type === "child-end") this.forget(event.child)
    if (event.type === "turn-end") this.forget(event.session)
  }

  /** Calls back when a session is opened or left and when a turn begins or ends; gives what ends that. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Asks readers to come back, and lets go of every session; what runs can be resumed. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const follower of this.followers.values()) follower.stop()
    for (const log of this.logs.values()) log.close()
    for (const { calls } of this.entries.values()) {
      for (const call of calls.values()) call.abort(new ToolError("cancelled", "the server stops"))
    }
    await Promise.allSettled(this.list().map((open) => open.detach()))
    this.entries.clear()
  }

  private noteTurn({ type, session, turn }: SessionEvent & { readonly type: "turn-start" | "turn-end" }): void {
    const turns = this.turns.get(session) ?? new Set()
    if (type === "turn-start") turns.add(turn)
    else turns.delete(turn)
    this.turns.set(session, turns)
    if (turns.size === 0 && !this.entries.has(session)) this.turns.delete(session)
    this.tell()
  }

  private logOf(id: string): EventLog {
    const known = this.logs.get(id)
    if (known) return known
    const log = new EventLog(this.limits)
    this.logs.set(id, log)
    return log
  }

  /** A log that nobody reads and nobody writes goes: everything in it is in the journal. */
  private forget(id: string): void {
    if (!this.readers.has(id) && !this.entries.has(id) && !this.turns.has(id)) this.logs.delete(id)
  }

  private async makeRoom(): Promise<void> {
    while (this.entries.size >= maxOpen) {
      const idle = this.list().filter(({ calls, turnsRunning }) => calls.size === 0 && turnsRunning.size === 0)
      const oldest = idle.toSorted((one, other) => one.usedAt - other.usedAt)[0]
      if (!oldest) {
        throw new ToolError("rate_limited", `Cannot open another session: something runs in all ${maxOpen} open ones`, {
          hint: "Wait until one has ended",
        })
      }
      await this.leave(oldest)
    }
  }

  private async leave(open: OpenSession): Promise<void> {
    const { id } = open.record
    this.entries.delete(id)
    this.turns.delete(id)
    const left = bestEffort("its owner row is free when this process ends", open.detach())
    this.leaving.set(id, left)
    await left
    this.leaving.delete(id)
    if (this.readers.has(id)) void bestEffort("the next reader tries again", this.follow(id))
    this.forget(id)
  }

  private tell(): void {
    for (const listener of this.listeners) listener()
  }
}
