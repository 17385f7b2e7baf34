import type { LanguageModelV3Message } from "@ai-sdk/provider"
import type { Content, TurnInput, Usage } from "@haft/contract"
import { type ModelReply, replyMessage } from "../model/index.js"
import { imagePart, isMedia, mediaInWords } from "./media.js"

/** A call that the model asked for, under the id of its record. */
export interface TurnCall {
  readonly id: string
  /** The id that the provider gave it, which its result must carry. */
  readonly providerId: string
  /** The name that the provider saw. */
  readonly wireName: string
  /** The name that is called: decoded by the names of that very request. */
  readonly name: string
  readonly input: string
  /** Whether it may run beside others. */
  readonly readOnly: boolean
}

/** A whole reply with the ids of its calls. */
export interface TurnReply {
  readonly reply: ModelReply
  readonly calls: readonly TurnCall[]
}

/** What the model reads of a call. */
export interface CallOutcome {
  readonly call: string
  readonly text: string
  readonly isError: boolean
  /** The call did not run: it was denied. */
  readonly refused?: true
  readonly images?: readonly Extract<Content, { type: "image" }>[]
  /** What agents used that the call started. */
  readonly usage?: Usage
}

/** One entry of a conversation. */
export type Entry =
  | { readonly role: "user"; readonly id: string; readonly input: TurnInput }
  | { readonly role: "reply"; readonly id: string; readonly reply: TurnReply }
  | { readonly role: "results"; readonly id: string; readonly results: readonly CallOutcome[] }

/** What a compaction left: the model sees the summary and what begins with `tail`; results in `pruned` are stubs. */
export interface Marker {
  readonly summary?: string
  readonly tail?: string
  readonly pruned: readonly string[]
  /** What the summary used. */
  readonly usage?: Usage
}

/** What the step of a compaction records: nothing could be left out, or the summary failed, where there is no marker. */
export type Compacted = Marker | { readonly unchanged: true } | { readonly failed: string; readonly hint?: string }

/** Keys of the steps of a turn; the record is read by them. */
export const stepKeys = {
  prompt: "prompt",
  reply: (step: number) => `reply:${step}`,
  call: (step: number, index: number) => `call:${step}:${index}`,
  marker: (step: number) => `context:${step}`,
}

/**
 * A conversation as models see it. Entries are only added, so that a provider's cache of the beginning stays good; a marker
 * changes the view of older ones, and the entries themselves stay.
 */
export class Conversation {
  private systemPrompt: string | undefined
  private readonly list: Entry[] = []
  private marker: Marker = { pruned: [] }
  /** Tokens of the first entries, about. Counted when somebody asks: most models are never near their limit. */
  private counted = { entries: 0, used: 0, sinceReply: 0 }
  private refused = false
  /** Entries whose images and files a model refused: it gets words in their place. */
  private readonly worded = new Set<Entry>()
  /** What the first entries of the tail are for the model, and what is before them; entries do not change, so that each is written once. */
  private written: { count: number; readonly messages: LanguageModelV3Message[] } | undefined

  /** The system prompt of the session, once there is one. */
  get prompt(): string | undefined {
    return this.systemPrompt
  }

  set prompt(prompt: string | undefined) {
    this.systemPrompt = prompt
    this.written = undefined
  }

  get entries(): readonly Entry[] {
    return this.list
  }

  /** What the last marker says of older entries; what it used is spent. */
  get view(): Omit<Marker, "usage"> {
    const { usage: _, ...view } = this.marker
    return view
  }

  /** The entries that the model sees in full. */
  get tail(): readonly Entry[] {
    const { tail } = this.marker
    const at = tail === undefined ? -1 : this.list.findIndex(({ id }) => id === tail)
    return at < 0 ? this.list : this.list.slice(at)
  }

  /** Tokens that the next request will have, about: what the provider counted, and an estimate of what came after. */
  get estimate(): number {
    const { counted } = this
    for (; counted.entries < this.list.length; counted.entries += 1) {
      const entry = this.list[counted.entries]!
      if (entry.role !== "reply") counted.sinceReply += tokensOf(entry, this.marker)
      else {
        const own = contextOf(entry.reply.reply.usage)
        counted.used = own || counted.used + counted.sinceReply + tokensOf(entry, this.marker)
        counted.sinceReply = 0
      }
    }
    return counted.used + counted.sinceReply
  }

  add(entry: Entry): void {
    this.list.push(entry)
    this.refused = false
  }

  /** Whether the model refused the last request as too long. */
  get isTooLong(): boolean {
    return this.refused
  }

  /** The model refused a request as too long. False when it had refused the one before too. */
  refuse(): boolean {
    const isFirst = !this.refused
    this.refused = true
    return isFirst
  }

  mark(marker: Marker): void {
    this.marker = marker
    this.written = undefined
    const summary = estimateTokens((marker.summary ?? "") + (this.prompt ?? ""))
    const sinceReply = this.tail.reduce((sum, entry) => sum + tokensOf(entry, marker), summary)
    this.counted = { entries: this.list.length, used: 0, sinceReply }
  }

