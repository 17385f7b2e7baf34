import type {
  JSONObject,
  LanguageModelV3FinishReason,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider"
import type { Usage } from "@haft/contract"
import { isPlainJson } from "../plain-json.js"

/** What a provider wants back unchanged with the next request, by provider: signatures, encrypted reasoning, ids of items. */
export type ProviderMetadata = { readonly [provider: string]: JSONObject }

/** A call that a model made. */
export interface ReplyCall {
  readonly type: "tool-call"
  readonly id: string
  /** As it came: the name of that request's wire map. */
  readonly name: string
  /** As it came; JSON if the model did well. */
  readonly input: string
  readonly providerMetadata?: ProviderMetadata
}

/** One part of a reply, in the order in which the parts began. */
export type ReplyPart =
  | { readonly type: "text"; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly type: "reasoning"; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | ReplyCall

/** A whole reply of a model, as plain JSON. */
export interface ModelReply {
  readonly parts: readonly ReplyPart[]
  readonly finish: LanguageModelV3FinishReason["unified"]
  /** The provider's own word. */
  readonly finishWord?: string
  /** Zeros where the provider did not tell. */
  readonly usage: Usage
  /** The model that answered, where the provider names it; an alias has become a dated name. */
  readonly modelId?: string
  readonly providerMetadata?: ProviderMetadata
  /** Settings that the provider left out of the request. */
  readonly warnings?: readonly string[]
}

/** A piece of a reply that is under way. The whole reply supersedes all pieces. */
export type ReplyChunk =
  | { readonly type: "text-delta"; readonly delta: string }
  | { readonly type: "reasoning-delta"; readonly delta: string }
  | { readonly type: "tool-input-start"; readonly call: string; readonly tool: string }
  | { readonly type: "tool-input-delta"; readonly call: string; readonly delta: string }

/** The text of a reply, without its reasoning. */
export function replyText({ parts }: ModelReply): string {
  let text = ""
  for (const part of parts) if (part.type === "text") text += part.text
  return text
}

/** The calls of a reply, in the model's order. */
export function replyCalls({ parts }: ModelReply): readonly ReplyCall[] {
  return parts.filter((part) => part.type === "tool-call")
}

/** The reply as a message of the next request; reasoning goes back with its signatures. */
export function replyMessage({ parts }: ModelReply): LanguageModelV3Message {
  const content: AssistantContent[] = []
  for (const part of parts) content.push(contentOf(part))
  return { role: "assistant", content }
}

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number]

function contentOf(part: ReplyPart): AssistantContent {
  const content: AssistantContent =
    part.type === "tool-call"
      ? { type: "tool-call", toolCallId: part.id, toolName: part.name, input: inputObject(part.input) }
      : { type: part.type, text: part.text }
  if (part.providerMetadata !== undefined) content.providerOptions = { ...part.providerMetadata }
  return content
}

/** Providers take back objects only, so that an input which is none is shown inside one. */
function inputObject(input: string): unknown {
  if (input.trim() === "") return {}
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value
  } catch {
    // Below: the model sees what it wrote.
  }
  return { unparsed_input: input }
}

interface OpenPart {
  readonly type: "text" | "reasoning"
  readonly pieces: string[]
  metadata: SharedV3ProviderMetadata | undefined
}

/** A call whose arguments stream in. */
interface OpenInput {
  readonly id: string
  chars: number
}

/** What is known of an id. */
interface CallId {
  /** How many calls have asked for it. */
  taken: number
  /** Those of them that have begun and are not whole, in the order in which they began. */
  readonly begun: OpenInput[]
}

interface Finish {
  readonly reason: LanguageModelV3FinishReason
  readonly usage: LanguageModelV3Usage
  readonly metadata: SharedV3ProviderMetadata | undefined
}

type TextStreamPart = Extract<LanguageModelV3StreamPart, { type: `${"text" | "reasoning"}-${string}` }>

/** Puts a reply together from the parts of a stream. */
export class ReplyBuilder {
  private readonly parts: (OpenPart | ReplyCall)[] = []
  // Made with the first entry: most replies have only some of them (bench: agent-step).
  private open: Map<string, OpenPart> | undefined
  /** By the id that the provider gave, or that was made from it. */
  private callIds: Map<string, CallId> | undefined
  private readonly warnings: string[] = []
  private modelId: string | undefined
  private end: Finish | undefined
  /** Characters of text, reasoning and inputs so far. */
  chars = 0

  /** Whether the provider said how the reply ended. A stream that was cut has an end without any reason, or none. */
  get ended(): boolean {
    if (this.end === undefined) return false
    const { raw, unified } = this.end.reason
    return raw !== undefined || (unified !== "other" && unified !== "error")
  }

  /** Takes one part of the stream; gives the piece that watchers may see. */
  add(part: LanguageModelV3StreamPart): ReplyChunk | undefined {
    switch (part.type) {
      case "stream-start":
        for (const warning of part.warnings) this.warnings.push(JSON.stringify(warning))
        return undefined
      case "response-metadata":
        this.modelId = part.modelId ?? this.modelId
        return undefined
      case "text-start":
      case "text-end":
      case "text-delta":
        return this.addText("text", part)
      case "reasoning-start":
      case "reasoning-end":
      case "reasoning-delta":
        return this.addText("reasoning", part)
      case "tool-input-start":
        return { type: "tool-input-start", call: this.beginInput(part.id), tool: part.toolName }
      case "tool-input-delta":
        this.chars += part.delta.length
        return { type: "tool-input-delta", call: this.addInput(part.id, part.delta), delta: part.delta }
      case "tool-call":
        this.addCall(part)
        return undefined
      case "finish":
        this.end = { reason: part.finishReason, usage: part.usage, metadata: part.providerMetadata }
        return undefined
      default:
        return undefined
    }
  }

