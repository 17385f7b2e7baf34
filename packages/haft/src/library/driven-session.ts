import type { SessionRecord } from "@haft/contract"
import type { CallSession } from "@haft/runtime"
import type { AgentOptions } from "./agent.js"
import type { OpenAgent } from "./lazy-agent.js"
import type { HaftOptions } from "./options.js"

/** How a session of a server or an editor is opened. */
export interface DriveRequest {
  /** An earlier session; its open turns are resumed. */
  readonly id?: string
  /** What differs from the options of the Haft. */
  readonly change?: Pick<HaftOptions, "roots" | "toolset" | "rules" | "mode">
  readonly agent?: Omit<AgentOptions, "session">
  /** What the record of a new session holds besides. */
  readonly metadata?: SessionRecord["metadata"]
}

/** The same for a session with a model in it. */
export type AgentRequest = DriveRequest & Required<Pick<DriveRequest, "agent">>

/** A session that a server or an editor drives. */
export interface Driven {
  readonly session: CallSession
  readonly record: SessionRecord
  readonly agent?: OpenAgent
  /** Lets go of the session without ending it. */
  detach(): Promise<void>
}

/** The same with a model in it. */
export type DrivenAgent = Driven & Required<Pick<Driven, "agent">>
