import { MemoryJournal } from "@haft/agent"
import { ToolError, type TurnJournal, type TurnRecord } from "@haft/contract"
import type { OpenedSession } from "./open-session.js"

/** The records of turns, each in the journal of its session; without a journal they last as long as the process. */
export class TurnJournals implements TurnJournal {
  private readonly find: (sessionId: string) => OpenedSession | undefined
  private readonly unrecorded = new MemoryJournal()

  constructor(find: (sessionId: string) => OpenedSession | undefined) {
    this.find = find
  }

  append(record: TurnRecord, options: { readonly synced: boolean }): Promise<void> {
    return this.journalOf(record.sessionId).append(record, options)
  }

  records(sessionId: string, options?: Parameters<TurnJournal["records"]>[1]): Promise<readonly TurnRecord[]> {
    return this.journalOf(sessionId).records(sessionId, options)
  }

  private journalOf(sessionId: string): TurnJournal {
    const opened = this.find(sessionId)
    if (opened) return opened.journal ?? this.unrecorded
    throw new ToolError("not_found", `Cannot find session "${sessionId}": it is not open`)
  }
}
