import type { Ladder } from "../ladder.js"
import type { AskPreview } from "../preview.js"
import type { Rule } from "../rule.js"

/** A rule that an answer would save, with a sample on either side of its pattern. */
export interface RuleProposal {
  readonly rule: Rule
  readonly matches: string
  readonly differs: string
  /** What the answer holds for besides, and until when: "it holds while this text stays the same ...". */
  readonly also?: string
}

/** One permission question, with everything a person needs to answer it. */
export interface AskRequest {
  readonly sessionId: string
  readonly callId: string
  readonly tool: string
  readonly title: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly directory: string
  readonly ladder: Ladder
  /** What can be answered. Other answers than these hold for this call alone. */
  readonly offers: readonly AskAnswer["answer"][]
  /** What would be saved by "session" or "project"; absent when only "once" is possible. */
  readonly proposal?: RuleProposal
  /** What would happen if the call ran now; the answer holds for exactly this. */
  readonly preview?: AskPreview
  /** The nearest earlier answer and the first difference to it. */
  readonly askedBefore?: string
}

/** A person's answer. */
export type AskAnswer =
  | { readonly answer: "once" }
  | { readonly answer: "session"; readonly rule?: Rule }
  | { readonly answer: "project"; readonly rule?: Rule }
  | { readonly answer: "accept-edits" }
  | { readonly answer: "reject"; readonly reason?: string }
  | { readonly answer: "edit"; readonly arguments: unknown }

/** A question of the agent to the person. */
export interface Question {
  readonly question: string
  readonly header?: string
  readonly options?: readonly { readonly label: string; readonly description?: string }[]
  readonly multi_select?: boolean
}

/** The person, or what answers for the user. A throw, an abort and an answer that is none of the above count as reject. */
export interface Person {
  ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer>
  question(questions: readonly Question[], signal: AbortSignal, callId: string): Promise<readonly (readonly string[])[]>
}
