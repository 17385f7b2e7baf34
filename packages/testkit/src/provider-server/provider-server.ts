import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { anthropicApi } from "./anthropic-api.js"
import { geminiApi } from "./gemini-api.js"
import { openaiChatApi } from "./openai-chat-api.js"
import { openaiResponsesApi } from "./openai-responses-api.js"
import {
  type Fields,
  fieldsOf,
  type ProviderFault,
  type ScriptedReply,
  type WireApi,
  type WireMemory,
} from "./wire-api.js"

/** The APIs that the server speaks. */
export type ProviderApi = "anthropic" | "openai-chat" | "openai-responses" | "gemini"

/** A request that the server got. */
export interface ProviderRequest {
  readonly api: ProviderApi
  readonly path: string
  readonly body: Fields
}

/** What the server answers and whom it lets in. */
export interface ProviderServerOptions {
  /** Taken in order, whichever API asks; or made from each request. */
  readonly replies: readonly ScriptedReply[] | ((request: ProviderRequest) => ScriptedReply)
  /** Another key is refused. */
  readonly key?: string
  /** Another model does not exist; every model exists when this is left out. */
  readonly models?: readonly string[]
}

const apis: Readonly<Record<ProviderApi, WireApi>> = {
  anthropic: anthropicApi,
  "openai-chat": openaiChatApi,
  "openai-responses": openaiResponsesApi,
  gemini: geminiApi,
}

/** Starts a server on loopback that speaks the streaming APIs of the model providers and refuses what they refuse. */
export async function startProviderServer(options: ProviderServerOptions): Promise<ProviderServer> {
  const server = new ProviderServer(options)
  await server.listen()
  return server
}

/** A provider of models for tests: scripted replies, real wire formats, faults on demand. */
export class ProviderServer {
  /** Every request that was understood, in order, those that were refused included. */
  readonly requests: ProviderRequest[] = []
  /** Why requests were refused, in order. */
  readonly refusals: string[] = []
  private readonly options: ProviderServerOptions
  private readonly memory: WireMemory = { issued: new Set(), replies: 0 }
  private readonly server: Server
  private readonly responses = new Set<ServerResponse>()
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(options: ProviderServerOptions) {
    this.options = options
    // A client that goes away in the middle of its request needs no answer.
    this.server = createServer(
      (request, response) => void this.serve(request, response).catch(() => response.destroy()),
    )
  }

  /** The address of the server without a path. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The base URL that a provider package takes for this API. */
  baseUrl(api: ProviderApi): string {
    return `${this.origin}/${api === "gemini" ? "v1beta" : "v1"}`
  }

