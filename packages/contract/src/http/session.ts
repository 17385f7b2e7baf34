import type { ErrorCode } from "../error.js"
import type { TurnOutcome, Usage } from "../event.js"
import type { CallRecord } from "../journal.js"
import type { Ladder } from "../ladder.js"
import type { AskAnswer, AskRequest, Question } from "../port/person.js"
import type { Mode, Rule } from "../rule.js"
import type { ApiModelView } from "./tool.js"

/** `POST /api/sessions`. Roots must lie inside those of the server, rules may only narrow, the mode may not rise. */
export interface ApiSessionRequest {
  readonly roots?: readonly string[]
  readonly toolset?: string
  /** Only `deny` and `ask`. */
  readonly rules?: readonly Rule[]
  readonly mode?: Mode
}

/** The session that was opened. */
export interface ApiSessionOpened {
  readonly id: string
  readonly roots: readonly string[]
  readonly toolset: string
}

/** A session in the list, and `GET /api/sessions/:id`. */
export interface ApiSession {
  readonly id: string
  readonly title?: string
  readonly agent: string
  readonly roots: readonly string[]
  readonly directory: string
  readonly calls: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  /**
   * `open`: this server drives it; `closed`: it can be opened by a call or a message; `elsewhere`: another process drives it;
   * `read-only`: it was imported.
   */
  readonly state: "open" | "closed" | "elsewhere" | "read-only"
  /** The process that drives it, for `elsewhere`. */
  readonly owner?: { readonly pid: number; readonly host: string }
  /** The session whose turn started this one. */
  readonly parentId?: string
  /** The session that it was forked from, and the last turn or call that it took over. */
  readonly forkedFrom?: { readonly session: string; readonly at?: string }
  readonly model?: string
  /** For an open session. */
  readonly toolset?: string
  readonly mode?: Mode
  /** Turns that run or wait, and calls that run, of an open session. */
  readonly running?: { readonly turns: readonly string[]; readonly calls: readonly string[] }
}

/** `POST /api/sessions/:id/messages`: 202 with the id of the turn; what happens comes as events. */
export interface ApiMessageRequest {
  readonly text: string
  /** The same id never starts a second turn. */
  readonly turnId?: string
}

/** The turn that a message started. */
export interface ApiMessageResult {
  readonly turnId: string
}

/** `POST /api/sessions/:id/abort`: a turn, a call, or everything that runs. */
export interface ApiAbortRequest {
  readonly turnId?: string
  readonly callId?: string
  readonly reason?: string
}

/** What was stopped. */
export interface ApiAbortResult {
  readonly aborted: boolean
}

/** `POST /api/sessions/:id/undo`: that call, or the newest of the session with file effects. */
export interface ApiUndoRequest {
  readonly callId?: string
}

/** What undo did. */
export interface ApiUndoResult {
  readonly callId: string
  readonly restored: readonly string[]
  readonly removed: readonly string[]
  readonly removedDirectories: readonly string[]
  readonly left?: readonly { readonly path: string; readonly reason: string }[]
}

/**
 * `GET /api/sessions/:id/timeline?from=CURSOR`: a page of what the journal has, in order. The end of a call comes after its
 * beginning, perhaps in a later page, and takes its place; so a client that asks again from `next` misses nothing.
 */
export interface ApiTimeline {
  readonly session: ApiSession
  readonly calls: readonly ApiTimelineCall[]
  /** Turns of which something is in this page, and that of it. */
  readonly turns: readonly ApiTimelineTurn[]
  /** Calls whose file effects were taken back in this page. */
  readonly undone: readonly { readonly callId: string; readonly at: number }[]
  /** Sessions that worked for this one. */
  readonly children: readonly (ApiSession & { readonly callId?: string })[]
  /** Where the next page begins. */
  readonly next: string
  /** False when there are no more: what is recorded later follows at `next`. */
  readonly more: boolean
}