  /**
   * Has words in place of images and files from now on, because a model refused a request with them: it would refuse every later one
   * too. What the person sent last stays, so that they are told. False when there is nothing that could be left out.
   */
  hideMedia(): boolean {
    const last = this.list.findLast(({ role }) => role === "user")
    const found = this.list.filter((entry) => entry !== last && holdsMedia(entry) && !this.worded.has(entry))
    for (const entry of found) this.worded.add(entry)
    this.written = undefined
    return found.length > 0
  }

  /** The first entries that the model sees, in words alone: a model that writes summaries may read nothing else. */
  wordsOf(count: number): LanguageModelV3Message[] {
    return this.addMessages(this.firstMessages(), this.tail, 0, count, true)
  }

  /** The messages of the next request. */
  messages(): LanguageModelV3Message[] {
    const { tail } = this
    this.written ??= { count: 0, messages: this.firstMessages() }
    const { written } = this
    // The last entry may be a reply whose results are still to come.
    const ready = tail.at(-1)?.role === "reply" ? tail.length - 1 : tail.length
    this.addMessages(written.messages, tail, written.count, ready)
    written.count = ready
    // A copy: a provider may keep its request.
    return this.addMessages(written.messages.slice(), tail, ready, tail.length)
  }

  /** What comes before the entries. */
  private firstMessages(): LanguageModelV3Message[] {
    const { summary } = this.marker
    const messages: LanguageModelV3Message[] = []
    if (this.prompt !== undefined) messages.push({ role: "system", content: this.prompt })
    if (summary !== undefined) messages.push(userMessage({ text: summaryIntro + summary }))
    return messages
  }

  /** Adds what the entries from one place to another are for the model. */
  private addMessages(
    messages: LanguageModelV3Message[],
    entries: readonly Entry[],
    from: number,
    to: number,
    inWords = false,
  ): LanguageModelV3Message[] {
    for (let at = from; at < to && at < entries.length; at += 1) {
      const entry = entries[at]!
      if (entry.role === "user") {
        messages.push(userMessage(inWords || this.worded.has(entry) ? mediaInWords(entry.input) : entry.input))
      }
      if (entry.role !== "reply") continue
      const { reply, calls } = entry.reply
      const next = entries[at + 1]
      // A provider refuses an empty message, and a call without its result.
      if (reply.parts.length > 0) messages.push(replyMessage(reply))
      if (calls.length === 0) continue
      if (next?.role !== "results") messages.push(this.resultMessage(calls, []))
      else messages.push(this.resultMessage(calls, next.results, inWords || this.worded.has(next)))
    }
    return messages
  }

  private resultMessage(
    calls: readonly TurnCall[],
    results: readonly CallOutcome[],
    isWorded = false,
  ): LanguageModelV3Message {
    const content: ToolMessage["content"] = []
    for (let at = 0; at < calls.length; at += 1) {
      const { id, providerId, wireName } = calls[at]!
      // In the order of the calls, unless some never ran.
      const found = results[at]?.call === id ? results[at] : results.find(({ call }) => call === id)
      const output = found ? this.outputOf(found, isWorded) : neverRan
      content.push({ type: "tool-result", toolCallId: providerId, toolName: wireName, output })
    }
    return { role: "tool", content }
  }

  private outputOf({ call, text, isError, images }: CallOutcome, isWorded: boolean): ToolOutput {
    const { pruned } = this.marker
    if (pruned.length > 0 && pruned.includes(call)) return { type: "text", value: prunedStub }
    if (isError) return { type: "error-text", value: text }
    if (images === undefined) return { type: "text", value: text }
    return { type: "content", value: [{ type: "text", text }, ...images.map((image) => imagePart(image, isWorded))] }
  }
}

function holdsMedia(entry: Entry): boolean {
  if (entry.role === "results") return entry.results.some(({ images }) => images !== undefined)
  return entry.role === "user" && (entry.input.files ?? []).some(isMedia)
}

type ToolMessage = Extract<LanguageModelV3Message, { role: "tool" }>
type ToolOutput = Extract<ToolMessage["content"][number], { type: "tool-result" }>["output"]

const neverRan: ToolOutput = { type: "error-text", value: "The call did not run: the turn ended before it" }
const prunedStub = "[The result was long and old and is left out now. Call again if it is needed]"
const summaryIntro = "Summary of the conversation before this point:\n\n"

function userMessage({ text, files = [] }: TurnInput): LanguageModelV3Message {
  const sent = files.map(({ name, mediaType, data }) => ({ type: "file" as const, filename: name, mediaType, data }))
  // A provider refuses an empty text beside a file.
  return { role: "user", content: text.trim() === "" ? sent : [{ type: "text", text }, ...sent] }
}

function contextOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
}

/** Tokens of an entry, about. */
export function tokensOf(entry: Entry, { pruned }: Marker): number {
  if (entry.role === "user") return estimateTokens(entry.input.text) + (entry.input.files?.length ?? 0) * imageTokens
  if (entry.role === "reply") return estimateTokens(JSON.stringify(entry.reply.reply.parts))
  return entry.results
    .filter(({ call }) => !pruned.includes(call))
    .reduce((sum, result) => sum + resultTokens(result), 0)
}

/** Tokens of the result of a call, about. */
export function resultTokens({ text, images = [] }: CallOutcome): number {
  return estimateTokens(text) + images.length * imageTokens
}

/** An image counts as much as a page of text. */
export const imageTokens = 1500

/** Four characters a token: near enough to know when a context gets full. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
