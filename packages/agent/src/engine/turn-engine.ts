import {
  bestEffort,
  type Engine,
  type Json,
  type OpenWait,
  ToolError,
  type TurnEvent,
  type TurnFunction,
  type TurnJournal,
  type TurnRecord,
  type TurnResult,
} from "@haft/contract"
import { type EngineClock, systemClock } from "./clock.js"
import { type SessionHost, SessionTurns } from "./session-turns.js"

/** What an engine is made of. */
export interface TurnEngineOptions {
  readonly journal: TurnJournal
  /** The code of every turn, also of turns that other turns start as children. */
  readonly code: TurnFunction
  readonly clock?: EngineClock
  readonly uuid?: () => string
  /** How long a body that was asked to stop may take to do so before the turn goes on without it. */
  readonly graceMs?: number
  /** Whether values are checked to be plain JSON; by default in development and tests. */
  readonly checksValues?: boolean
}

/** Runs turns in this process and makes them durable with a journal. */
export class TurnEngine implements Engine {
  private readonly journal: TurnJournal
  private readonly host: SessionHost
  private readonly sessions = new Map<string, SessionTurns>()
  private readonly loading = new Map<string, Promise<SessionTurns>>()
  private closing: Promise<void> | undefined

  constructor(options: TurnEngineOptions) {
    const { journal, code, clock = systemClock, graceMs = 2000 } = options
    this.journal = journal
    this.host = {
      journal,
      code,
      clock,
      graceMs,
      uuid: options.uuid ?? (() => globalThis.crypto.randomUUID()),
      checksValues: options.checksValues ?? ["development", "test"].includes(process.env.NODE_ENV ?? ""),
      startChild: ({ sessionId, turnId }, input) => this.start(sessionId, turnId, input),
      childResult: ({ sessionId, turnId }) => this.result(sessionId, turnId),
      abortChild: ({ sessionId, turnId }, reason) =>
        bestEffort("a child that cannot be reached cannot be aborted", this.abort(sessionId, turnId, reason)),
      forget: (session) => {
        if (this.sessions.get(session.id) === session) this.sessions.delete(session.id)
      },
      // After the microtasks of this moment: one of them may be about to use the session.
      rest: () => void (this.sessions.size > keptSessions && setImmediate(() => this.dropIdle())),
    }
  }

  async start(sessionId: string, turnId: string, input: Json): Promise<void> {
    return (this.sessions.get(sessionId) ?? (await this.load(sessionId))).start(turnId, input)
  }

  async result(sessionId: string, turnId: string): Promise<TurnResult> {
    return (this.sessions.get(sessionId) ?? (await this.load(sessionId))).result(turnId)
  }

  async answer(sessionId: string, turnId: string, name: string, value: Json): Promise<"taken" | "unknown" | "already"> {
    return (await this.load(sessionId)).answer(turnId, name, value)
  }

  async waits(sessionId: string): Promise<readonly OpenWait[]> {
    return (await this.load(sessionId)).openWaits()
  }

  async abort(sessionId: string, turnId: string, reason = "by request"): Promise<boolean> {
    return (this.sessions.get(sessionId) ?? (await this.load(sessionId))).abort(turnId, reason)
  }

  async *watch(
    sessionId: string,
    { from = 0, signal }: { readonly from?: number; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<TurnEvent> {
    yield* (await this.load(sessionId)).feed.watch(from, signal)
  }

  async resume(sessionId: string): Promise<readonly string[]> {
    return (await this.load(sessionId)).resume()
  }

  async rewind(sessionId: string, turnId: string): Promise<void> {
    return (await this.load(sessionId)).rewind(turnId)
  }

  history(sessionId: string): Promise<readonly TurnRecord[]> {
    return this.journal.records(sessionId)
  }

  /** Stops what runs in one session and forgets it; its turns can be resumed. */
  async leave(sessionId: string): Promise<void> {
    await this.loading.get(sessionId)
    await this.sessions.get(sessionId)?.close(closed())
    this.sessions.delete(sessionId)
  }

  close(): Promise<void> {
    this.closing ??= this.end()
    return this.closing
  }

  private async end(): Promise<void> {
    await Promise.allSettled(this.loading.values())
    await Promise.all([...this.sessions.values()].map((session) => session.close(closed())))
    this.sessions.clear()
  }

  private async load(sessionId: string): Promise<SessionTurns> {
    if (this.closing) throw closed()
    const known = this.sessions.get(sessionId) ?? this.loading.get(sessionId)
    if (known) return known
    const loading = SessionTurns.load(sessionId, this.host)
    this.loading.set(sessionId, loading)
    try {
      const session = await loading
      this.sessions.set(sessionId, session)
      return session
    } finally {
      this.loading.delete(sessionId)
    }
  }

  /** Sessions in which nothing happens are read again from the journal when somebody asks for them. */
  private dropIdle(): void {
    for (const [id, session] of this.sessions) {
      if (this.sessions.size <= keptSessions) return
      if (session.isIdle) this.sessions.delete(id)
    }
  }
}

/** Enough that the sessions of a busy host stay in memory between their turns. */
const keptSessions = 256

function closed(): ToolError {
  return new ToolError("unavailable", "The engine is closed; the turn can go on when its session is resumed")
}