  build(): ModelReply {
    const { end, modelId, warnings } = this
    const { unified = "other", raw } = end?.reason ?? {}
    const parts: ReplyPart[] = []
    for (const part of this.parts) {
      if ("pieces" in part) parts.push(...closePart(part))
      else parts.push(part)
    }
    const reply: { -readonly [Field in keyof ModelReply]: ModelReply[Field] } = {
      parts,
      finish: unified,
      usage: usageOf(end?.usage),
    }
    if (raw !== undefined) reply.finishWord = raw
    if (modelId !== undefined) reply.modelId = modelId
    if (end?.metadata !== undefined) reply.providerMetadata = metadataField(end.metadata).providerMetadata!
    if (warnings.length > 0) reply.warnings = warnings
    return reply
  }

  private addText(type: "text" | "reasoning", part: TextStreamPart): ReplyChunk | undefined {
    const key = `${type} ${part.id}`
    this.open ??= new Map()
    let open = this.open.get(key)
    if (open === undefined || part.type.endsWith("-start")) {
      open = { type, pieces: [], metadata: undefined }
      this.open.set(key, open)
      this.parts.push(open)
    }
    open.metadata = mergeMetadata(open.metadata, part.providerMetadata)
    if (!("delta" in part) || part.delta === "") return undefined
    const { delta } = part
    open.pieces.push(delta)
    this.chars += delta.length
    return { type: `${type}-delta`, delta }
  }

  /** The id that the call will have when it is whole. */
  private beginInput(given: string): string {
    const known = this.callId(given)
    const input = { id: this.uniqueId(given, known), chars: 0 }
    known.begun.push(input)
    return input.id
  }

  /** A piece belongs to the call that began last, of those with the id. */
  private addInput(given: string, { length }: string): string {
    const input = this.callIds?.get(given)?.begun.at(-1)
    if (!input) return given
    input.chars += length
    return input.id
  }

  private addCall(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>): void {
    const known = this.callId(part.toolCallId)
    const begun = known.begun.shift()
    // A tool that the provider runs itself has its result in the same stream; none is offered.
    if (part.providerExecuted === true) return
    this.chars += Math.max(0, part.input.length - (begun?.chars ?? 0))
    const id = begun?.id ?? this.uniqueId(part.toolCallId, known)
    const call = { type: "tool-call" as const, id, name: part.toolName, input: part.input }
    const { providerMetadata } = part
    this.parts.push(providerMetadata === undefined ? call : { ...call, ...metadataField(providerMetadata) })
  }

  private callId(given: string): CallId {
    this.callIds ??= new Map()
    const known = this.callIds.get(given)
    if (known) return known
    const added = { taken: 0, begun: [] }
    this.callIds.set(given, added)
    return added
  }

  /** Some servers leave ids out or repeat them; a result must find its own call. */
  private uniqueId(given: string, known: CallId): string {
    const [base, named] = given === "" ? ["call", this.callId("call")] : [given, known]
    let id = base
    if (named.taken > 0) {
      do id = `${base}-${++named.taken}`
      while (this.callId(id).taken > 0)
      this.callId(id).taken = 1
    } else named.taken = 1
    return id
  }
}

function closePart({ type, pieces, metadata }: OpenPart): readonly ReplyPart[] {
  const text = pieces.join("")
  // Reasoning that is encrypted or redacted has no text, yet must go back; Gemini signs an empty last text. Other empty
  // texts are refused by providers.
  const signed = Object.values(metadata ?? {}).some((fields) => type === "reasoning" || "thoughtSignature" in fields)
  return text === "" && !signed ? [] : [{ type, text, ...metadataField(metadata) }]
}

/** A signature comes in a later piece than the id, so that what came before stays. */
function mergeMetadata(
  before: SharedV3ProviderMetadata | undefined,
  next: SharedV3ProviderMetadata | undefined,
): SharedV3ProviderMetadata | undefined {
  if (before === undefined || next === undefined) return next ?? before
  const merged = { ...before }
  for (const [provider, fields] of Object.entries(next)) merged[provider] = { ...merged[provider], ...fields }
  return merged
}

function metadataField(metadata: SharedV3ProviderMetadata | undefined): { providerMetadata?: ProviderMetadata } {
  if (metadata === undefined) return {}
  // Through JSON: the packages leave undefined fields in it, which a journal cannot keep.
  return { providerMetadata: isPlainJson(metadata) ? metadata : JSON.parse(JSON.stringify(metadata)) }
}

/** Tokens as the journal counts them: input without what was read from or written to the provider's cache. */
function usageOf(usage: LanguageModelV3Usage | undefined): Usage {
  const input = usage?.inputTokens
  const output = usage?.outputTokens
  const cacheReadTokens = count(input?.cacheRead)
  const cacheWriteTokens = count(input?.cacheWrite)
  const reasoningTokens = count(output?.reasoning)
  return {
    inputTokens: count(input?.noCache ?? count(input?.total) - cacheReadTokens - cacheWriteTokens),
    outputTokens: count(output?.total ?? count(output?.text) + reasoningTokens),
    reasoningTokens,
    cacheReadTokens,
    cacheWriteTokens,
  }
}

function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? Math.round(tokens) : 0
}
