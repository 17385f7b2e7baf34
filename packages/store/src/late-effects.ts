import type { CallRecord, LateEffects, ObservedEffect } from "@haft/contract"
import type { Kysely } from "kysely"
import { lateType, type PartDraft, recordJson, splitLink } from "./call-record.js"
import type { Redactor } from "./redact/create-redactor.js"
import type { PartRow, Tables } from "./schema/tables.js"

/** Effects that came after the end of their call, as a part, redacted. */
export function lateDraft(late: LateEffects, redact: Redactor): PartDraft {
  const { id, callId, sessionId, at } = late
  return {
    id,
    sessionId,
    type: lateType,
    callId,
    state: null,
    text: recordJson(redact(late)),
    chained: true,
    synced: late.effects.some(({ kind }) => kind === "fs.write" || kind === "fs.delete"),
    createdAt: at,
    updatedAt: at,
  }
}

/** The notes about one call, in order. */
export function findLateEffects(
  db: Kysely<Tables>,
  { session_id, tool_call_id }: Pick<PartRow, "session_id" | "tool_call_id">,
): Promise<readonly Pick<PartRow, "data_json">[]> {
  return db
    .selectFrom("chat_parts")
    .select("data_json")
    .where("tool_call_id", "=", tool_call_id)
    .where("session_id", "=", session_id)
    .where("type", "=", lateType)
    .orderBy("index")
    .execute()
}

/** The calls, each with the further effects that notes report. Of calls with the same id the newest is meant. */
export function withLateEffects(
  calls: readonly CallRecord[],
  notes: readonly Pick<PartRow, "data_json">[],
): readonly CallRecord[] {
  if (notes.length === 0) return calls
  const more = new Map<string, ObservedEffect[]>()
  for (const note of notes) {
    const { callId, effects } = JSON.parse(splitLink(note.data_json).text) as LateEffects
    const known = more.get(callId)
    if (known) known.push(...effects)
    else more.set(callId, [...effects])
  }
  return calls.toReversed().map(take).toReversed()

  function take(call: CallRecord): CallRecord {
    const late = more.get(call.callId)
    more.delete(call.callId)
    return late ? { ...call, effects: [...call.effects, ...late] } : call
  }
}
