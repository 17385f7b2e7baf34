import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from "@ai-sdk/provider"
import { bestEffort, type CallerSignal } from "@haft/contract"
import { type ModelClock, Watch } from "./clock.js"
import { ModelError, modelErrorOf, modelFailure } from "./model-error.js"
import { ReadyReply } from "./ready-reply.js"
import { type ModelReply, ReplyBuilder, type ReplyChunk } from "./reply.js"
import { promptFor } from "./request-prompt.js"

/** How long a reply may keep silent and how large it may get. */
export interface ReplyLimits {
  /** Until the first part; models that think first need minutes. */
  readonly firstPartMs?: number | undefined
  /** Between two parts. */
  readonly silenceMs?: number | undefined
  /** Of text, reasoning and tool inputs together. A journaled value is at most 1 MiB. */
  readonly maxChars?: number | undefined
  /** Of the stream, so that one of empty pieces ends too. */
  readonly maxParts?: number | undefined
}

/** What a reply is read with. */
export interface StreamReplyOptions {
  readonly signal: CallerSignal
  readonly clock: ModelClock
  readonly onChunk?: ((chunk: ReplyChunk) => void) | undefined
  readonly limits?: ReplyLimits | undefined
}

const asking = Symbol("asking")

const defaultLimits = { firstPartMs: 180_000, silenceMs: 90_000, maxChars: 900_000, maxParts: 400_000 }

/**
 * Asks the model once and reads its stream to the end. Throws `ModelError` for everything that is no whole reply, at once
 * when `signal` aborts. Nothing of a broken reply is returned, because the input of a call may be cut in the middle.
 */
export function streamReply(
  model: LanguageModelV3,
  call: Omit<LanguageModelV3CallOptions, "abortSignal" | "includeRawChunks">,
  options: StreamReplyOptions,
): Promise<ModelReply> {
  return new ReplyStream(model, options).read(call)
}

/**
 * One request. The signal is made when the provider looks at it, because a controller costs as much as a call (bench:
 * agent-step); it is a property of the request itself, so that a copy has it too.
 */
class ModelRequest implements LanguageModelV3CallOptions {
  declare prompt: LanguageModelV3CallOptions["prompt"]
  declare readonly abortSignal: AbortSignal
  readonly [asking]: ReplyStream

  constructor(
    call: Omit<LanguageModelV3CallOptions, "abortSignal">,
    prompt: LanguageModelV3CallOptions["prompt"],
    reply: ReplyStream,
  ) {
    Object.assign(this, call)
    this.prompt = prompt
    this[asking] = reply
    Object.defineProperty(this, "abortSignal", lateSignal)
  }
}

const lateSignal = {
  enumerable: true,
  get(this: ModelRequest) {
    return this[asking].abortSignal
  },
}

class ReplyStream {
  private readonly model: LanguageModelV3
  private readonly options: StreamReplyOptions
  private readonly limits: typeof defaultLimits
  private readonly builder = new ReplyBuilder()
  private controller: AbortController | undefined
  private reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined
  private isOver = false
  private parts = 0

  constructor(model: LanguageModelV3, options: StreamReplyOptions) {
    this.model = model
    this.options = options
    this.limits = options.limits ? { ...defaultLimits, ...definedOf(options.limits) } : defaultLimits
  }

  async read(call: Omit<LanguageModelV3CallOptions, "abortSignal">): Promise<ModelReply> {
    const { signal, clock } = this.options
    const watch = new Watch(signal, clock)
    let asked: PromiseLike<LanguageModelV3StreamResult> | undefined
    try {
      if (signal.aborted) throw signal.reason
      watch.begin(this.limits.firstPartMs, (ms) => this.silent(ms))
      const request = new ModelRequest(call, promptFor(this.model, call.prompt), this)
      asked = this.model.doStream(request)
      const result = await watch.guard(asked)
      if (result instanceof ReadyReply) return this.takeAll(result)
      return await watch.guard(this.pump(result, watch))
    } catch (error) {
      this.isOver = true
      // Not awaited: a source that hangs must not hold up the abort.
      if (asked) void bestEffort("the error of the reply is thrown", this.giveUp(asked))
      this.controller?.abort()
      if (signal.aborted) throw new ModelError(modelFailure("cancelled", "The reply was stopped"), error)
      throw modelErrorOf(error, this.model)
    } finally {
      watch.end()
    }
  }

