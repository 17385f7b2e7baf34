import { randomBytes } from "node:crypto"

/** What an attribute can be. */
export type AttributeValue = string | number | boolean

/** A span that has ended. Times are milliseconds since 1970. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string | undefined
  readonly name: string
  /** `client` for what another machine does. */
  readonly kind: "internal" | "client"
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>
  /** Why it failed; absent when it did not. */
  readonly error?: string | undefined
}

/** Where and how spans are sent. */
export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly resource: Readonly<Record<string, AttributeValue>>
}

// What a collector that is away may cost in memory, and how many spans one request has.
const mostWaiting = 4096
const batchSize = 512
const everyMs = 5000
// A collector that does not answer must not hold up the end of a command.
const lastWordsMs = 2000

/** Sends spans in the JSON form of OTLP over HTTP. What cannot be sent is dropped: the work goes on without it. */
export class OtlpExporter {
  private readonly options: ExporterOptions
  private readonly waiting: Span[] = []
  private sending: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private hasWarned = false
  private readonly end = new AbortController()

  constructor(options: ExporterOptions) {
    this.options = options
  }

  add(span: Span): void {
    if (this.waiting.length >= mostWaiting) return
    this.waiting.push(span)
    if (this.waiting.length >= batchSize) this.send()
    else this.timer ??= setTimeout(() => this.send(), everyMs).unref()
  }

  /** Sends what is left, for a bounded time. */
  async close(): Promise<void> {
    this.send()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lastWordsMs)
    })
    await Promise.race([this.sending, late])
    clearTimeout(timer)
    // A request that is still open would keep the process.
    this.end.abort(new Error("it does not answer"))
    await this.sending
  }

  private send(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined
    })
  }

  /** One request after the other, so that a collector that is slow costs no more than what waits. */
  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) await this.post(this.waiting.splice(0, batchSize))
  }

  private async post(spans: readonly Span[]): Promise<void> {
    const { url, headers, timeoutMs, resource } = this.options
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(traces(spans, resource)),
        // The headers may hold a key, which belongs to this address.
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.end.signal]),
      })
      await response.body?.cancel()
      if (!response.ok) this.warn(`it answered ${response.status}`)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      this.warn(cause instanceof Error ? cause.message : String(cause))
    }
  }

  private warn(reason: string): void {
    if (this.hasWarned) return
    this.hasWarned = true
    process.emitWarning(`Cannot send spans to "${withoutCredentials(this.options.url)}": ${reason}`, {
      code: "HAFT_TELEMETRY",
      detail: "Check OTEL_EXPORTER_OTLP_ENDPOINT: spans are sent as JSON over HTTP, usually to port 4318",
    })
  }
}

/** An address as it may be shown. */
function withoutCredentials(url: string): string {
  const shown = new URL(url)
  return `${shown.protocol}//${shown.host}${shown.pathname}`
}

/** A new id of a trace (16 bytes) or of a span (8). */
export function newSpanId(bytes: 8 | 16): string {
  return randomBytes(bytes).toString("hex")
}

const kinds = { internal: 1, client: 3 } as const
const errorStatus = 2
// A model may ask for a tool by any text; no name of ours is as long.
const longestName = 200
const longestText = 16_384

/** The body of a request, as opentelemetry-proto defines its JSON form. */
function traces(spans: readonly Span[], resource: ExporterOptions["resource"]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: "haft" }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

function spanOf({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, error }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name: name.slice(0, longestName),
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(Math.max(startedAt, endedAt)),
    attributes: attributesOf(attributes),
    ...(error !== undefined && { status: { code: errorStatus, message: error } }),
  }
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`
}

function attributesOf(values: Readonly<Record<string, AttributeValue | undefined>>): readonly object[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: typedValue(value) }],
  )
}

function typedValue(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value.slice(0, longestText) }
  if (typeof value === "boolean") return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
