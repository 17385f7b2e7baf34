import type { AgentSession } from "@haft/agent"
import type { CallRecord, EditorBuffers, Mode, Person, SessionEvent, TurnRecord } from "@haft/contract"

/** What an editor's agent is made of; chosen by the composition root. */
export interface EditorHost {
  readonly version: string
  /** Opens a new session, or an earlier one by its id; its open turns go on. */
  open(request: OpenRequest): Promise<EditorSession>
  /** The conversations with an agent, last used first; with a folder those that belong to it. */
  sessions(page: SessionPage): Promise<readonly ListedSession[]>
  /** A new session that begins with what another one holds; resolves to its id. */
  fork(session: string): Promise<string>
  /** Deletes a session with its records and files. */
  remove(session: string): Promise<void>
}

/** Which sessions to list. */
export interface SessionPage {
  readonly folder?: string
  readonly from: number
  readonly limit: number
}

/** A conversation in a list. */
export interface ListedSession {
  readonly id: string
  readonly roots: readonly string[]
  readonly directory: string
  /** The beginning of its first message. */
  readonly title: string
  readonly updatedAt: number
}

/** What an editor wants of a session. */
export interface OpenRequest {
  readonly session?: string
  /** Absolute. The first is the working directory. */
  readonly folders: readonly [string, ...string[]]
  /** Servers of the editor's own configuration, as entries of `mcpServers`. */
  readonly mcpServers: Readonly<Record<string, unknown>>
  /** Answers asks and questions. */
  readonly person: Person
  /** Gets every event of the session and of those that work for it. */
  readonly onEvent: (event: SessionEvent) => void
  /** Absent where the editor does not show its files. */
  readonly buffers?: EditorBuffers
}

/** An open session. */
export interface EditorSession {
  readonly agent: AgentSession
  /** The folders as they really are, in the order of the request. */
  readonly roots: readonly string[]
  readonly model: string
  /** Models that can be chosen, the current one included. */
  readonly models: readonly string[]
  /** What the person should hear when the session opens. */
  readonly notes: readonly string[]
  /** The turns and the calls so far. */
  history(): Promise<{ readonly turns: readonly TurnRecord[]; readonly calls: readonly CallRecord[] }>
  /** The calls of this session and of the agents that worked for it, in the order in which they began. */
  allCalls(): Promise<readonly CallRecord[]>
  /** A call that has ended. */
  call(callId: string): Promise<CallRecord | undefined>
  /** What a file contained before a call changed it, by content hash. */
  formerContent(hash: string): Promise<Uint8Array | undefined>
  /** Aborts every turn that runs, with everything that works for it. */
  abortAll(reason: string): Promise<boolean>
  /** Asks another model from the next turn on. */
  useModel(model: string): Promise<void>
  /** Changes the mode; one that the configuration forbids is `denied`. */
  useMode(mode: Mode): Promise<void>
  /** Takes back the file effects of a call, or of the newest one; says what happened. */
  undo(callId?: string): Promise<string>
  /** What confines the commands of this session, tried out; a line for each way. */
  sandbox(): Promise<readonly string[]>
  /** Lets go of the session: it can be opened again, and its open turns go on then. */
  close(): Promise<void>
}
