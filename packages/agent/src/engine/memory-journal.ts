import type { TurnJournal, TurnRecord } from "@haft/contract"

/** Keeps records in memory: for sessions without a journal, which cannot be resumed. */
export class MemoryJournal implements TurnJournal {
  private readonly sessions = new Map<string, TurnRecord[]>()

  append(record: TurnRecord): undefined {
    const records = this.sessions.get(record.sessionId)
    if (records) records.push(record)
    else this.sessions.set(record.sessionId, [record])
    return undefined
  }

  async records(
    sessionId: string,
    { from = 0, limit = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<readonly TurnRecord[]> {
    return this.sessions.get(sessionId)?.slice(from, from + limit) ?? []
  }
}
