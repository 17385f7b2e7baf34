import type { StopReason, Usage } from "../event.js"

/** An agent that another one may start, as its prompt lists it. */
export interface SubagentEntry {
  readonly name: string
  /** One line: when to use it. */
  readonly description: string
  readonly source: "project" | "user" | "bundled"
}

/** Work for a subagent. */
export interface SubagentRequest {
  /** The name of an agent, or the id of a session that one left, to go on with. */
  readonly agent: string
  readonly prompt: string
  /** True: the report comes into the conversation later, once. */
  readonly background: boolean
}

/** What became of the work; `output` is what the subagent said last. */
export interface SubagentReport {
  readonly sessionId: string
  /** Absent while it works in the background. */
  readonly end?: { readonly output: string; readonly reason: StopReason; readonly message?: string }
  /** What models used for the work; absent while it goes on. */
  readonly usage?: Usage
  /** Tools that its manifest names and the agent that started it does not have. */
  readonly missingTools: readonly string[]
}

/** The agents that a call may start. Each works in a session of its own and never with more rights than the one that starts it. */
export interface Subagents {
  list(): Promise<readonly SubagentEntry[]>
  /** An unknown agent is `not_found` with the names that there are; too many levels are `denied`. */
  run(
    request: SubagentRequest,
    call: { readonly callId: string; readonly signal: AbortSignal },
  ): Promise<SubagentReport>
}
