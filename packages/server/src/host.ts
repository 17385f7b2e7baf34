import type {
  ApiCheck,
  ApiRuleSave,
  ApiRuleSaved,
  ApiRules,
  ApiRuleTests,
  ApiRuleTried,
  ApiRuleTry,
  ApiServer,
  ApiServerLook,
  ApiSetting,
  ApiSkills,
  ApiTool,
  ApiToolDetail,
  ApiUndoResult,
  ApiWorkspace,
  CallRecord,
  Dialect,
  IndexHit,
  Locale,
  Mode,
  Rule,
  SessionRecord,
  TurnRecord,
} from "@haft/contract"
import type { CallSession } from "@haft/runtime"

/** What a server needs; the composition root makes it. */
export interface ServerHost {
  workspace(): Promise<ApiWorkspace>
  journal(): Promise<ServedJournal>
  readonly sessions: SessionsHost
  readonly tools: ToolsHost
  readonly rules: RulesHost
  readonly machine: MachineHost
}

/** The journal as far as a server reads and keeps it. */
export interface ServedJournal {
  session(id: string): Promise<SessionRecord | undefined>
  sessions(filter: {
    readonly id?: string
    /** Those that worked for this session. */
    readonly parent?: string
    readonly archived?: boolean
    readonly limit?: number
  }): Promise<readonly (SessionRecord & { readonly calls: number })[]>
  /** Names this journal among the owners of sessions. */
  readonly label: string
  /** The living process that owns a session; its `process` is the label of the journal that it writes to. */
  owner(id: string): Promise<{ readonly process: string; readonly pid: number; readonly host: string } | undefined>
  /** Finds a call by its id or by the beginning of it. */
  call(callId: string): Promise<CallRecord | undefined>
  calls(id: string): Promise<readonly CallRecord[]>
  records(id: string, page?: { readonly from?: number; readonly limit?: number }): Promise<readonly TurnRecord[]>
  /**
   * Calls, turns and notes of undo in the order in which they were recorded, read in pages. The end of a call has a higher
   * index than its beginning, and takes its place.
   */
  parts(id: string, range?: { readonly after?: number; readonly upTo?: number }): AsyncIterable<JournalPart>
  /** The highest index of a session. */
  lastIndex(id: string): Promise<number>
  undoneAt(callId: string): Promise<number | undefined>
  exportLines(id: string): AsyncIterable<string>
  importLines(lines: Iterable<string>): Promise<string>
  verify(
    id: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string; readonly seq: number }>
  removeSession(id: string): Promise<void>
}

/** One record of a session. */
export type JournalPart =
  | { readonly kind: "call"; readonly index: number; readonly call: CallRecord }
  | { readonly kind: "turn"; readonly index: number; readonly record: TurnRecord }
  | { readonly kind: "undo"; readonly index: number; readonly callId: string; readonly at: number }

/** How a session is opened. */
export interface OpenRequest {
  /** An earlier session. */
  readonly id?: string
  readonly roots?: readonly string[]
  readonly toolset?: string
  readonly rules?: readonly Rule[]
  readonly mode?: Mode
}

/** A session that this process drives. */
export interface DrivenSession {
  readonly session: CallSession
  readonly record: SessionRecord
  readonly toolset: string
  /** Messages to a model; absent where none is configured. */
  readonly turns?: Turns
  /** Lets go of the session without ending it; open turns go on when it is opened again. */
  detach(): Promise<void>
}

/** The turns of a session. */
export interface Turns {
  readonly model: string
  /** Resolves when the message is on disk. The same id never starts a second turn. */
  start(text: string, turnId: string): Promise<void>
  /** Aborts a turn with everything that it started. */
  abort(turnId: string, reason: string): Promise<boolean>
}

/** Opens sessions and works on their files. */
export interface SessionsHost {
  /** Opens a new session, or an earlier one. A request that asks for more than the server was started with is refused. */
  open(request: OpenRequest): Promise<DrivenSession>
  /** Sessions with turns that an earlier process left open. */
  left(): Promise<readonly string[]>
  undo(callId: string, roots: readonly string[]): Promise<ApiUndoResult>
  /** The content that the file history has under a hash. */
  kept(hash: string): Promise<Uint8Array | undefined>
  /** The content of a file as it is now, if it has that hash. */
  current(path: string, hash: string): Promise<Uint8Array | undefined>
  /** A new session with what another has up to a call or turn, or all of it. */
  fork(id: string, at: string | undefined): Promise<string>
  /** Opens a session over a demo workspace whose model follows a script in this language. */
  tour(language: Locale): Promise<DrivenSession & { readonly prompt: string }>
  newId(prefix: "call" | "turn"): string
}

/** The catalogue. */
export interface ToolsHost {
  list(): Promise<readonly ApiTool[]>
  detail(id: string): Promise<ApiToolDetail>
  /** What a model read of a recorded call, where the record has not its text. */
  words(call: CallRecord): string
  dialect(name: string): Promise<Dialect | undefined>
}

/** The rules of the configuration. */
export interface RulesHost {
  list(): Promise<ApiRules>
  try(draft: ApiRuleTry): Promise<ApiRuleTried>
  test(): Promise<ApiRuleTests>
  save(request: ApiRuleSave): Promise<ApiRuleSaved>
}

/** What there is besides. */
export interface MachineHost {
  settings(): Promise<readonly ApiSetting[]>
  skills(): Promise<ApiSkills>
  servers(): Promise<readonly ApiServer[]>
  testServer(name: string, entry: string, signal: AbortSignal): Promise<ApiServerLook>
  trustServer(name: string, digest: string): Promise<void>
  /** As the tool `index_search` finds and ranks. */
  search(query: string, signal: AbortSignal): Promise<readonly IndexHit[]>
  probe(signal: AbortSignal): Promise<readonly ApiCheck[]>
  doctor(signal: AbortSignal): Promise<readonly ApiCheck[]>
}
