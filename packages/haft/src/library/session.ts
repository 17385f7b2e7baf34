import { inspect } from "node:util"
import type {
  AnyManifest,
  CallerSignal,
  Content,
  Dialect,
  Envelope,
  EventBody,
  OutputOf,
  Person,
  RawInputOf,
  SessionEvent,
  ToolDefinition,
  ToolResult,
} from "@haft/contract"
import type { SessionPrompt } from "@haft/project"
import {
  type CallRequest,
  type CallSession,
  type DefinitionFormat,
  type DialectResult,
  type Explanation,
  explainCall,
  type FormattedTools,
  formatDefinitions,
  offersOf,
  runCall,
  runDialectCall,
} from "@haft/runtime"
import type { BuiltinTools } from "@haft/tools"
import { eventsOf } from "./events-of.js"
import { type StringExecutor, stringExecutor } from "./string-executor.js"

/** How one call is made. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: CallerSignal
  /** True when a model asked for the call: the watchdog then looks for loops. */
  readonly fromModel?: boolean
  /** `once` answers the asks of this call in advance: for a person who typed the arguments. */
  readonly answer?: "once"
  /** Called with each piece of output while the call runs; must not throw. */
  readonly onOutput?: (delta: string) => void
  /** Answers instead of the person of the options, for this call. */
  readonly person?: Person | "headless"
  /** Called with the output of this call while it runs, and with its messages to a person; must not throw. */
  readonly onEvent?: (event: EventBody) => void
}

/** The envelope of a call, and beside it what a model reads of the result. */
export type CallResult<Data = unknown> = Envelope<Data> & {
  /** Texts and images for the model; never empty. */
  readonly content: readonly Content[]
  /** The texts of `content`: what goes into the tool result of a loop. */
  readonly text: string
}

/** The manifests of tools by id, for types. */
export type ToolsById<Tools extends readonly ToolDefinition[]> = {
  [Tool in Tools[number] as Tool["manifest"]["id"]]: Tool["manifest"]
}

/** The id of a known tool, or any other name that a tool goes by. */
export type ToolName<Known = BuiltinTools> = (keyof Known & string) | (string & {})

/** The arguments of a known tool by its id; those of other tools are checked when they arrive. */
export type ArgumentsOf<Name extends string, Known = BuiltinTools> = Name extends keyof Known
  ? Known[Name] extends AnyManifest
    ? RawInputOf<Known[Name]>
    : unknown
  : unknown

/** The data of a known tool by its id. */
export type DataOf<Name extends string, Known = BuiltinTools> = Name extends keyof Known
  ? Known[Name] extends AnyManifest
    ? OutputOf<Known[Name]>
    : unknown
  : unknown

/** A conversation with a workspace. */
export interface Session<Known = BuiltinTools> {
  readonly id: string
  /** A folder for temporary files that tools may write without asking; gone when the session closes. */
  readonly scratch: string
  /** Runs a tool and returns its envelope with what the model reads; never throws for a tool's failure. */
  call<Name extends ToolName<Known>>(
    name: Name,
    input: ArgumentsOf<Name, Known>,
    options?: CallOptions,
  ): Promise<CallResult<DataOf<Name, Known>>>
  /** The same with the envelope apart, attachments, and state for faces. */
  result(name: ToolName<Known>, input: unknown, options?: CallOptions): Promise<ToolResult>
  /** Why a call would be allowed, asked about or refused, and with `preview` what it would do; nothing runs. */
  explain<Name extends ToolName<Known>>(
    name: Name,
    input: ArgumentsOf<Name, Known>,
    options?: { readonly dialect?: Dialect | string; readonly preview?: boolean },
  ): Promise<Explanation>
  /** Runs a tool by the name and the arguments of another system; the projection is the result as that system has it. */
  callIn(dialect: Dialect | string, name: string, input: unknown, options?: CallOptions): Promise<DialectResult>
  /** The tools of this session, or those of a dialect, in the form that a provider or protocol takes. */
  tools<Format extends DefinitionFormat = "haft">(options?: {
    readonly format?: Format
    readonly dialect?: Dialect
  }): FormattedTools[Format][]
  /** The same by the name of a dialect, which is loaded for it. */
  tools<Format extends DefinitionFormat = "haft">(options: {
    readonly format?: Format
    readonly dialect: string
  }): Promise<FormattedTools[Format][]>
  /** Name, description and input schema of every tool, or of every tool of a dialect. */
  toolDefinitions(options?: { readonly dialect?: Dialect }): readonly ToolInput[]
  /** The same by the name of a dialect, which is loaded for it. */
  toolDefinitions(options: { readonly dialect: string }): Promise<readonly ToolInput[]>
  /** A string-in, string-out executor for foreign loops; throws ToolError when a call fails. */
  executor(options?: { readonly dialect?: Dialect | string }): StringExecutor
  /**
   * What a model should know before its first turn: instructions of person and project, skills, and how the tools work
   * together; with a dialect its tools, by its names.
   */
  prompt(options?: { readonly dialect?: Dialect | string }): Promise<SessionPrompt>
  /**
   * What happens in this session from now on, until it ends or the signal aborts. A reader that is far behind loses pieces of
   * streamed output first; one that stays behind gets an error.
   */
  events(options?: { readonly signal?: AbortSignal }): AsyncIterableIterator<SessionEvent>
  /** Ends the session: scratch and sidecars are deleted, the journal stays. */
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
  /** Lets go of the session without ending it: sidecars stay, and it can be opened again by its id. */
  detach(): Promise<void>
}

