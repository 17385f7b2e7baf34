import type { CallRecord } from "@haft/contract"
import type { Kysely } from "kysely"
import { appendPart, readTail } from "../append-parts.js"
import type { Driver } from "../driver/driver.js"
import { callDraft, rowToCall, type Tail } from "../part-draft.js"
import { recordJson } from "../record-json.js"
import { missing, refuseImported, refuseOwned } from "../refusal.js"
import type { Tables } from "../schema/tables.js"
import { lockMetadata, writeMetadata } from "../session-metadata.js"
import type { ClaimOptions } from "../store.js"
import type { Owner } from "./owner.js"

/** What a claim found and did. */
export interface Claimed {
  readonly tail: Tail | undefined
  readonly closed: readonly CallRecord[]
}

/** Writes the owner on the session's row in one transaction with the end of the calls that a dead owner left open. */
export async function claimSession(
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
