import type { Envelope } from "./envelope.js"
import type { UserMessage } from "./port/conversation.js"
import type { AskAnswer, AskRequest } from "./port/person.js"
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
  | { readonly type: "tool-call"; readonly call: string; readonly tool: string; readonly arguments: unknown }
  | { readonly type: "ask"; readonly call: string; readonly request: AskRequest }
  | { readonly type: "answer"; readonly call: string; readonly answer: AskAnswer["answer"] }
  | { readonly type: "tool-start"; readonly call: string; readonly tool: string }
  | { readonly type: "tool-output-delta"; readonly call: string; readonly delta: string }
  | { readonly type: "tool-end"; readonly call: string; readonly tool: string; readonly envelope: Envelope }
  | { readonly type: "todo"; readonly todos: readonly Todo[] }
  | ({ readonly type: "message" } & UserMessage)
  | { readonly type: "process-ended"; readonly process: EndedProcess }
  | { readonly type: "error"; readonly message: string }
