import type { CallRecord, Journal, PlacedRule } from "@haft/contract"

/** A journal that a test can look into. */
export interface MemoryJournal extends Journal {
  /** Every record in the order in which it was written, the traces of attempts included. */
  readonly written: readonly { readonly at: "begin" | "settle"; readonly record: CallRecord }[]
  /** The rules that were last saved for a session. */
  permissions(sessionId: string): readonly PlacedRule[]
}

/** Makes a journal in memory that behaves as the stored one does: one record a call, the last state wins. */
export function memoryJournal(): MemoryJournal {
  const written: { at: "begin" | "settle"; record: CallRecord }[] = []
  const records = new Map<string, CallRecord>()
  const rules = new Map<string, readonly PlacedRule[]>()
  const keep = async (at: "begin" | "settle", given: CallRecord) => {
    // A copy, as a store makes one: what the caller changes afterwards is not recorded.
    const record = structuredClone(given)
    written.push({ at, record })
    records.set(record.id, record)
  }
  return {
    written,
    begin: (record) => keep("begin", record),
    settle: (record) => keep("settle", record),
    observe: async ({ callId, effects }) => {
      const record = [...records.values()].findLast((one) => one.callId === callId)
      if (record) records.set(record.id, { ...record, effects: [...record.effects, ...structuredClone(effects)] })
    },
    savePermissions: async (sessionId, saved) => {
      rules.set(sessionId, structuredClone(saved))
    },
    permissions: (sessionId) => rules.get(sessionId) ?? [],
    calls: async (sessionId) => [...records.values()].filter((record) => record.sessionId === sessionId),
  }
}
