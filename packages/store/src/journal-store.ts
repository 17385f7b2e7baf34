import {
  bestEffort,
  type CallRecord,
  type PlacedRule,
  type SessionRecord,
  ToolError,
  type TurnRecord,
} from "@haft/contract"
import type { Transaction } from "kysely"
import type { Blobs } from "./blobs.js"
import { rowToCall } from "./call-record.js"
import { Clash, type Driver } from "./driver/driver.js"
import { exportSession } from "./export-session.js"
import { findSession } from "./find-by-id.js"
import { forkSession } from "./fork-session.js"
import { importSession } from "./import-session.js"
import { Leases } from "./lease/leases.js"
import { type Owner, thisOwner } from "./lease/owner.js"
import { callOf, callsOf, findOwner, listExpired, listSessions } from "./queries.js"
import { lastIndexOf, readPartsBetween } from "./read-parts.js"
import { Recorder } from "./recorder.js"
import type { Redactor } from "./redact/create-redactor.js"
import { missing, refuseImported, refuseOwned } from "./refusal.js"
import type { SessionRow, Tables } from "./schema/tables.js"
import { lockMetadata, type SessionMetadata } from "./session-metadata.js"
import { insertSession, permissionsToJson, rowToSession, sessionToRow } from "./session-row.js"
import type {
  ClaimOptions,
  ForkOptions,
  PartRange,
  SessionFilter,
  SessionLease,
  SessionPart,
  SessionSummary,
  Store,
  VerifyReport,
} from "./store.js"
import { isTurnPart, TurnRecords } from "./turn-record.js"
import { draftUndo, findLastFileCall, findUndo, undoType } from "./undo-notes.js"
import { verifySession } from "./verify-session.js"

/** What the journal needs from outside. */
export interface StoreOptions {
  readonly redact: Redactor
  readonly blobs: Blobs
  readonly now: () => number
  readonly process: string | undefined
}

/** The journal on an open database whose schema is up to date. */
export class JournalStore implements Store {
  readonly begin: Store["begin"]
  readonly settle: Store["settle"]
  readonly observe: Store["observe"]
  private readonly driver: Driver
  private readonly redact: Redactor
  private readonly blobs: Blobs
  private readonly turns: TurnRecords
  private readonly now: () => number
  private readonly self: Owner
  private readonly recorder: Recorder
  private readonly leases: Leases
  private closing: Promise<void> | undefined

  constructor(driver: Driver, { redact, blobs, now, process }: StoreOptions) {
    this.driver = driver
    this.redact = redact
    this.blobs = blobs
    this.now = now
    this.self = thisOwner(now(), process)
    this.recorder = new Recorder({
      driver,
      redact,
      appender: () => this.asker(),
      onLag: (id) => void bestEffort("the next heartbeat writes the head", this.leases.beat(id)),
    })
    const owner = () => ({ ...this.self, heartbeat: now() })
    this.leases = new Leases({ driver, recorder: this.recorder, owner, now })
    this.turns = new TurnRecords({ redact, blobs, append: (draft) => this.recorder.append(draft) })
    this.begin = this.recorder.begin
    this.settle = this.recorder.settle
    this.observe = this.recorder.observe
  }

  get label(): string {
    return this.self.process
  }

  append(record: TurnRecord, { synced }: { readonly synced: boolean }): Promise<void> {
    return this.turns.write(record, synced)
  }

  records(
    sessionId: string,
    page?: { readonly from?: number; readonly limit?: number },
  ): Promise<readonly TurnRecord[]> {
    return this.reading(() => this.turns.read(this.driver.db, sessionId, page))
  }

  calls(sessionId: string): Promise<readonly CallRecord[]> {
    return this.reading(() => callsOf(this.driver.db, sessionId))
  }

  call(callId: string): Promise<CallRecord | undefined> {
    return this.reading(() => callOf(this.driver.db, callId))
  }

  session(id: string): Promise<SessionRecord | undefined> {
    return this.reading(async () => {
      const row = await findSession(this.driver.db, id)
      return row && rowToSession(row)
    })
  }

  owner(id: string): Promise<Owner | undefined> {
    return this.reading(() => findOwner(this.driver.db, id, this.now()))
  }

  async *parts(sessionId: string, range: PartRange = {}): AsyncGenerator<SessionPart> {
    try {
      for await (const row of readPartsBetween(this.driver.db, sessionId, range)) {
        const { index, type } = row
        if (type.startsWith("tool-")) yield { kind: "call", index, call: rowToCall(row) }
        else if (isTurnPart(row)) yield { kind: "turn", index, record: await this.turns.recordOf(row) }
        else if (type === undoType) yield { kind: "undo", index, callId: row.tool_call_id!, at: row.created_at }
      }
    } catch (error) {
      throw this.driver.explain(error, "read the journal")
    }
  }

