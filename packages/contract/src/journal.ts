import type { ObservedEffect } from "./effect.js"
import type { Envelope } from "./envelope.js"
import type { Usage } from "./event.js"
import type { Ladder } from "./ladder.js"
import type { AskAnswer } from "./port/person.js"
import type { PlacedRule } from "./rule.js"

/** A session as the journal keeps it. */
export interface SessionRecord {
  readonly id: string
  readonly agent: string
  readonly workspaceRoot: string | null
  /** All roots; `workspaceRoot` is the first. */
  readonly roots: readonly string[]
  readonly directory: string
  /** The session whose turn started this one. */
  readonly parentId?: string
  /** Its last message at that time; the store fills it in. */
  readonly parentMessageId?: string
  /** Rules of session scope only. */
  readonly permissions: readonly PlacedRule[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  /** What models used in its turns; absent for a session without replies. Its cost counts the replies whose price is known. */
  readonly usage?: Usage
  /** Whatever else belongs to the session: folder of scratch and sidecars, chain head, title. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** One call as the journal keeps it: enough to explain, replay, verify and undo it. */
export interface CallRecord {
  readonly id: string
  readonly callId: string
  readonly sessionId: string
  /** Canonical id of the tool. */
  readonly tool: string
  /** The name that the caller used. */
  readonly name: string
  /** Who asked for the call, where it was not the session itself: an extension, for instance. */
  readonly principal?: string
  readonly rawArguments: unknown
  readonly arguments: unknown
  readonly argumentsHash: string
  readonly ladder: Ladder
  /** How its asks were answered, in order; absent for a call that nobody had to answer. */
  readonly answers?: readonly RecordedAnswer[]
  readonly effects: readonly ObservedEffect[]
  /** Absent while the call runs. */
  readonly envelope?: Envelope
  readonly state?: unknown
  /** What the model read, for a call of a turn: later requests repeat it word for word. Images are left out. */
  readonly text?: string
  /** The call that this is a copy of, in a session that was forked: the effects stay with that one. */
  readonly copyOf?: string
  readonly startedAt: number
  readonly endedAt: number | null
}

/** How an ask of a call was answered. */
export interface RecordedAnswer {
  readonly answer: AskAnswer["answer"]
  /** Who was asked, the caller who answered in advance (`--yes`), or nobody: the question did not reach a person. */
  readonly by: "person" | "caller" | "nobody"
  /** The rule that the answer kept, as `permission(pattern)`. */
  readonly rule?: string
  readonly reason?: string
  readonly at: number
}

/** What a process that outlives its call did after the call had ended. */
export interface LateEffects {
  readonly id: string
  /** The call that started it. */
  readonly callId: string
  readonly sessionId: string
  readonly effects: readonly ObservedEffect[]
  readonly at: number
}

/** Where calls are recorded. Every record is redacted before it is written. */
export interface Journal {
  /** Before a tool that must not run twice: leaves a trace of the attempt. Resolves when it is durable. */
  begin(record: CallRecord): Promise<void>
  /** After every call. Resolves when it is durable. */
  settle(record: CallRecord): Promise<void>
  /** Effects that came after the end of their call; `calls` gives them with it. Resolves when they are durable. */
  observe(late: LateEffects): Promise<void>
  /** Session rules changed: keeps them on the session's row. */
  savePermissions(sessionId: string, rules: readonly PlacedRule[]): Promise<void>
  /** The calls of a session in the order in which they were recorded. */
  calls(sessionId: string): Promise<readonly CallRecord[]>
}
