import type { Envelope } from "./envelope.js"
import type { UserMessage } from "./port/conversation.js"
import type { AskAnswer, AskRequest, Question } from "./port/person.js"
import type { EndedProcess } from "./port/ports.js"
import type { Todo } from "./port/session-memory.js"

/** What happens in a session, as one stream for terminal, page and protocols. */
export type SessionEvent = EventBody & {
  readonly session: string
  /** Counts up from 1 in each session. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The kinds of event with what each carries. */
export type EventBody =
  | { readonly type: "turn-start"; readonly turn: string; readonly text: string }
  | { readonly type: "text-delta"; readonly turn: string; readonly step: number; readonly delta: string }
  | { readonly type: "reasoning-delta"; readonly turn: string; readonly step: number; readonly delta: string }
  | {
      readonly type: "tool-input-start"
      readonly turn: string
      readonly step: number
      readonly call: string
      readonly tool: string
    }
  | { readonly type: "tool-input-delta"; readonly turn: string; readonly call: string; readonly delta: string }
  /** A reply broke off and is asked for again: its pieces until here are void, its calls too. */
  | { readonly type: "reply-restart"; readonly turn: string; readonly step: number }
  /** A reply of the model is whole: its text supersedes the deltas. */
  | {
      readonly type: "reply"
      readonly turn: string
      readonly step: number
      readonly text: string
      readonly usage: Usage
    }
  /** The conversation comes near the limit of the model's context, or was refused as too long: now it is made shorter. */
  | { readonly type: "compaction-start"; readonly turn: string; readonly step: number }
  | ({ readonly type: "compaction-end"; readonly turn: string; readonly step: number } & Compaction)
  | { readonly type: "child-start"; readonly call: string; readonly child: string; readonly agent: string }
  | { readonly type: "child-end"; readonly call: string; readonly child: string; readonly outcome: TurnOutcome }
  | { readonly type: "turn-end"; readonly turn: string; readonly outcome: TurnOutcome }
  | { readonly type: "tool-call"; readonly call: string; readonly tool: string; readonly arguments: unknown }
  | { readonly type: "ask"; readonly call: string; readonly request: AskRequest }
  | {
      readonly type: "question"
      readonly call: string
      /** The name under which it is answered. */
      readonly wait: string
      readonly questions: readonly Question[]
    }
  | { readonly type: "answer"; readonly call: string; readonly answer: AskAnswer["answer"] }
  | { readonly type: "tool-start"; readonly call: string; readonly tool: string }
  | { readonly type: "tool-output-delta"; readonly call: string; readonly delta: string }
  | { readonly type: "tool-end"; readonly call: string; readonly tool: string; readonly envelope: Envelope }
  | { readonly type: "todo"; readonly todos: readonly Todo[] }
  | ({ readonly type: "message" } & UserMessage)
  | { readonly type: "process-ended"; readonly process: EndedProcess }
  | { readonly type: "error"; readonly message: string }

/** What the model sees of a conversation that was made shorter. The journal keeps all of it. */
export interface Compaction {
  /** Results of calls that are left out, all told. */
  readonly leftOut: number
  /** Stands for the older messages; absent when this compaction wrote none. */
  readonly summary?: string
  /** What the summary used. */
  readonly usage?: Usage
}

/** Tokens of one or more replies, and what they cost where the price is known. */
export interface Usage {
  /** Without what the provider had in its cache. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** In US dollars; absent where the price is not known. */
  readonly cost?: number
}

/** Why a turn ended. */
export type StopReason =
  /** The model had no more calls to make. */
  | "done"
  | "aborted"
  /** A limit of the run: steps, cost or time. */
  | "limit"
  /** The reply was cut at the model's own limit of output. */
  | "length"
  /** The provider refused to answer. */
  | "refused"
  | "model-error"
  /** The model did the same again and again. */
  | "loop"
  | "failed"

/** How a turn ended, for people and programs. */
export interface TurnOutcome {
  readonly reason: StopReason
  /** The last text of the model; empty when there was none. */
  readonly text: string
  /** Replies of the model. */
  readonly steps: number
  /** What its replies used, and what subagents used that it waited for or whose report it is. */
  readonly usage: Usage
  /** What happened and what to do, where the reason is no success. */
  readonly message?: string
  readonly hint?: string
}