/** A tool as foreign loops take it. */
export interface ToolInput {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
}

/** The public face of a call session. */
export function sessionOf(
  inner: CallSession,
  { scratch, prompt, close, detach }: Pick<Session, "scratch" | "prompt" | "close" | "detach">,
): Session {
  const result: Session["result"] = (name, input, options) => runCall(requestOf(name, input, options), inner)
  const callIn: Session["callIn"] = async (named, name, input, options) => {
    const dialect = await knownDialect(named)
    const request = requestOf(name, input, options)
    if (dialect) return runDialectCall({ ...request, dialect }, inner)
    const own = await runCall(request, inner)
    const { envelope, content } = own
    return { result: own, projection: { value: envelope, success: envelope.type === "output", text: textOf(content) } }
  }
  const ended = new AbortController()
  const ending = (way: () => Promise<void>) => () => way().finally(() => ended.abort())
  return {
    id: inner.id,
    result,
    callIn,
    call: async (name, input, options) => new WordedEnvelope(await result(name, input, options)) as CallResult<never>,
    explain: async (name, input, { preview = false, dialect } = {}) =>
      explainCall({ name, arguments: input, dialect: await knownDialect(dialect) }, inner, { preview }),
    tools: inDialect(({ format = "haft" }, dialect) =>
      formatDefinitions(offersOf(inner, dialect), format, {
        onDropped: ({ name, reason }) =>
          inner.emit({ type: "error", message: `The tool "${name}" is not offered to the model: ${reason}` }),
      }),
    ) as Session["tools"],
    toolDefinitions: inDialect((_, dialect) =>
      offersOf(inner, dialect).map(({ id, description, input_schema }) => ({ name: id, description, input_schema })),
    ) as Session["toolDefinitions"],
    executor: ({ dialect = "haft" } = {}) => stringExecutor(callIn, dialect),
    events: ({ signal } = {}) => eventsOf(inner, [ended.signal, ...(signal ? [signal] : [])]),
    scratch,
    prompt,
    close: ending(close),
    detach: ending(detach),
    [Symbol.asyncDispose]: ending(close),
  }
}

/**
 * An envelope that is put into words when somebody reads them: a caller that takes only the data does not pay for them. The
 * getters are its own, so that copies and JSON have the words, and the same functions for all, so that all have one shape.
 */
class WordedEnvelope {
  declare readonly type: Envelope["type"]
  declare readonly error_text?: string
  declare readonly data?: unknown
  declare readonly metadata: Envelope["metadata"]
  declare readonly content: readonly Content[]
  declare readonly text: string
  readonly #result: ToolResult

  constructor(result: ToolResult) {
    const { envelope } = result
    this.#result = result
    Object.assign(this, envelope)
    Object.defineProperty(this, "content", WordedEnvelope.#content)
    Object.defineProperty(this, "text", WordedEnvelope.#text)
  }

  /** Printed with its words rather than with `[Getter]`. */
  [inspect.custom](): object {
    return { ...this }
  }

  static readonly #content: PropertyDescriptor = {
    enumerable: true,
    get(this: WordedEnvelope) {
      return this.#result.content
    },
  }

  static readonly #text: PropertyDescriptor = {
    enumerable: true,
    get(this: WordedEnvelope) {
      return textOf(this.#result.content)
    },
  }
}

/** Spreads nothing where there are no options, as for most calls: it is slow (row "read of 7 KB four folders deep"). */
function requestOf(name: string, input: unknown, options: CallOptions | undefined): CallRequest {
  if (options === undefined) return { name, arguments: input }
  const { onOutput, ...rest } = options
  return { name, arguments: input, ...rest, ...(onOutput && outputTo(onOutput)) }
}

function outputTo(onOutput: (delta: string) => void): Pick<CallRequest, "onEvent"> {
  return {
    onEvent(event) {
      if (event.type === "tool-output-delta") onOutput(event.delta)
    },
  }
}

interface Listing {
  readonly format?: DefinitionFormat
  readonly dialect?: Dialect | string
}

/** A dialect that is there is listed at once, one that is named after it was loaded. */
function inDialect<Value>(list: (options: Listing, dialect: Dialect | undefined) => Value) {
  return (options: Listing = {}): Value | Promise<Value> => {
    const { dialect } = options
    if (typeof dialect !== "string") return list(options, dialect)
    return knownDialect(dialect).then((known) => list(options, known))
  }
}

/** The dialect of that name; undefined for our own. */
async function knownDialect(named: Dialect | string | undefined): Promise<Dialect | undefined> {
  return typeof named === "string" ? (await import("@haft/dialects")).dialectNamed(named) : named
}

function textOf(content: readonly Content[]): string {
  const [first] = content
  if (content.length === 1 && first?.type === "text") return first.text
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
}
