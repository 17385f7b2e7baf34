import type { CallRecord, Journal, SessionRecord, TurnJournal, TurnRecord } from "@haft/contract"
import type { ChainHead } from "./call-record.js"
import type { Owner } from "./lease/owner.js"

/** The journal with its sessions: what the command line, the library and undo work on. */
export interface Store extends Journal, TurnJournal {
  /** Names this store among the owners of sessions. */
  readonly label: string
  createSession(record: SessionRecord): Promise<void>
  /** Finds a session by its id or by the beginning of it, where only one begins so. */
  session(id: string): Promise<SessionRecord | undefined>
  /** The sessions in which something was recorded, last used first. Archived ones are left out unless asked for. */
  sessions(options?: SessionFilter): Promise<readonly SessionSummary[]>
  /** The living process that owns a session, this one included. */
  owner(sessionId: string): Promise<Owner | undefined>
  /**
   * Calls, records of turns and notes of undo in the order in which they were recorded, read in pages. Late effects are left
   * out. The end of a call that was recorded when it began has a higher index than its beginning, and takes its place.
   */
  parts(sessionId: string, range?: PartRange): AsyncIterable<SessionPart>
  /** The highest index in use; -1 for a session without parts. */
  lastIndex(sessionId: string): Promise<number>
  /** Finds a call by its id or by the beginning of it, where only one begins so. */
  call(callId: string): Promise<CallRecord | undefined>
  /** The newest call, in any session, that changed a file under these roots and was not undone. */
  lastCallWithFileEffects(roots: readonly string[]): Promise<CallRecord | undefined>
  /** Notes in the chain that the file effects of a call were taken back. */
  markUndone(callId: string, at: number): Promise<void>
  /** When the file effects of a call were taken back, if they were. */
  undoneAt(callId: string): Promise<number | undefined>
  /** Makes this store the session's only writer of calls, and closes calls that a dead owner left open. */
  claim(sessionId: string, options?: ClaimOptions): Promise<SessionLease>
  /** Creates a session and claims it, in one write. */
  claimNew(record: SessionRecord): Promise<SessionLease>
  /** Removes a session with its messages and parts. */
  removeSession(id: string): Promise<void>
  /** Sessions unused for so long, but for archived, imported and owned ones. */
  expired(olderThanMs: number): Promise<readonly SessionRecord[]>
  /** The session as lines of JSON, each of type session, message or part, or blob: a large value of the part before. */
  exportLines(sessionId: string): AsyncIterable<string>
  /** Takes in exported lines as a read-only session. Resolves to its id. */
  importLines(lines: Iterable<string> | AsyncIterable<string>): Promise<string>
  /**
   * Copies what was said and done in a session into a new one with a chain of its own: all of it, or up to the end of a turn or
   * a call. It gets new ids and no rules; effects stay with the origin. Refused while the session works.
   */
  fork(sessionId: string, options: ForkOptions): Promise<SessionRecord>
  /** Checks the hash chain of a session from its first part to its saved head and beyond. */
  verify(sessionId: string): Promise<VerifyReport>
  /** Writes what is pending, gives back all sessions and closes the database. */
  close(): Promise<void>
}

/** Which sessions to list. */
export interface SessionFilter {
  /** True to list archived sessions too. */
  readonly archived?: boolean
  /** Only sessions of this workspace. */
  readonly root?: string
  /** Only this session, also one without records. */
  readonly id?: string
  /** Only sessions that worked for this one. */
  readonly parent?: string
  /** False to leave out sessions that an agent started. */
  readonly subagents?: boolean
  readonly limit?: number
}

/** A session in a list. */
export interface SessionSummary extends SessionRecord {
  /** How many calls it holds, open ones included. */
  readonly calls: number
}

/** One record of a session. Indexes count through the session and have gaps. */
export type SessionPart =
  | { readonly kind: "call"; readonly index: number; readonly call: CallRecord }
  | { readonly kind: "turn"; readonly index: number; readonly record: TurnRecord }
  | { readonly kind: "undo"; readonly index: number; readonly callId: string; readonly at: number }

/** Which parts to read: those after an index, up to one. */
export interface PartRange {
  readonly after?: number
  readonly upTo?: number
}

/** How to treat what a dead owner left behind. */
export interface ClaimOptions {
  /** True for a call that waits for a person: it is no orphan and stays open. */
  readonly waitsForPerson?: (call: CallRecord) => boolean
}

/** How a session is forked. */
export interface ForkOptions {
  /** The last turn, or the last call, that the copy has: its id or the beginning of it. Everything by default. */
  readonly at?: string | undefined
  /** What the new session's own metadata holds. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The right to write to a session. */
export interface SessionLease {
  readonly sessionId: string
  readonly owner: Owner
  /** Calls that a former owner left open and that the claim closed with an error. */
  readonly closed: readonly CallRecord[]
  /** Aborts when another process took the session over, which happens only after long silence. */
  readonly lost: AbortSignal
  /** Gives the session back. */
  release(): Promise<void>
}

/** How a part breaks the chain. */
export type ChainFailure = "changed" | "missing" | "reordered" | "head mismatch"

/** What the check of a chain found. */
export type VerifyReport =
  | {
      readonly ok: true
      readonly sessionId: string
      /** Chained parts. */
      readonly parts: number
      /** Calls that have not ended; the chain does not cover them. */
      readonly open: number
      readonly head: ChainHead
    }
  | {
      readonly ok: false
      readonly sessionId: string
      /** Parts that were found right before the failure. */
      readonly parts: number
      readonly failure: ChainFailure
      /** Place in the chain, counted from 1. */
      readonly seq: number
      readonly partId?: string
      readonly callId?: string
      /** What is wrong, in words. */
      readonly message: string
    }
