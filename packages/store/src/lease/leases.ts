import { type CallRecord, noUsage } from "@haft/contract"
import type { Kysely } from "kysely"
import { appendPart, readTail } from "../append-parts.js"
import { callDraft, emptyHead, recordJson, rowToCall, type Tail } from "../call-record.js"
import type { Driver } from "../driver/driver.js"
import { clocks, type Recorder } from "../recorder.js"
import { missing, refuseImported, refuseOwned } from "../refusal.js"
import type { SessionRow, Tables } from "../schema/tables.js"
import {
  changeMetadata,
  lockMetadata,
  parseMetadata,
  type SessionMetadata,
  writeMetadata,
} from "../session-metadata.js"
import { insertSession } from "../session-row.js"
import type { ClaimOptions, SessionLease } from "../store.js"
import { storedUsage } from "../turn-record.js"
import { addSums, sumOfUsages, sumsOf } from "../usage-sums.js"
import { heartbeatMs, type Owner } from "./owner.js"

/** What the keeper of a store's sessions works with. */
export interface LeasesOptions {
  readonly driver: Driver
  readonly recorder: Recorder
  readonly owner: () => Owner
  readonly now: () => number
}

/** The sessions that one store owns; it renews them until they are released. */
export class Leases {
  private readonly options: LeasesOptions
  /** By session; aborted when another process has taken it. */
  private readonly held = new Map<string, AbortController>()
  private timer: NodeJS.Timeout | undefined

  constructor(options: LeasesOptions) {
    this.options = options
  }

  async claim(sessionId: string, claimOptions: ClaimOptions = {}): Promise<SessionLease> {
    const { driver, owner, now } = this.options
    const self = owner()
    const { tail, closed } = await claimSession(driver, { sessionId, owner: self, now: now(), ...claimOptions })
    return this.hold(sessionId, self, { tail, closed })
  }

  /** Writes the row of a new session with its owner on it. */
  async claimNew(row: SessionRow): Promise<SessionLease> {
    const self = this.options.owner()
    const metadata: SessionMetadata = { ...parseMetadata(row.metadata_json), owner: self }
    const owned = { ...row, metadata_json: JSON.stringify(metadata) }
    await this.options.driver.transaction((db) => insertSession(db, owned))
    return this.hold(row.id, self, { tail: emptyTail, closed: [] })
  }

  private hold(sessionId: string, self: Owner, { tail, closed }: Claimed): SessionLease {
    const { recorder } = this.options
    const lost = new AbortController()
    this.held.set(sessionId, lost)
    recorder.own(sessionId, tail)
    // A beat that fails is tried again at the next; meanwhile the lease grows stale and writes take the slow way.
    this.timer ??= setInterval(() => this.allHeld((id) => this.beat(id)), heartbeatMs).unref()
    return { sessionId, owner: self, closed, lost: lost.signal, release: () => this.release(sessionId) }
  }

  /** Renews the lease and writes the chain's head to the session's row. */
  async beat(sessionId: string): Promise<void> {
    if (!this.held.has(sessionId)) return
    const self = this.options.owner()
    const renewed = clocks()
    // After a power cut nobody asks whether this process was alive, and the head follows from the parts (bench: durable-turn).
    const before = await this.update(sessionId, (metadata) => ({ ...metadata, owner: self }), { synced: false })
    if (before?.owner?.process === self.process) return this.options.recorder.renew(sessionId, renewed)
    this.held.get(sessionId)?.abort()
    this.drop(sessionId)
  }

  async release(sessionId: string): Promise<void> {
    if (!this.held.has(sessionId)) return
    await this.options.recorder.drain()
    await this.update(sessionId, ({ owner: _owner, ...metadata }) => metadata, { synced: true })
    this.drop(sessionId)
  }

  async releaseAll(): Promise<void> {
    await this.allHeld((id) => this.release(id))
    this.held.clear()
    this.stopWhenIdle()
  }

  private async allHeld(work: (sessionId: string) => Promise<void>): Promise<void> {
    await Promise.allSettled([...this.held.keys()].map(work))
  }

