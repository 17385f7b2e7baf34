import { type CallRecord, type PlacedRule, type SessionRecord, ToolError } from "@haft/contract"
import type { Kysely } from "kysely"
import { callDraft, createCallTexts, lateType, type PartDraft, rowToCall, undoDraft, undoType } from "./call-record.js"
import { createId } from "./create-id.js"
import { createRecorder, type Recorder } from "./create-recorder.js"
import { Clash, type Driver } from "./driver/driver.js"
import { exportSession } from "./export-session.js"
import { findCall, findSession } from "./find-by-id.js"
import { findLastFileCall } from "./find-last-file-call.js"
import { importSession } from "./import-session.js"
import { findLateEffects, lateDraft, withLateEffects } from "./late-effects.js"
import { createLeases } from "./lease/create-leases.js"
import { isLiving, thisOwner } from "./lease/owner.js"
import { readSessionParts } from "./read-parts.js"
import type { Redactor } from "./redact/create-redactor.js"
import { missing, refuseImported, refuseOwned } from "./refusal.js"
import type { PartRow, Tables } from "./schema/tables.js"
import { lockMetadata, parseMetadata } from "./session-metadata.js"
import { permissionsToJson, rowToSession, sessionToRow } from "./session-row.js"
import type { SessionFilter, SessionSummary, Store } from "./store.js"
import { verifySession } from "./verify-session.js"

/** Puts the journal together on an open database whose schema is up to date. */
export function createStore(
  driver: Driver,
  options: { readonly redact: Redactor; readonly now: () => number; readonly process: string | undefined },
): Store {
  const { redact, now } = options
  const { db } = driver
  const texts = createCallTexts(redact)
  const self = thisOwner(now(), options.process)
  const asker = () => ({ process: self.process, now: now() })
  const leases = createLeases({ driver, recorder: () => recorder, owner: () => ({ ...self, heartbeat: now() }), now })
  const recorder: Recorder = createRecorder({
    driver,
    appender: asker,
    // A late head is no loss of data; the next heartbeat writes what this attempt could not.
    onLag: (sessionId) => void leases.beat(sessionId).catch(() => undefined),
  })
  let closing: Promise<void> | undefined

  return {
    begin: ({ envelope: _envelope, ...record }) => recorder.append(callDraft(record, texts.begin(record))),
    settle,
    observe: (late) => recorder.append(lateDraft(late, redact)),
    calls: (sessionId) => reading(() => callsOf(sessionId)),
    savePermissions: (sessionId, rules) => writing(() => savePermissions(sessionId, rules)),
    createSession: (record) => writing(() => createSession(record)),
    session: (id) => reading(async () => mapped(await findSession(db, id), rowToSession)),
    sessions: (filter = {}) => reading(() => listSessions(db, filter)),
    call: (callId) => reading(() => callOf(callId)),
    lastCallWithFileEffects: (roots) => reading(() => findLastFileCall(db, roots)),
    markUndone: (callId, at) => writing(async () => recorder.append(await draftUndo(db, callId, at))),
    undoneAt: (callId) => reading(() => findUndo(db, callId)),
    claim: (sessionId, claimOptions) => writing(() => leases.claim(sessionId, claimOptions)),
    removeSession: (id) => writing(() => removeSession(id)),
    expired: (olderThanMs) => reading(() => listExpired(db, { olderThanMs, now: now() })),
    exportLines,
    importLines: (lines) => writing(() => importSession(driver, lines, redact)),
    verify: (sessionId) => reading(() => verifySession(db, sessionId)),
    close() {
      closing ??= close()
      return closing
    },
  }

  async function settle(record: CallRecord): Promise<void> {
    if (!record.envelope) {
      throw new ToolError(
        "internal",
        `Cannot settle call "${record.callId}": it has no envelope; begin is for open calls`,
      )
    }
    await recorder.append(callDraft(record, texts.settle(record)))
  }

  async function callsOf(sessionId: string): Promise<readonly CallRecord[]> {
    const calls: CallRecord[] = []
    const notes: PartRow[] = []
    for await (const row of readSessionParts(db, sessionId)) {
      if (row.type.startsWith("tool-")) calls.push(rowToCall(row))
      else if (row.type === lateType) notes.push(row)
    }
    return withLateEffects(calls, notes)
  }

  async function callOf(callId: string): Promise<CallRecord | undefined> {
    const row = await findCall(db, callId)
    return row && withLateEffects([rowToCall(row)], await findLateEffects(db, row))[0]
  }

  async function createSession(record: SessionRecord): Promise<void> {
    try {
      await driver.transaction((tx) => tx.insertInto("chat_sessions").values(sessionToRow(record, redact)).execute())
    } catch (error) {
      if (!(error instanceof Clash)) throw error
      throw new ToolError("conflict", `Cannot create session "${record.id}": the id is taken; use a new one`, {
        cause: error,
      })
    }
  }

  async function savePermissions(sessionId: string, rules: readonly PlacedRule[]): Promise<void> {
    await driver.transaction(async (tx) => {
      const metadata = await lockMetadata(tx, { id: sessionId, at: now() })
      if (!metadata) throw missing("save rules of", sessionId)
      refuseImported(sessionId, metadata)
      refuseOwned(sessionId, metadata, asker())
      const permissions_json = permissionsToJson(rules, redact)
      await tx.updateTable("chat_sessions").set({ permissions_json }).where("id", "=", sessionId).execute()
    })
  }

  async function removeSession(id: string): Promise<void> {
    await leases.release(id)
    await driver.transaction(async (tx) => {
      const metadata = await lockMetadata(tx, { id, at: now() })
      if (!metadata) throw missing("remove", id)
      refuseOwned(id, metadata, asker())
      await tx.deleteFrom("chat_sessions").where("id", "=", id).execute()
    })
  }

  async function* exportLines(sessionId: string): AsyncGenerator<string> {
    try {
      yield* exportSession(db, sessionId, redact)
    } catch (error) {
      throw driver.explain(error, "read the journal")
    }
  }

  async function close(): Promise<void> {
    await recorder.drain()
    await leases.releaseAll()
    await driver.close()
  }

  function reading<Result>(work: () => Promise<Result>): Promise<Result> {
    return work().catch((error: unknown) => {
      throw driver.explain(error, "read the journal")
    })
  }

  function writing<Result>(work: () => Promise<Result>): Promise<Result> {
    return work().catch((error: unknown) => {
      throw driver.explain(error, "write to the journal")
    })
  }
}

