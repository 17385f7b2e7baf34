import { resolve } from "node:path"
import { type Person, ToolError } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { valueBeside } from "../config/combine-layers.js"
import type { Configuration } from "../config/load-configuration.js"
import type { Agent, AgentOptions } from "../library/agent.js"
import type { Haft } from "../library/create-haft.js"
import { withModel } from "../library/with-model.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { openHaft } from "./open-haft.js"
import { note } from "./print.js"
import type { Setup } from "./setup.js"

/** Where a turn of this command line ends although the model would go on. */
export type Limits = NonNullable<AgentOptions["limits"]>

/** An agent as this command line and its configuration want it. */
export interface OpenedAgent {
  readonly haft: Haft
  readonly agent: Agent
  /** The model as the person named it. */
  readonly model: string
  /** An agent on that session with another model. */
  another(model: string, session: string | undefined): Promise<Agent>
}

/** How the agent of a command differs from that of another. */
export interface OpenAgentOptions {
  readonly limits: Limits
  /** Answers instead of the person at the terminal. */
  readonly person?: Person | "headless"
}

/** Opens a Haft with an agent; its session opens with the first message. */
export async function openAgent(
  invocation: Invocation,
  io: Io,
  { limits, person }: OpenAgentOptions,
): Promise<OpenedAgent> {
  const { haft, setup } = await openHaft(invocation, io, { touchesFiles: true, forAgent: true })
  try {
    const options = { ...agentOptions(setup, invocation, io), limits, ...(person !== undefined && { person }) }
    const { record: _, ...rest } = options
    const another = async (name: string, id: string | undefined) => {
      // Opened first: it keeps the address that it was given with.
      const { summaryModelOf } = await import("../library/agents.js")
      const summaryModel = await summaryModelOf(rest)
      const changed = withModel(rest, modelNamed(name, io))
      return haft.agent({ ...changed, ...(summaryModel && { summaryModel }), ...(id !== undefined && { session: id }) })
    }
    return { haft, agent: haft.agent(options), model: options.model, another }
  } catch (error) {
    await haft.close()
    throw error
  }
}

/** The agent that flags and configuration want. Without a model it is an error that says how to set one. */
export function agentOptions(
  { configuration }: Setup,
  invocation: Invocation,
  io: Io,
): AgentOptions & { readonly model: string } {
  const summaryModel = configuration.values.get("summaryModel")
  const [session, dialect, record] = ["session", "dialect", "record"].map((name) => invocation.text(name))
  return {
    ...modelOptions(configuration, invocation, io),
    ...(summaryModel !== undefined && { summaryModel: modelNamed(summaryModel, io) }),
    ...(session !== undefined && { session }),
    ...(dialect !== undefined && dialect !== "haft" && { dialect }),
    ...(record !== undefined && { record: resolve(io.cwd, record) }),
  }
}

/**
 * The model, and what was said about it. An address and a size belong to the model beside which they were set: another one that
 * a flag names has its own.
 */
function modelOptions({ values, sayings }: Configuration, invocation: Invocation, io: Io) {
  const model = modelNamed(values.get("model"), io)
  const [baseUrl, contextTokens] = [values.get("baseUrl"), values.get("contextTokens")]
  const besideAddress = String(valueBeside(sayings, "model", "baseUrl") ?? "openai-compatible:")
  const isItsOwn = baseUrl !== undefined && withModel({ model: besideAddress, baseUrl }, model).baseUrl !== undefined
  if (baseUrl !== undefined && !isItsOwn && !model.startsWith("script:")) {
    const words = `note: the configured address ${visibleLine(baseUrl)} is not used: it is not that of ${visibleLine(model)}`
    note(invocation, io, `${words}; to use it: --base-url`)
  }
  const besideSize = valueBeside(sayings, "model", "contextTokens") ?? model
  return {
    model,
    ...(isItsOwn && { baseUrl }),
    ...(contextTokens !== undefined && besideSize === model && { contextTokens }),
  }
}

/** The model of the flag or the configuration; a script is a file as seen from here. */
export function modelNamed(model: string | undefined, io: Io): string {
  if (model === undefined || model === "") {
    throw new ToolError("not_configured", "Cannot ask a model: none is set", {
      hint: "Choose one with --model PROVIDER:NAME (anthropic, openai, google, ollama, openai-compatible) or haft config set model PROVIDER:NAME; script:FILE replays a file and needs no key",
    })
  }
  const script = /^script:(.+)$/s.exec(model)?.[1]
  return script === undefined ? model : `script:${resolve(io.cwd, script)}`
}

/** The limits of the flags. A limit that cannot be understood is an error, because somebody relies on it. */
export function limitsOf(invocation: Invocation): Limits {
  const steps = numberOf(invocation, "max-steps", { whole: true })
  const cost = numberOf(invocation, "max-cost")
  const seconds = numberOf(invocation, "max-time")
  return {
    ...(steps !== undefined && { maxSteps: steps }),
    ...(cost !== undefined && { maxCost: cost }),
    ...(seconds !== undefined && { maxTimeMs: seconds * 1000 }),
  }
}

function numberOf(invocation: Invocation, option: string, { whole = false } = {}): number | undefined {
  const text = invocation.text(option)
  if (text === undefined) return undefined
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  // A timer of Node runs out at once when it is longer than this many milliseconds.
  if (number > 0 && number < 2_000_000 && (!whole || Number.isInteger(number))) return number
  const what = whole ? "a whole number above 0 and below 2000000" : "a number above 0 and below 2000000"
  throw new ToolError("invalid_args", `Cannot use "${text}" for "--${option}": it must be ${what}`)
}
