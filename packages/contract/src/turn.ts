import type { CallerSignal } from "./cancellation.js"
import type { ErrorCode } from "./error.js"
import type { Usage } from "./event.js"
import type { Json } from "./json.js"

/**
 * What a turn sees of the engine that makes it durable. A turn is a deterministic function of its input and this port:
 * effects happen only inside steps, and clock, ids and answers come from here, so that a turn can be run again from its
 * record after a crash.
 */
export interface TurnPort {
  readonly sessionId: string
  readonly turnId: string
  /** Aborted with the turn. */
  readonly signal: AbortSignal
  /** Runs at least once and is recorded once. The key is stable and unique in the turn. */
  step<T extends Json>(key: string, run: (scope: StepScope) => Promise<T>, options?: StepOptions<T>): Promise<T>
  /** Runs steps side by side; the results are in the order of the specs. A native `Promise.all` breaks other engines. */
  parallel<T extends Json>(
    specs: readonly StepSpec<T>[],
    options?: { readonly limit?: number },
  ): Promise<readonly Settled<T>[]>
  /** Waits for an answer from outside, for hours or days, across restarts. */
  wait<T extends Json>(name: string, options: WaitOptions): Promise<Answer<T>>
  /** Runs a turn of another session, with a journal of its own, and aborts it with this one. */
  child(sessionId: string, turnId: string, input: Json): Promise<TurnResult>
  /** Recorded clock, in milliseconds since 1970. */
  now(): Promise<number>
  /** Recorded random id. */
  uuid(): Promise<string>
}

/** What the body of a step sees. */
export interface StepScope {
  /** Aborted with the turn, when the time of the step is over, and when the engine closes. */
  readonly signal: CallerSignal
  /** Above 1 when an earlier process may have run the body in part. */
  readonly attempt: number
  /** `session/turn/key`: the same on every attempt. */
  readonly idempotencyKey: string
  /** Shows a piece of the result to watchers. Not recorded: the result of the step supersedes it. */
  emit(chunk: Json): void
  /** A durable wait from inside a step: after a crash the body runs again and finds the answer that was given. */
  wait<T extends Json>(name: string, options: WaitOptions): Promise<Answer<T>>
}

/** How a step is run and recorded. */
export interface StepOptions<T extends Json = Json> {
  /**
   * `never`: an intent mark is on disk before the body runs, and a body that was interrupted is not run again: `interrupted`
   * gives its result instead. `safe` by default.
   */
  readonly retry?: "never" | "safe"
  /** The result of a `never` step whose outcome is unknown. */
  readonly interrupted?: () => T
  /**
   * For a step that writes its own durable record, as a tool call does: finds that record after a restart. The engine then
   * writes neither mark nor result.
   */
  readonly recorded?: () => Promise<T | undefined>
  readonly timeoutMs?: number
  /** Whether the result must be on disk before the step ends: replies of models. */
  readonly synced?: boolean | ((value: T) => boolean)
}

/** One of several steps that run side by side. */
export interface StepSpec<T extends Json = Json> {
  readonly key: string
  readonly run: (scope: StepScope) => Promise<T>
  readonly options?: StepOptions<T>
}

/** How one of several steps ended. */
export type Settled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly message: string } }

/** What a wait is for, shown to the people who may answer. */
export interface WaitOptions {
  readonly ask: Json
  readonly timeoutMs?: number
  /** Ends the wait without an answer, besides the abort of the turn. */
  readonly signal?: AbortSignal
}

/** How a wait ended. */
export type Answer<T> =
  | { readonly state: "answered"; readonly value: T }
  | { readonly state: "timed-out" }
  | { readonly state: "aborted" }

/** How a turn ended. */
export type TurnResult =
  | { readonly state: "done"; readonly value: Json }
  | { readonly state: "aborted"; readonly reason: string }
  | { readonly state: "failed"; readonly message: string; readonly code?: string }

/** The function that an engine makes durable. */
export type TurnFunction = (port: TurnPort, input: Json) => Promise<Json>

