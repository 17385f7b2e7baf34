import { type Envelope, type OutputOf, type RawInputOf, ToolError, type ToolResult } from "@haft/contract"
import {
  type CallSession,
  type DefinitionFormat,
  type Explanation,
  explainCall,
  formatDefinitions,
  offerOf,
  runCall,
} from "@haft/runtime"
import type { BuiltinTools } from "@haft/tools"

/** How one call is made. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** True when a model asked for the call: the watchdog then looks for loops. */
  readonly fromModel?: boolean
  /** `once` answers the asks of this call in advance: for a person who typed the arguments. */
  readonly answer?: "once"
}

/** The id of a built-in tool, or any other name that a tool goes by. */
export type ToolName = keyof BuiltinTools | (string & {})

/** The arguments of a built-in tool by its id; those of other tools are checked when they arrive. */
export type ArgumentsOf<Name extends ToolName> = Name extends keyof BuiltinTools
  ? RawInputOf<BuiltinTools[Name]>
  : unknown

/** The data of a built-in tool by its id. */
export type DataOf<Name extends ToolName> = Name extends keyof BuiltinTools ? OutputOf<BuiltinTools[Name]> : unknown

/** A conversation with a workspace. */
export interface Session {
  readonly id: string
  /** A folder for temporary files that tools may write without asking; gone when the session closes. */
  readonly scratch: string
  /** Runs a tool and returns its envelope; never throws for a tool's failure. */
  call<Name extends ToolName>(
    name: Name,
    input: ArgumentsOf<Name>,
    options?: CallOptions,
  ): Promise<Envelope<DataOf<Name>>>
  /** Runs a tool and returns everything: envelope, what the model reads, attachments, state for faces. */
  result(name: ToolName, input: unknown, options?: CallOptions): Promise<ToolResult>
  /** Why a call would be allowed, asked about or refused; nothing runs. */
  explain<Name extends ToolName>(name: Name, input: ArgumentsOf<Name>): Promise<Explanation>
  /** The tools of this session in the form that a provider or protocol takes. */
  tools(options?: { readonly format?: DefinitionFormat }): readonly unknown[]
  /** Name, description and input schema of every tool. */
  toolDefinitions(): readonly ToolInput[]
  /** A string-in, string-out executor for foreign loops; throws ToolError when a call fails. */
  executor(): StringExecutor
  /** Ends the session: scratch and sidecars are deleted, the journal stays. */
  close(): Promise<void>
  /** Lets go of the session without ending it: sidecars stay, and it can be opened again by its id. */
  detach(): Promise<void>
}

/** A tool as foreign loops take it. */
export interface ToolInput {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
}

/** The interface of foreign loops. */
export interface StringExecutor {
  /** Runs a tool on JSON arguments and returns what the model reads. */
  execute(name: string, inputJson: string): Promise<string>
}

/** The public face of a call session. */
export function sessionOf(inner: CallSession, rest: Pick<Session, "scratch" | "close" | "detach">): Session {
  const result: Session["result"] = (name, input, options = {}) =>
    runCall({ name, arguments: input, ...options }, inner)
  const offers = () => inner.registry.tools.map((tool) => offerOf(tool.manifest))
  return {
    id: inner.id,
    result,
    call: async (name, input, options) => (await result(name, input, options)).envelope as Envelope<never>,
    explain: (name, input) => explainCall({ name, arguments: input }, inner),
    tools: ({ format = "haft" } = {}) => formatDefinitions(offers(), format),
    toolDefinitions: () =>
      offers().map(({ id, description, input_schema }) => ({ name: id, description, input_schema })),
    executor: () => ({ execute: (name, inputJson) => executeString(result, name, inputJson) }),
    ...rest,
  }
}

async function executeString(result: Session["result"], name: string, inputJson: string): Promise<string> {
  const { envelope, content } = await result(name, parseArguments(name, inputJson), { fromModel: true })
  const words = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  if (envelope.type === "output") return words
  const { error_code, hint, details } = envelope.metadata
  throw new ToolError(error_code ?? "internal", envelope.error_text, { ...(hint ? { hint } : {}), details })
}

function parseArguments(name: string, inputJson: string): unknown {
  try {
    return JSON.parse(inputJson || "{}")
  } catch (error) {
    throw new ToolError(
      "invalid_args",
      `Cannot call "${name}": the arguments are not JSON: ${(error as Error).message}`,
    )
  }
}
