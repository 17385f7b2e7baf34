import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from "@ai-sdk/provider"
import type { Dialect, Json, StepScope, TurnPort } from "@haft/contract"
import { type CallSession, dialectOffers, offerOf, type ToolOffer, wireNames } from "@haft/runtime"
import {
  type ModelClock,
  ModelError,
  type ModelFailure,
  type ModelReply,
  type ReplyChunk,
  replyCalls,
  replyText,
  streamReply,
} from "../model/index.js"
import { type Conversation, stepKeys, type TurnReply } from "./conversation.js"

/** What a model is asked with. */
export interface ModelHost {
  readonly session: CallSession
  readonly model: LanguageModelV3
  readonly dialect: Dialect | undefined
  readonly clock: ModelClock
  /** Settings for every request: temperature, thinking, the provider's own. */
  readonly settings?: Partial<Pick<LanguageModelV3CallOptions, "temperature" | "maxOutputTokens" | "providerOptions">>
}

/** A reply with its calls, or why there is none. */
export type Replied = ({ readonly ok: true } & TurnReply) | { readonly ok: false; readonly failure: ModelFailure }

/**
 * One reply of the model as one step, on disk before anything that it asks for happens. The tools, their names for this
 * request and the way back from those names live inside the step.
 */
export async function askModel(
  port: TurnPort,
  step: number,
  conversation: Conversation,
  host: ModelHost,
): Promise<Replied> {
  const run = async (scope: StepScope) => (await reply(port, step, conversation, host, scope)) as unknown as Json
  const replied = (await port.step(stepKeys.reply(step), run, { synced: true })) as unknown as Replied
  if (replied.ok) {
    const { reply: whole } = replied
    host.session.emit({ type: "reply", turn: port.turnId, step, text: replyText(whole), usage: whole.usage })
  }
  return replied
}

async function reply(
  port: TurnPort,
  step: number,
  conversation: Conversation,
  host: ModelHost,
  scope: StepScope,
): Promise<Replied> {
  const { session, model, dialect, clock, settings } = host
  const tools = new RequestTools(session, dialect)
  const emit = (chunk: ReplyChunk) => session.emit(eventOf(chunk, port.turnId, step, tools))
  try {
    const prompt = conversation.messages()
    const call = { prompt, tools: tools.definitions(), ...settings }
    const whole = await streamReply(model, call, { signal: scope.signal, clock, onChunk: emit })
    return { ok: true, reply: whole, calls: tools.callsOf(whole) }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { ok: false, failure: error.failure }
  }
}

function eventOf(chunk: ReplyChunk, turn: string, step: number, tools: RequestTools) {
  if (chunk.type === "tool-input-start") return { ...chunk, turn, step, tool: tools.nameOf(chunk.tool) }
  return { ...chunk, turn, step }
}

/** The tools of one request. Names come back through the very map that made them. */
class RequestTools {
  private readonly session: CallSession
  private readonly offers: ReadonlyMap<string, ToolOffer>
  private readonly encode: (offer: ToolOffer) => string
  private readonly decode: (wireName: string) => string | undefined

  constructor(session: CallSession, dialect: Dialect | undefined) {
    this.session = session
    const offers = dialect
      ? dialectOffers(dialect)
      : session.offer.list().map(({ manifest }) => offerOf(manifest, (id) => session.offer.has(id)))
    this.offers = new Map(offers.map((offer) => [offer.id, offer]))
    const own = new Map(offers.flatMap(({ id, wireName }) => (wireName === undefined ? [] : [[wireName, id]])))
    const names = wireNames(offers.filter(({ wireName }) => wireName === undefined).map(({ id }) => id))
    this.encode = ({ id, wireName }) => wireName ?? names.encode(id)
    this.decode = (wireName) => own.get(wireName) ?? names.decode(wireName)
  }

  definitions(): LanguageModelV3FunctionTool[] {
    return [...this.offers.values()].map((offer) => ({
      type: "function",
      name: this.encode(offer),
      description: offer.description,
      inputSchema: offer.input_schema,
    }))
  }

  nameOf(wireName: string): string {
    return this.decode(wireName) ?? wireName
  }

  /** The calls of a reply under ids of ours: a provider's may repeat. */
  callsOf(whole: ModelReply): TurnReply["calls"] {
    return replyCalls(whole).map(({ id, name: wireName, input }) => {
      const name = this.nameOf(wireName)
      const readOnly = this.offers.get(name)?.readOnly ?? false
      return { id: this.session.newId("call"), providerId: id, wireName, name, input, readOnly }
    })
  }
}
