import type { Question } from "./person.js"

/** A message for the person, as faces show it. */
export interface UserMessage {
  readonly message: string
  /** `proactive` when nobody asked for it. */
  readonly status: "normal" | "proactive"
  readonly attachments: readonly MessageAttachment[]
}

/** A file attached to a message. */
export interface MessageAttachment {
  /** Absolute. */
  readonly path: string
  readonly size: number
  readonly is_image: boolean
}

/** The conversation that a call is part of. */
export interface Conversation {
  /** False when nobody is there to answer. */
  readonly hasPerson: boolean
  /** Shows a message without ending the turn. */
  tell(message: UserMessage): void
  /** Waits for a person's answers, one list a question; headless it is `unavailable` with a fixed text. */
  question(questions: readonly Question[]): Promise<readonly (readonly string[])[]>
  /** Asks the person to accept a plan; when accepted, mode plan ends. Headless: not approved. */
  reviewPlan(plan: string): Promise<{ readonly approved: boolean; readonly reason?: string }>
  /** The JSON Schema (2020-12) that the host wants a final object to fit, if it wants one. */
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined
  /** What keeps an object from fitting `outputSchema`, one sentence each; empty when it fits or no schema was given. */
  checkOutput(value: unknown): readonly string[]
}

/** What a question is answered with where nobody is: the same text everywhere, so that models learn it. */
export const nobodyAnswers =
  "No person is available to answer questions here. Continue with your best assumption and say which one you made"