function mapped<From, To>(value: From | undefined, map: (value: From) => To): To | undefined {
  return value === undefined ? undefined : map(value)
}

/** When the file effects of a call were taken back, if they were. */
async function findUndo(db: Kysely<Tables>, callId: string): Promise<number | undefined> {
  const call = await findCall(db, callId)
  if (!call) return undefined
  const note = await db
    .selectFrom("chat_parts")
    .select("created_at")
    .where("tool_call_id", "=", call.tool_call_id)
    .where("session_id", "=", call.session_id)
    .where("type", "=", undoType)
    .limit(1)
    .executeTakeFirst()
  return note?.created_at
}

/** The note that a call is undone now, ready to be appended. */
async function draftUndo(db: Kysely<Tables>, callId: string, at: number): Promise<PartDraft> {
  const row = await findCall(db, callId)
  if (!row)
    throw new ToolError(
      "not_found",
      `Cannot undo call "${callId}": the journal has no such call; see \`haft session show\``,
    )
  if ((await findUndo(db, callId)) !== undefined) {
    throw new ToolError("conflict", `Cannot undo call "${callId}": it was undone already; name another call`)
  }
  return undoDraft({ id: createId("prt", at), call: rowToCall(row), at })
}

/** Sessions with their number of calls, last used first. */
async function listSessions(db: Kysely<Tables>, filter: SessionFilter): Promise<readonly SessionSummary[]> {
  const { archived = false, root, limit } = filter
  const rows = await db
    .selectFrom("chat_sessions as session")
    .selectAll("session")
    .select((session) =>
      session
        .selectFrom("chat_parts as part")
        .select((part) => part.fn.countAll<number>().as("count"))
        .whereRef("part.session_id", "=", "session.id")
        .where("part.type", "like", "tool-%")
        .as("calls"),
    )
    .$if(!archived, (query) => query.where("session.archived_at", "is", null))
    .$if(root !== undefined, (query) => query.where("session.workspace_root", "=", root!))
    .orderBy("session.updated_at", "desc")
    .orderBy("session.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
  return rows.map(({ calls, ...row }) => ({ ...rowToSession(row), calls: calls ?? 0 }))
}

/** Sessions that nobody used for so long, nobody owns, and nobody meant to keep. */
async function listExpired(
  db: Kysely<Tables>,
  { olderThanMs, now }: { readonly olderThanMs: number; readonly now: number },
): Promise<readonly SessionRecord[]> {
  const rows = await db
    .selectFrom("chat_sessions")
    .selectAll()
    .where("updated_at", "<", now - olderThanMs)
    .where("archived_at", "is", null)
    .orderBy("updated_at")
    .execute()
  const forgotten = rows.filter((row) => {
    const { imported, owner } = parseMetadata(row.metadata_json)
    return !imported && !(owner && isLiving(owner, now))
  })
  return forgotten.map(rowToSession)
}