  /** Also when the stream comes after the reply was given up. */
  private async giveUp(asked: PromiseLike<LanguageModelV3StreamResult>): Promise<void> {
    const { stream } = await asked
    await (this.reader ?? stream).cancel()
  }

  private async pump(result: LanguageModelV3StreamResult, watch: Watch): Promise<ModelReply> {
    const { firstPartMs, silenceMs } = this.limits
    const reader = result.stream.getReader()
    this.reader = reader
    for (;;) {
      const { done, value } = await reader.read()
      if (this.isOver) throw new Error("the reply was given up")
      if (done) return this.finish(result)
      this.take(value)
      // Headers and metadata come before the model has thought.
      watch.heard(this.builder.chars > 0 ? silenceMs : firstPartMs)
    }
  }

  /** Aborted when the reply is given up. */
  get abortSignal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isOver) this.controller.abort()
    return this.controller.signal
  }

  private takeAll(result: ReadyReply): ModelReply {
    for (const part of result.parts) {
      // A watcher of the part before may have stopped the reply.
      if (this.isOver || this.options.signal.aborted) throw new Error("the reply was given up")
      this.take(part)
    }
    return this.finish(result)
  }

  private take(part: LanguageModelV3StreamPart): void {
    this.parts += 1
    // A package that reports a missing end does so after an empty stream and a web page too; `finish` tells them apart.
    if (part.type === "error" && !isMissingEnd(part.error)) throw part.error
    const chunk = this.builder.add(part)
    if (chunk !== undefined) this.options.onChunk?.(chunk)
    const { maxChars, maxParts } = this.limits
    if (this.builder.chars > maxChars) throw this.endless(`more than ${maxChars} characters`)
    if (this.parts > maxParts) throw this.endless(`more than ${maxParts} pieces`)
  }

  private finish(result: LanguageModelV3StreamResult): ModelReply {
    const reply = this.builder.build()
    const type = contentType(result)
    if (/\bhtml\b/i.test(type)) throw this.bad("answered with a web page instead of a reply", { retryable: false })
    // The input of a call that is cut is no part of the reply, and yet it came.
    if (this.parts === 0 || (reply.parts.length + this.builder.chars === 0 && !this.builder.ended))
      throw this.bad("gave an empty stream", { retryable: !/^application\/json/i.test(type) })
    if (!this.builder.ended)
      throw new ModelError(modelFailure("network", `The reply of ${this.who()} broke off before its end`))
    return reply
  }

  private silent(waitMs: number): ModelError {
    const message = `${this.who()} sent nothing for ${Math.round(waitMs / 1000)} seconds`
    return new ModelError(modelFailure("network", message))
  }

  private endless(what: string): ModelError {
    const message = `The reply of ${this.who()} did not end: it has ${what}`
    return new ModelError(modelFailure("bad_response", message, { retryable: false }))
  }

  private bad(what: string, more: { readonly retryable: boolean }): ModelError {
    return new ModelError(modelFailure("bad_response", `${this.who()} ${what}`, more))
  }

  private who(): string {
    return `${this.model.provider} (${this.model.modelId})`
  }
}

function isMissingEnd(error: unknown): boolean {
  return error instanceof Error && error.message.includes("ended without a finish reason")
}

function contentType({ response }: LanguageModelV3StreamResult): string {
  if (!response?.headers) return ""
  const entry = Object.entries(response.headers).find(([name]) => name.toLowerCase() === "content-type")
  return entry?.[1] ?? ""
}

function definedOf(limits: ReplyLimits): Partial<typeof defaultLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}
