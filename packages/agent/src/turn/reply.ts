import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from "@ai-sdk/provider"
import type { Dialect, Json, StepScope, TurnPort } from "@haft/contract"
import {
  type CallSession,
  type FittedTools,
  fitTools,
  offersOf,
  type ToolOffer,
  toolsFor,
  wireNames,
} from "@haft/runtime"
import {
  countsNothing,
  type ModelClock,
  ModelError,
  type ModelFailure,
  type ModelReply,
  priceUsage,
  type ReplyChunk,
  type ReplyRetry,
  replyCalls,
  replyText,
  retryReply,
  schemaVariantOf,
} from "../model/index.js"
import { type Conversation, stepKeys, type TurnReply } from "./conversation.js"

/** What a model is asked with. */
export interface ModelHost {
  readonly session: CallSession
  readonly model: LanguageModelV3
  readonly dialect: Dialect | undefined
  readonly clock: ModelClock
  /** From 0 up to 1; spreads retries. */
  readonly random: () => number
  /** Settings for every request: temperature, thinking, the provider's own. */
  readonly settings?: Partial<Pick<LanguageModelV3CallOptions, "temperature" | "maxOutputTokens" | "providerOptions">>
}

/** A reply with its calls, or why there is none. */
export type Replied = ({ readonly ok: true } & TurnReply) | { readonly ok: false; readonly failure: ModelFailure }

/**
 * One reply of the model as one step, on disk before anything that it asks for is changed. The tools, their names for this
 * request and the way back from those names live inside the step.
 */
export function askModel(port: TurnPort, step: number, conversation: Conversation, host: ModelHost): Promise<Replied> {
  const run = (scope: StepScope) => reply(port, step, conversation, host, scope) as Promise<unknown> as Promise<Json>
  const synced = (value: Json) => !isSyncedByCall(value as unknown as Replied, host)
  return port.step(stepKeys.reply(step), run, { synced }) as Promise<unknown> as Promise<Replied>
}

/** Tells watchers of a whole reply, also of one from the record. */
export function tellReply(
  { turnId }: TurnPort,
  step: number,
  { reply: whole }: TurnReply,
  { session }: ModelHost,
): void {
  session.emit({ type: "reply", turn: turnId, step, text: replyText(whole), usage: whole.usage })
}

/**
 * A call that must not run twice is on disk before it begins, with every record before it: the reply that asks for it needs no
 * sync of its own (bench: durable-turn).
 */
function isSyncedByCall(replied: Replied, { session, dialect }: ModelHost): boolean {
  if (!replied.ok || session.journal === undefined) return false
  return replied.calls.some(({ name }) => {
    // A name may be that of several tools, by its arguments.
    const tools = toolsFor(name, session, dialect)
    return tools.length > 0 && tools.every(({ manifest }) => manifest.retry === "never")
  })
}

// A person who waits longer wants to know for what.
const longWaitMs = 2000

async function reply(
  port: TurnPort,
  step: number,
  conversation: Conversation,
  host: ModelHost,
  scope: StepScope,
): Promise<Replied> {
  const { session, model, clock, random, settings } = host
  const tools = requestTools(host)
  if (step === 1) for (const words of tools.dropped) session.emit({ type: "error", message: words })
  let ids = new CallIds(session)
  const onRetry = ({ delayMs, failure, wasShown }: ReplyRetry) => {
    if (wasShown) {
      session.emit({ type: "reply-restart", turn: port.turnId, step })
      // Another reply may have other calls under the same ids of the provider.
      ids = new CallIds(session)
    }
    if (delayMs < longWaitMs) return
    const message = `The model is asked again in ${Math.round(delayMs / 1000)} seconds: ${failure.message}`
    session.emit({ type: "error", message })
  }
  const onChunk = (chunk: ReplyChunk) => session.emit(eventOf(chunk, port.turnId, step, tools, ids))
  let prompt = conversation.messages()
  let offered = tools.definitions
  for (;;) {
    try {
      // A spread of three fields takes three times as long (bench: agent-step).
      const call = Object.assign(offered.length > 0 ? { prompt, tools: offered } : { prompt }, settings)
      const whole = await retryReply(model, call, { signal: scope.signal, clock, random, onChunk, onRetry })
      const calls = tools.callsOf(whole, ids)
      if (countsNothing(whole.usage)) return { ok: true, reply: whole, calls }
      const usage = await priceUsage(whole.usage, model, { at: session.now() })
      return { ok: true, reply: { ...whole, usage }, calls }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const { failure } = error
      if (offered.length > 0 && takesNoTools(failure)) {
        session.emit({ type: "error", message: `${model.modelId} takes no tools: it answers without them` })
        offered = []
      } else if (failure.kind === "invalid_request" && conversation.hideMedia()) {
        const message = `The model is asked again without images and earlier files: ${failure.message}`
        session.emit({ type: "error", message })
        prompt = conversation.messages()
      } else return { ok: false, failure }
    }
  }
}

