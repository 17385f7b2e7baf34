import type { ErrorCode } from "./error.js"
import type { Usage } from "./event.js"
import type { LanguageItem } from "./port/language-servers.js"

/** Facts about a call that travel with its result. */
export interface EnvelopeMetadata {
  readonly duration_ms: number
  readonly call_id: string
  readonly session_id: string
  /** True when the output passed the tool's limit; the rest is in `output_path`. */
  readonly truncated?: boolean
  /** A file with more than the model's text shows, readable with `read` until the session closes. */
  readonly output_path?: string
  readonly error_code?: ErrorCode
  readonly hint?: string
  /** Problems that a running language server finds in what the call wrote, and did not find before. */
  readonly diagnostics?: readonly LanguageItem[]
  /** What was left out of the arguments or taken in another way, and what a person would read differently in the result. */
  readonly notes?: readonly string[]
  /** What models used for the call: those of an agent that it started and waited for. */
  readonly usage?: Usage
  /** Why the journal could not keep this call, when it could not. */
  readonly unrecorded?: string
  /** Data about a refusal or a failure, for programs. */
  readonly details?: unknown
}

/** What every call returns, without exception. */
export type Envelope<Data = unknown> =
  | { readonly type: "output"; readonly data: Data; readonly metadata: EnvelopeMetadata }
  | { readonly type: "error"; readonly error_text: string; readonly metadata: EnvelopeMetadata }

/** A piece of what the model reads. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly data: string }

/** A text for the model. */
export function text(value: string): Content {
  return { type: "text", text: value }
}

/** Something other than text that belongs to a result; `data` is base64. */
export interface Attachment {
  readonly mediaType: string
  readonly data: string
  readonly name?: string
}

/** The end of a call with everything that any projection needs. */
export interface ToolResult {
  readonly envelope: Envelope
  /** What the model reads; never empty. */
  readonly content: readonly Content[]
  readonly attachments: readonly Attachment[]
  /** The same for a person, where the model's first text has a limit of its own: not shortened. */
  readonly whole?: () => readonly Content[]
  /** For faces only: for instance the hunks of an edit. */
  readonly state?: unknown
}

/**
 * In which order two streams were read: how many characters of stdout came before the first of stderr, then how many of
 * stderr, then of stdout, and so on. Numbers at even places add up to stdout, the others to stderr.
 */
export type StreamOrder = readonly number[]

/** A piece of one stream that was read without anything of the other in between. */
export interface StreamRun {
  readonly stream: "stdout" | "stderr"
  readonly length: number
}

/** The order of these runs; undefined when all of stdout came before stderr. */
export function streamOrder(runs: readonly StreamRun[]): StreamOrder | undefined {
  const order: number[] = []
  for (const { stream, length } of runs) {
    if (length === 0) continue
    const isOdd = stream === "stderr"
    const isNext = (order.length % 2 === 1) === isOdd
    if (isNext) order.push(length)
    else if (order.length === 0) order.push(0, length)
    else order[order.length - 1]! += length
  }
  return order.length > 2 ? order : undefined
}

/** The runs of an order. */
export function streamRuns(order: StreamOrder): readonly StreamRun[] {
  return order.map((length, index) => ({ stream: index % 2 === 0 ? "stdout" : "stderr", length }))
}