  lastIndex(sessionId: string): Promise<number> {
    return this.reading(() => lastIndexOf(this.driver.db, sessionId))
  }

  sessions(filter: SessionFilter = {}): Promise<readonly SessionSummary[]> {
    return this.reading(() => listSessions(this.driver.db, filter))
  }

  lastCallWithFileEffects(roots: readonly string[]): Promise<CallRecord | undefined> {
    return this.reading(() => findLastFileCall(this.driver.db, roots))
  }

  undoneAt(callId: string): Promise<number | undefined> {
    return this.reading(() => findUndo(this.driver.db, callId))
  }

  expired(olderThanMs: number): Promise<readonly SessionRecord[]> {
    return this.reading(() => listExpired(this.driver.db, { olderThanMs, now: this.now() }))
  }

  verify(sessionId: string): Promise<VerifyReport> {
    return this.reading(() => verifySession(this.driver.db, sessionId, this.blobs))
  }

  async *exportLines(sessionId: string): AsyncGenerator<string> {
    try {
      yield* exportSession(this.driver.db, sessionId, { redact: this.redact, blobs: this.blobs })
    } catch (error) {
      throw this.driver.explain(error, "read the journal")
    }
  }

  importLines(lines: Iterable<string> | AsyncIterable<string>): Promise<string> {
    return this.writing(() => importSession(this.driver, lines, { redact: this.redact, blobs: this.blobs }))
  }

  async fork(sessionId: string, options: ForkOptions): Promise<SessionRecord> {
    await this.recorder.drain()
    const { driver, blobs } = this
    const id = await this.writing(() => forkSession(driver, sessionId, { ...options, blobs, now: this.now() }))
    return (await this.session(id))!
  }

  markUndone(callId: string, at: number): Promise<void> {
    return this.writing(async () => this.recorder.append(await draftUndo(this.driver.db, callId, at)))
  }

  claim(sessionId: string, options?: ClaimOptions): Promise<SessionLease> {
    return this.writing(() => this.leases.claim(sessionId, options))
  }

  claimNew(record: SessionRecord): Promise<SessionLease> {
    return this.creating(record, (row) => this.leases.claimNew(row))
  }

  createSession(record: SessionRecord): Promise<void> {
    return this.creating(record, (row) => this.driver.transaction((tx) => insertSession(tx, row)))
  }

  savePermissions(sessionId: string, rules: readonly PlacedRule[]): Promise<void> {
    return this.inSession("save rules of", sessionId, async (tx, metadata) => {
      refuseImported(sessionId, metadata)
      refuseOwned(sessionId, metadata, this.asker())
      const permissions_json = permissionsToJson(rules, this.redact)
      await tx.updateTable("chat_sessions").set({ permissions_json }).where("id", "=", sessionId).execute()
    })
  }

  async removeSession(id: string): Promise<void> {
    await this.writing(() => this.leases.release(id))
    await this.inSession("remove", id, async (tx, metadata) => {
      refuseOwned(id, metadata, this.asker())
      await tx.deleteFrom("chat_sessions").where("id", "=", id).execute()
    })
    await this.blobs.remove(id)
  }

  close(): Promise<void> {
    this.closing ??= this.end()
    return this.closing
  }

  private async end(): Promise<void> {
    await this.recorder.drain()
    await this.leases.releaseAll()
    await this.driver.close()
  }

  private creating<Result>(record: SessionRecord, write: (row: SessionRow) => Promise<Result>): Promise<Result> {
    return this.writing(async () => {
      try {
        return await write(sessionToRow(record, this.redact))
      } catch (error) {
        if (!(error instanceof Clash)) throw error
        const message = `Cannot create session "${record.id}": the id is taken; use a new one`
        throw new ToolError("conflict", message, { cause: error })
      }
    })
  }

  private asker(): { readonly process: string; readonly now: number } {
    return { process: this.self.process, now: this.now() }
  }

  /** Runs a transaction that holds the session's row. */
  private inSession(
    action: string,
    id: string,
    work: (tx: Transaction<Tables>, metadata: SessionMetadata) => Promise<void>,
  ): Promise<void> {
    return this.writing(() =>
      this.driver.transaction(async (tx) => {
        const metadata = await lockMetadata(tx, { id, at: this.now() })
        if (!metadata) throw missing(action, id)
        await work(tx, metadata)
      }),
    )
  }

  private reading<Result>(work: () => Promise<Result>): Promise<Result> {
    return work().catch((error: unknown) => {
      throw this.driver.explain(error, "read the journal")
    })
  }

  private writing<Result>(work: () => Promise<Result>): Promise<Result> {
    return work().catch((error: unknown) => {
      throw this.driver.explain(error, "write to the journal")
    })
  }
}