/** A call in the timeline: what its row shows. */
export interface ApiTimelineCall extends Pick<CallRecord, "callId" | "tool" | "name" | "startedAt" | "endedAt"> {
  /** The first argument that is a text, shortened: what the call was about. */
  readonly subject: string
  readonly verdict: Ladder["verdict"]
  /** True when a person, or somebody for them, had to answer. */
  readonly asked?: true
  /** How it ended; absent while it runs. */
  readonly end?: "output" | ErrorCode
}

/** `GET /api/sessions/:id/chain`: whether the hash chain of the session holds, and what is wrong with it if not. */
export interface ApiChain {
  readonly ok: boolean
  readonly message?: string
}

/** `GET /api/sessions/:id/calls/:call`: a recorded call. `rawArguments` is what came, `arguments` what ran. */
export interface ApiRecordedCall
  extends Pick<
    CallRecord,
    | "callId"
    | "tool"
    | "name"
    | "rawArguments"
    | "arguments"
    | "ladder"
    | "answers"
    | "effects"
    | "envelope"
    | "state"
    | "startedAt"
    | "endedAt"
  > {
  /** When its file effects were taken back. */
  readonly undoneAt?: number
  readonly model: ApiModelView
}

/** A recorded turn. */
export interface ApiTimelineTurn {
  readonly turnId: string
  /** Absent when it began in an earlier page. */
  readonly text?: string
  readonly startedAt?: number
  readonly endedAt?: number
  readonly replies: readonly {
    readonly step: number
    readonly at: number
    readonly text: string
    readonly usage: Usage
    readonly calls: readonly string[]
  }[]
  readonly outcome?: TurnOutcome
}

/** `GET /api/sessions/:id/files?at=CALL`: the files that the session wrote, as they were right after that call. */
export interface ApiFilesAtMoment {
  readonly at: string | null
  readonly files: readonly {
    readonly path: string
    /** `absent`: it did not exist then. */
    readonly state: "written" | "absent" | "unchanged"
    /** The call that made it what it was then; absent for one that no call had touched yet. */
    readonly callId?: string
    readonly available: boolean
    /** Why its content cannot be shown. */
    readonly reason?: string
  }[]
}

/** `GET /api/sessions/:id/file?at=CALL&path=PATH`: one of them. */
export interface ApiFileAtMoment {
  readonly path: string
  readonly state: "written" | "absent" | "unchanged"
  /** Absent for a file that is no text; `base64` is then given, up to the limit. */
  readonly text?: string
  readonly base64?: string
  readonly bytes: number
  readonly truncated?: true
}

/** `POST /api/sessions/:id/fork`: a new session with the conversation up to a call or turn; files stay as they are. */
export interface ApiForkRequest {
  readonly callId?: string
  readonly turnId?: string
}

/** `POST /api/sessions/import`: the text of an export. A tampered one is refused with the place. */
export interface ApiImportRequest {
  readonly jsonl: string
}

/** A session that was made. */
export interface ApiSessionMade {
  readonly id: string
}

/** `GET /api/asks`: permission asks and questions of all sessions here that wait for an answer, oldest first. */
export type ApiAsk = {
  readonly id: string
  readonly session: string
  readonly call: string
  readonly since: number
} & (
  | { readonly kind: "ask"; readonly request: AskRequest }
  | { readonly kind: "question"; readonly questions: readonly Question[] }
)

/**
 * `POST /api/asks/:id`. The first answer wins; a later one gets 409 with `details.answeredBy`. `args` are edited arguments
 * for `edit`, judged from the start: they may be asked about again. A question takes `answers`, or `reject`.
 */
export interface ApiAnswerRequest {
  readonly answer?: AskAnswer["answer"]
  readonly reason?: string
  readonly args?: unknown
  /** For `session` and `project`: another rule than the proposed one. */
  readonly rule?: Rule
  readonly answers?: readonly (readonly string[])[]
  /** Who answers, in a few words for the others: "the tab in Firefox". */
  readonly from?: string
}

/** The answer was taken. */
export interface ApiAnswerResult {
  readonly taken: true
}
