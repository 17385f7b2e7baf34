import type { CallRecord } from "@haft/contract"
import type { Kysely } from "kysely"
import { appendPart, readTail } from "../append-parts.js"
import { callDraft, recordJson, rowToCall, type Tail } from "../call-record.js"
import type { Recorder } from "../create-recorder.js"
import type { Driver } from "../driver/driver.js"
import { missing, refuseImported, refuseOwned } from "../refusal.js"
import type { Tables } from "../schema/tables.js"
import { changeMetadata, lockMetadata, type SessionMetadata, writeMetadata } from "../session-metadata.js"
import type { ClaimOptions, SessionLease } from "../store.js"
import { heartbeatMs, type Owner, silenceMs } from "./owner.js"

/** The sessions that one store owns. */
export interface Leases {
  claim(sessionId: string, options?: ClaimOptions): Promise<SessionLease>
  /** Renews the lease and writes the chain's head to the session's row. */
  beat(sessionId: string): Promise<void>
  release(sessionId: string): Promise<void>
  releaseAll(): Promise<void>
}

/** Makes the keeper of a store's sessions; it renews them until they are released. */
export function createLeases(options: {
  readonly driver: Driver
  readonly recorder: () => Recorder
  readonly owner: () => Owner
  readonly now: () => number
}): Leases {
  const { driver, recorder, owner, now } = options
  const held = new Map<string, HeldLease>()
  let timer: NodeJS.Timeout | undefined
  return { claim, beat, release, releaseAll }

  async function claim(sessionId: string, claimOptions: ClaimOptions = {}): Promise<SessionLease> {
    const self = owner()
    const { tail, closed } = await claimSession(driver, { sessionId, owner: self, now: now(), ...claimOptions })
    const lost = new AbortController()
    const lease: HeldLease = { renewed: clocks(), lost }
    held.set(sessionId, lease)
    recorder().own(sessionId, { isFresh: () => isFresh(lease), tail })
    timer ??= setInterval(beatAll, heartbeatMs).unref()
    return { sessionId, owner: self, closed, lost: lost.signal, release: () => release(sessionId) }
  }

  async function beatAll(): Promise<void> {
    // A beat that fails is tried again at the next; meanwhile the lease grows stale and writes take the slow way.
    await Promise.allSettled([...held.keys()].map(beat))
  }

  async function beat(sessionId: string): Promise<void> {
    const lease = held.get(sessionId)
    if (!lease) return
    const self = owner()
    const renewed = clocks()
    const before = await update(sessionId, (metadata) => ({ ...metadata, owner: self }))
    if (before?.owner?.process === self.process) lease.renewed = renewed
    else drop(sessionId)
  }

  async function release(sessionId: string): Promise<void> {
    if (!held.has(sessionId)) return
    await recorder().drain()
    await update(sessionId, ({ owner: _owner, ...metadata }) => metadata)
    held.delete(sessionId)
    recorder().disown(sessionId)
    stopWhenIdle()
  }

  async function releaseAll(): Promise<void> {
    await Promise.allSettled([...held.keys()].map(release))
    held.clear()
    stopWhenIdle()
  }

  /** Changes the session's row, together with the head of its chain, as long as the session is ours. */
  async function update(
    sessionId: string,
    change: (metadata: SessionMetadata) => SessionMetadata,
  ): Promise<SessionMetadata | undefined> {
    const self = owner().process
    const head = recorder().unsavedHead(sessionId)
    const before = await driver.transaction((db) =>
      changeMetadata(db, { id: sessionId, at: now() }, (metadata) => {
        if (metadata.owner?.process !== self) return undefined
        const newer = head && head.seq > (metadata.chain?.seq ?? 0)
        return change(newer ? { ...metadata, chain: head } : metadata)
      }),
    )
    if (head && before?.owner?.process === self) recorder().markSaved(sessionId, head)
    return before
  }

  function drop(sessionId: string): void {
    held.get(sessionId)?.lost.abort()
    held.delete(sessionId)
    recorder().disown(sessionId)
    stopWhenIdle()
  }

  function stopWhenIdle(): void {
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

interface HeldLease {
  renewed: Clocks
  readonly lost: AbortController
}

interface Clocks {
  readonly sandbox: number
  readonly monotonic: number
}

// The monotonic clock stands still while the machine sleeps, and the sandbox clock can be set back: both must agree.
function clocks(): Clocks {
  return { sandbox: Date.now(), monotonic: performance.now() }
}

/** Well before others may think that we are dead. */
const freshMs = silenceMs * 0.75

function isFresh({ renewed }: HeldLease): boolean {
  const sandboxAge = Date.now() - renewed.sandbox
  return sandboxAge >= 0 && sandboxAge < freshMs && performance.now() - renewed.monotonic < freshMs
}

/** What a claim found and did. */
interface Claimed {
  readonly tail: Tail | undefined
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
    for (const call of closed) if (tail) tail = await appendPart(db, callDraft(call, recordJson(call)), tail)
    await writeMetadata(db, sessionId, { ...metadata, owner, ...(tail ? { chain: tail.head } : {}) })
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

function endedByCrash(call: CallRecord, now: number): CallRecord {
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
