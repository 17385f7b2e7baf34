import { type ApiChat, ToolError } from "@haft/contract"
import type { AgentOptions } from "../../library/agent.js"
import { agentOptions } from "../open-agent.js"
import type { ServeWorld } from "./world.js"

/** Whether messages can be sent, with what sends them. */
export interface Chat {
  readonly model?: string
  readonly options?: Omit<AgentOptions, "session">
  readonly state: ApiChat
}

/** The model of the flag or the configuration, or what to do where there is none. */
export function chatOf({ setup, invocation, io }: ServeWorld): Chat {
  try {
    const { session: _, ...options } = agentOptions(setup, invocation, io)
    const model = options.model as string
    return { model, options, state: { available: true, model } }
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return { state: { available: false, reason: "no model is set", hint: error.fix ?? error.hint ?? "" } }
  }
}