/** Local models often have no tools, and their servers say so in words only. */
function takesNoTools({ kind, message }: ModelFailure): boolean {
  return kind === "invalid_request" && /\btools?\b.*not support|not support.*\btools?\b/i.test(message)
}

/** Field by field: a spread takes longer than the rest of a piece's way (bench: agent-step). */
function eventOf(chunk: ReplyChunk, turn: string, step: number, tools: RequestTools, ids: CallIds) {
  switch (chunk.type) {
    case "tool-input-start":
      return { type: chunk.type, turn, step, call: ids.of(chunk.call), tool: tools.nameOf(chunk.tool) }
    case "tool-input-delta":
      return { type: chunk.type, turn, step, call: ids.of(chunk.call), delta: chunk.delta }
    default:
      return { type: chunk.type, turn, step, delta: chunk.delta }
  }
}

/** The ids of the calls of one reply, by those of the provider: a call has its own from the first piece of its arguments on. */
class CallIds {
  private readonly known = new Map<string, string>()

  constructor(private readonly session: CallSession) {}

  of(providerId: string): string {
    const known = this.known.get(providerId)
    if (known !== undefined) return known
    const id = this.session.newId("call")
    this.known.set(providerId, id)
    return id
  }
}

// The last of each session: to write the schemas of all tools takes longer than a call (bench: agent-step).
const lastTools = new WeakMap<CallSession, RequestTools>()

/** The tools of the next request: those of the last one when nothing has changed. */
function requestTools(host: ModelHost): RequestTools {
  const last = lastTools.get(host.session)
  if (last?.isOf(host)) return last
  const tools = new RequestTools(host)
  lastTools.set(host.session, tools)
  return tools
}

/** The tools of one request. Names come back through the very map that made them. */
class RequestTools {
  private readonly made: readonly unknown[]
  private readonly offers: ReadonlyMap<string, ToolOffer>
  private readonly decode: (wireName: string) => string | undefined
  private readonly fitted: FittedTools<LanguageModelV3FunctionTool>

  constructor({ session, dialect, model }: ModelHost) {
    this.made = [session.offer.list(), dialect, model]
    const offers = offersOf(session, dialect)
    this.offers = new Map(offers.map((offer) => [offer.id, offer]))
    const own = new Map(offers.flatMap(({ id, wireName }) => (wireName === undefined ? [] : [[wireName, id]])))
    const names = wireNames(offers.filter(({ wireName }) => wireName === undefined).map(({ id }) => id))
    this.decode = (wireName) => own.get(wireName) ?? names.decode(wireName)
    const definitions = offers.map(({ id, wireName, description, input_schema }) => {
      const name = wireName ?? names.encode(id)
      return { type: "function" as const, name, description, inputSchema: input_schema }
    })
    this.fitted = fitTools(definitions, schemaVariantOf(model))
  }

  isOf({ session, dialect, model }: ModelHost): boolean {
    const [list, spoken, asked] = this.made
    return list === session.offer.list() && spoken === dialect && asked === model
  }

  get definitions(): LanguageModelV3FunctionTool[] {
    return this.fitted.tools
  }

  /** What could not be offered, in words. */
  get dropped(): readonly string[] {
    return this.fitted.dropped.map(({ name, reason }) => `The tool "${name}" is not offered to the model: ${reason}`)
  }

  nameOf(wireName: string): string {
    return this.decode(wireName) ?? wireName
  }

  /** The calls of a reply under ids of ours: a provider's may repeat. */
  callsOf(whole: ModelReply, ids: CallIds): TurnReply["calls"] {
    return replyCalls(whole).map(({ id, name: wireName, input }) => {
      const name = this.nameOf(wireName)
      const readOnly = this.offers.get(name)?.hints.readOnly ?? false
      const restored = this.restored(wireName, input)
      return { id: ids.of(id), providerId: id, wireName, name, input: restored, readOnly }
    })
  }

  /** Without what only the provider's form of the schema asked for. What is no JSON is looked at when it is called. */
  private restored(wireName: string, input: string): string {
    // It asks for nulls alone.
    if (!input.includes("null")) return input
    try {
      return JSON.stringify(this.fitted.restore(wireName, JSON.parse(input)))
    } catch {
      return input
    }
  }
}