  /** Changes the session's row, together with the head of its chain, as long as the session is ours. */
  private async update(
    sessionId: string,
    change: (metadata: SessionMetadata) => SessionMetadata,
    options: { readonly synced: boolean },
  ): Promise<SessionMetadata | undefined> {
    const { driver, recorder, owner, now } = this.options
    const self = owner().process
    const head = recorder.unsavedHead(sessionId)
    const usage = recorder.takeUsage(sessionId)
    try {
      const before = await driver.transaction(async (db) => {
        const found = await changeMetadata(db, { id: sessionId, at: now() }, (metadata) => {
          if (metadata.owner?.process !== self) return undefined
          const newer = head && head.seq > (metadata.chain?.seq ?? 0)
          return change(newer ? { ...metadata, chain: head } : metadata)
        })
        // Who took the session over has counted what is in the journal.
        if (found?.owner?.process === self) await addSums(db, sessionId, usage)
        return found
      }, options)
      if (head && before?.owner?.process === self) recorder.markSaved(sessionId, head)
      return before
    } catch (error) {
      recorder.addUsage(sessionId, usage)
      throw driver.explain(error, "write to the journal")
    }
  }

  private drop(sessionId: string): void {
    this.held.delete(sessionId)
    this.options.recorder.disown(sessionId)
    this.stopWhenIdle()
  }

  private stopWhenIdle(): void {
    if (this.held.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}

const emptyTail: Tail = { message: undefined, index: -1, head: emptyHead }

/** What a claim found and did. */
interface Claimed {
  readonly tail: Tail
  readonly closed: readonly CallRecord[]
}

/** Writes the owner on the session's row in one transaction with the end of the calls that a dead owner left open. */
async function claimSession(
  driver: Driver,
  claim: ClaimOptions & { readonly sessionId: string; readonly owner: Owner; readonly now: number },
): Promise<Claimed> {
  const { sessionId, owner, now, waitsForPerson = () => false } = claim
  return driver.transaction(async (db) => {
    const metadata = await lockMetadata(db, { id: sessionId, at: now })
    if (!metadata) throw missing("use", sessionId)
    refuseImported(sessionId, metadata)
    // Nobody is exempt, not even this store: a session that is open twice has two owners.
    refuseOwned(sessionId, metadata, { process: undefined, now })
    const closed = (await openCalls(db, sessionId))
      .filter((call) => !waitsForPerson(call))
      .map((call) => endedByCrash(call, now))
    let tail = await readTail(db, sessionId)
    // An open call was redacted when it was begun, and its ending holds nothing new.
    for (const call of closed) tail = await appendPart(db, callDraft(call, recordJson(call)), tail)
    await writeMetadata(db, sessionId, { ...metadata, owner, ...(tail.index < 0 ? {} : { chain: tail.head }) })
    // An owner that died has not written its last sums.
    if (metadata.owner) await countUsage(db, sessionId)
    return { tail, closed }
  })
}

async function openCalls(db: Kysely<Tables>, sessionId: string): Promise<readonly CallRecord[]> {
  const rows = await db
    .selectFrom("chat_parts")
    .select("data_json")
    .where("session_id", "=", sessionId)
    .where("tool_state", "=", "input-available")
    .orderBy("index")
    .execute()
  return rows.map(rowToCall)
}

/** Sets the sums of a session to what its journal has. */
async function countUsage(db: Kysely<Tables>, sessionId: string): Promise<void> {
  const rows = await db
    .selectFrom("chat_parts")
    .select("data_json")
    .where("session_id", "=", sessionId)
    .where("type", "=", "data-turn-step")
    .execute()
  const sum = sumOfUsages(rows.map((row) => ({ usage: storedUsage(row) })))
  await db
    .updateTable("chat_sessions")
    .set(sumsOf(sum ?? noUsage))
    .where("id", "=", sessionId)
    .execute()
}

/** The end of a call whose process stopped. */
export function endedByCrash(call: CallRecord, now: number): CallRecord {
  const hint = "Look at the state of the world before you make the call again"
  return {
    ...call,
    endedAt: now,
    envelope: {
      type: "error",
      error_text: `Cannot tell how "${call.name}" ended: the process that ran it stopped before the result was recorded; check what it did`,
      metadata: {
        duration_ms: Math.max(0, now - call.startedAt),
        call_id: call.callId,
        session_id: call.sessionId,
        error_code: "unavailable",
        hint,
      },
    },
  }
}