  /** The answers that are being written now. A client that stops reading properly ends its own at once. */
  get underWay(): number {
    return this.responses.size
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve))
  }

  /** Ends every connection and resolves when the port is free. */
  close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer)
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.responses.add(response)
    response.on("error", () => response.destroy())
    response.on("close", () => this.responses.delete(response))
    const path = new URL(request.url ?? "/", "http://localhost").pathname
    const found = Object.entries(apis).find(([, api]) => api.path.test(path))
    const body = fieldsOf(parse(await readBody(request)))
    if (found === undefined || request.method !== "POST") {
      send(response, 404, { error: { message: `Not found: ${path}` } })
      return
    }
    const [name, api] = found as [ProviderApi, WireApi]
    this.requests.push({ api: name, path, body })
    const refusal = this.refusal(api, request, path, body)
    if (refusal !== undefined) {
      this.refusals.push(refusal.message)
      const status = refusal.status === 401 && name === "gemini" ? 400 : refusal.status
      send(response, status, api.errorBody(refusal.status, refusal.message))
      return
    }
    const reply = this.nextReply({ api: name, path, body })
    if (reply === undefined)
      send(response, 500, api.errorBody(500, "The script of the test server has no more replies"))
    else await this.answer(response, api, { reply, model: api.model(body, path), body })
  }

  private refusal(
    api: WireApi,
    request: IncomingMessage,
    path: string,
    body: Fields,
  ): { readonly status: number; readonly message: string } | undefined {
    const { key, models } = this.options
    const given = api.key(request.headers)
    // As a careless provider would: the key is in the message.
    if (key !== undefined && given !== key)
      return { status: 401, message: `Incorrect API key provided: ${given}. API key not valid` }
    const model = api.model(body, path)
    if (models !== undefined && !models.includes(model))
      return { status: 404, message: `The model '${model}' does not exist` }
    const problem = api.problem(body, this.memory, request.headers)
    return problem === undefined ? undefined : { status: 400, message: problem }
  }

  private nextReply(request: ProviderRequest): ScriptedReply | undefined {
    const { replies } = this.options
    this.memory.replies += 1
    return typeof replies === "function" ? replies(request) : replies[this.memory.replies - 1]
  }

  private async answer(
    response: ServerResponse,
    api: WireApi,
    { reply, model, body }: { readonly reply: ScriptedReply; readonly model: string; readonly body: Fields },
  ): Promise<void> {
    const { fault } = reply
    if (fault !== undefined && answerWithStatus(response, api, fault)) return
    if (fault?.type === "slow") await this.sleep(fault.headersMs ?? 0)
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
    response.flushHeaders()
    const events = api.events({ reply, model, body, memory: this.memory })
    if (fault?.type === "empty") response.end()
    else if (fault?.type === "endless") await this.writeEndless(response, api, events)
    else await this.writeEvents(response, api, { events, fault })
  }

  private async writeEvents(
    response: ServerResponse,
    api: WireApi,
    { events, fault }: { readonly events: readonly string[]; readonly fault: ProviderFault | undefined },
  ): Promise<void> {
    const half = Math.ceil(events.length / 2)
    for (const [index, event] of events.entries()) {
      if (response.destroyed) return
      if (fault?.type === "slow" && index > 0) await this.sleep(fault.eventMs ?? 0)
      if (index === half && fault?.type === "malformed-event") response.write('data: {"type": oops\n\n')
      if (index === half && fault?.type === "error-event") response.write(api.errorEvent("The server is overloaded"))
      if (index === half && fault?.type === "reset") {
        // What was written must be on its way before the connection goes.
        await this.sleep(20)
        response.destroy()
        return
      }
      if (index === half && (fault?.type === "cut" || fault?.type === "error-event")) break
      response.write(event)
    }
    response.end()
  }

  private async writeEndless(response: ServerResponse, api: WireApi, events: readonly string[]): Promise<void> {
    for (const event of events.slice(0, 4)) response.write(event)
    const piece = api.endlessEvent().repeat(50)
    while (!response.destroyed) {
      const more = response.write(piece)
      // Backpressure: a reader that stops reading stops this loop.
      await (more ? this.sleep(0) : new Promise((next) => response.once("drain", next).once("close", next)))
    }
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.timers.delete(timer)
        resolve()
      }, ms)
      this.timers.add(timer)
    })
  }
}

/** Faults that are an answer of their own; false for those of a stream. */
function answerWithStatus(response: ServerResponse, api: WireApi, fault: ProviderFault): boolean {
  switch (fault.type) {
    case "rate-limit":
      send(response, 429, api.errorBody(429, "Rate limit reached, slow down"), {
        ...(fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter }),
      })
      return true
    case "server-error":
      send(response, fault.status ?? 500, api.errorBody(fault.status ?? 500, "Internal server error"))
      return true
    case "context-length":
      send(response, 400, api.errorBody(400, "prompt is too long: this model's maximum context length is 8192 tokens"))
      return true
    case "html":
      response.writeHead(fault.status ?? 200, { "content-type": "text/html; charset=utf-8" })
      response.end("<!DOCTYPE html><html><body><h1>Welcome to the proxy</h1></body></html>\n")
      return true
    default:
      return false
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString("utf8")
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
