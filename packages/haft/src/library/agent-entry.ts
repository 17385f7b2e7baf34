import { setImmediate } from "node:timers/promises"
import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { AgentSession } from "@haft/agent"
import { bestEffort, type TurnJournal } from "@haft/contract"
import type { AgentOptions } from "./agent.js"
import type { OpenedSession, SessionSetting } from "./open-session.js"
import type { SessionSubagents } from "./subagents.js"

/** A session with an agent in it, and what its subagents inherit. */
export interface AgentEntry {
  readonly agent: AgentSession
  readonly opened: OpenedSession
  readonly setting: SessionSetting
  options: AgentOptions
  model: LanguageModelV3
  /** 0 for the agent that talks with the person. */
  readonly depth: number
  /** The records of its turns; without a journal of the session they last as long as the agent is open. */
  readonly journal: TurnJournal
  readonly subagents: SessionSubagents
  /** Sessions that work for this one now. */
  readonly children: Set<string>
  /** Work in the background by the call that started it, until this agent has read the report. */
  readonly background: Map<string, Promise<unknown>>
  /** Set when its work was aborted: nothing is reported to it any more. */
  isAborted: boolean
}

/** Why a subagent was aborted whose parent was: the parent is not told of it. */
export const abortedWithParent = "the agent that started it was aborted"

/** Resolves when no turn of the agent runs and every report of work in the background is read. */
export async function untilAtRest({ agent, background }: AgentEntry): Promise<void> {
  for (let work = [...background.values()]; ; work = [...background.values()]) {
    const open = [...work, ...agent.runningResults]
    if (open.length === 0) return
    await bestEffort("an engine that closes leaves its turns open", Promise.race(open))
    // Work that has ended is taken off the list right after.
    await setImmediate()
  }
}