/** The side of an engine that hosts use. */
export interface Engine {
  /**
   * Starts a turn, after the earlier ones of its session. Idempotent by the turn's id. Resolves when the input is on disk.
   * A turn that fails holds back those that are queued behind it until the next `start` or `resume` of the session.
   */
  start(sessionId: string, turnId: string, input: Json): Promise<void>
  result(sessionId: string, turnId: string): Promise<TurnResult>
  /**
   * Answers a wait; the first answer wins, and later ones get `already`. An answer to a wait that is not open yet, or whose
   * turn was aborted, is refused as `unknown`. A wait that a dead process left open can be answered before `resume`.
   */
  answer(sessionId: string, turnId: string, name: string, value: Json): Promise<"taken" | "unknown" | "already">
  /** The waits that nobody has answered. */
  waits(sessionId: string): Promise<readonly OpenWait[]>
  /** Resolves when the end of the turn is recorded; false when it had ended before. */
  abort(sessionId: string, turnId: string, reason?: string): Promise<boolean>
  /** Recorded events after the cursor, then live ones and chunks, without a gap. */
  watch(
    sessionId: string,
    options?: { readonly from?: number; readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>
  /** Goes on with the turns of a session that a process left open. Resolves to their ids. */
  resume(sessionId: string): Promise<readonly string[]>
  /**
   * Hides the turns that began after this one from those that come; their records stay and nothing that they did is undone.
   * Refused while a turn runs; turns that a process left open are ended.
   */
  rewind(sessionId: string, turnId: string): Promise<void>
  /** The record of a session's turns, in order. */
  history(sessionId: string): Promise<readonly TurnRecord[]>
  /** Ends what runs without recording an end, so that it can go on later. */
  close(): Promise<void>
}

/** A wait that is open. */
export interface OpenWait {
  readonly turnId: string
  readonly name: string
  readonly ask: Json
  readonly since: number
}

/** One record of a turn. */
export type TurnRecord = TurnRecordBody & {
  readonly sessionId: string
  readonly turnId: string
  readonly at: number
}

/** The kinds of record. */
export type TurnRecordBody =
  | { readonly kind: "start"; readonly input: Json }
  | { readonly kind: "intent"; readonly key: string }
  | { readonly kind: "step"; readonly key: string; readonly attempt: number; readonly value: Json }
  /** The body of a step threw: a turn that is run again meets the same error. */
  | { readonly kind: "failure"; readonly key: string; readonly attempt: number; readonly error: StepFailure }
  /** `step` is the key of the step whose body waits; absent for a wait between steps. */
  | { readonly kind: "wait"; readonly name: string; readonly ask: Json; readonly step?: string }
  | { readonly kind: "answer"; readonly name: string; readonly value: Json }
  /** A wait ended without an answer. */
  | { readonly kind: "expired"; readonly name: string; readonly state: "timed-out" | "aborted" }
  /** A process goes on with a turn that an earlier one left open. Chunks of lower attempts are void. */
  | { readonly kind: "resume"; readonly attempt: number }
  | { readonly kind: "end"; readonly result: TurnResult }
  /** The conversation goes on behind this turn: those that began after it are hidden from the model. */
  | { readonly kind: "rewind" }

/** How the body of a step failed. */
export interface StepFailure {
  readonly message: string
  readonly code?: ErrorCode
}

/** What a watcher sees: records with their place in the session, and pieces of steps that run now. */
export type TurnEvent =
  | { readonly type: "record"; readonly cursor: number; readonly record: TurnRecord }
  | {
      readonly type: "chunk"
      readonly turnId: string
      readonly key: string
      readonly attempt: number
      readonly seq: number
      readonly chunk: Json
    }

/** Where the records of turns are kept. */
export interface TurnJournal {
  /**
   * Resolves when the record is committed, and with `synced` when it is on disk. Records of a session have the order of the
   * calls of this function, also when these do not wait for one another. Undefined when it is committed already.
   */
  append(record: TurnRecord, options: { readonly synced: boolean }): Promise<void> | undefined
  /** The records of a session's turns in order: all, or at most `limit` after the first `from`. */
  records(sessionId: string, page?: { readonly from?: number; readonly limit?: number }): Promise<readonly TurnRecord[]>
}

/** What a person or a program sends to an agent. */
export interface TurnInput {
  readonly text: string
  readonly files?: readonly PromptFile[]
  /** What sent it, where that is no person: a report of a background child, a schedule. */
  readonly trigger?: string
  /** Those of the agent by default. */
  readonly limits?: TurnLimits
  /** What others used for this turn before it began: a subagent whose report it is. It counts as used in the turn. */
  readonly usage?: Usage
}

/** A file in a prompt; `data` is base64. */
export interface PromptFile {
  readonly name: string
  readonly mediaType: string
  readonly data: string
}

/** How a message is sent. */
export interface SendOptions {
  /** Aborts the turn. A reader that goes away does not. */
  readonly signal?: AbortSignal
  /** The same id never starts a second turn. */
  readonly turnId?: string
}

/** Where a turn ends although the model would go on. */
export interface TurnLimits {
  readonly maxSteps?: number
  /** In US dollars. */
  readonly maxCost?: number
  readonly maxTimeMs?: number
}
