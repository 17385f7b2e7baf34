import type { IncomingHttpHeaders } from "node:http"

/** A call of a scripted reply. */
export interface ScriptedCall {
  readonly name: string
  readonly args?: unknown
  /** Raw text instead of `args`, for input that is no JSON. */
  readonly input?: string
}

/** What goes wrong with an answer. */
export type ProviderFault =
  /** The connection closes cleanly in the middle of the stream. */
  | { readonly type: "cut" }
  /** The connection is destroyed in the middle of the stream. */
  | { readonly type: "reset" }
  | { readonly type: "rate-limit"; readonly retryAfter?: string }
  | { readonly type: "server-error"; readonly status?: number }
  | { readonly type: "context-length" }
  /** An error of the API inside a stream that had begun. */
  | { readonly type: "error-event" }
  /** An event whose data is no JSON. */
  | { readonly type: "malformed-event" }
  /** Waits before the headers, or between two events. */
  | { readonly type: "slow"; readonly headersMs?: number; readonly eventMs?: number }
  | { readonly type: "html"; readonly status?: number }
  | { readonly type: "endless" }
  | { readonly type: "empty" }

/** One answer of the server. */
export interface ScriptedReply {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
  readonly finish?: "stop" | "length" | "content-filter"
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number }
  readonly fault?: ProviderFault
}

/** What the server remembers of its answers, to check what comes back. */
export interface WireMemory {
  /** Signatures and encrypted reasoning that this server gave out. */
  readonly issued: Set<string>
  /** Counts the answers, for ids. */
  replies: number
}

/** A reply that is being written. */
export interface WireReply {
  readonly reply: ScriptedReply
  readonly model: string
  readonly body: Fields
  readonly memory: WireMemory
}

/** One streaming API. */
export interface WireApi {
  readonly path: RegExp
  /** The key of a request as this API takes it. */
  key(headers: IncomingHttpHeaders): string | undefined
  /** The model that a request names. */
  model(body: Fields, path: string): string
  /** Why the real API would refuse the request. */
  problem(body: Fields, memory: WireMemory, headers: IncomingHttpHeaders): string | undefined
  /** The events of a reply, as they go over the wire. */
  events(reply: WireReply): readonly string[]
  /** A piece of text that can be repeated for ever after the first two events. */
  endlessEvent(): string
  errorEvent(message: string): string
  /** The body of an answer with this status. */
  errorBody(status: number, message: string): unknown
}

/** A JSON object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}

/** The arguments of a call as the model would stream them. */
export function inputText({ args, input }: ScriptedCall): string {
  return input ?? JSON.stringify(args ?? {})
}

/** Cuts a text into pieces of a stream. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,20}/gsu) ?? []
}

/** A server-sent event. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** Remembers an opaque value that must come back unchanged. */
export function issue({ memory }: WireReply, kind: string): string {
  const value = Buffer.from(`${kind} of reply ${memory.replies} number ${memory.issued.size}`).toString("base64")
  memory.issued.add(value)
  return value
}

export function usageOf({ usage }: ScriptedReply): { input: number; output: number; cached: number } {
  return { input: usage?.input ?? 10, output: usage?.output ?? 5, cached: usage?.cached ?? 0 }
}

/** The first value of `of` that occurs twice. */
export function repeated(of: readonly string[]): string | undefined {
  return of.find((each, index) => of.indexOf(each) < index)
}
