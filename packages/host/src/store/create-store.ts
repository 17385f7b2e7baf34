import { type CallRecord, type PlacedRule, type SessionRecord, ToolError } from "@haft/contract"
import type { Redactor } from "../redact/index.js"
import { createCallTexts } from "./call-texts.js"
import { createRecorder, type Recorder } from "./create-recorder.js"
import { Clash, type Driver } from "./driver/driver.js"
import { exportSession } from "./export-session.js"
import { findCall, findSession } from "./find-by-id.js"
import { findLastFileCall } from "./find-last-file-call.js"
import { importSession } from "./import-session.js"
import { findLateEffects, lateDraft, withLateEffects } from "./late-effects.js"
import { createLeases } from "./lease/create-leases.js"
import { thisOwner } from "./lease/owner.js"
import { listExpired, listSessions } from "./list-sessions.js"
import { callDraft, lateType, rowToCall } from "./part-draft.js"
import { readSessionParts } from "./read-parts.js"
import { missing, refuseImported, refuseOwned } from "./refusal.js"
import type { PartRow } from "./schema/tables.js"
import { lockMetadata } from "./session-metadata.js"
import { permissionsToJson, rowToSession, sessionToRow } from "./session-row.js"
import type { Store } from "./store.js"
import { draftUndo, findUndo } from "./undo-notes.js"
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
