import type { SessionEvent } from "@haft/contract"
import type { Redactor } from "@haft/store"
import type { Environment } from "../config/places.js"
import type { AgentFacts } from "./span-recorder.js"

/** Where what happens in sessions is traced. */
export interface Telemetry {
  describe(session: string, facts: AgentFacts): void
  hear(event: SessionEvent): void
  forget(session: string): void
  /** Sends what is left, for a bounded time. */
  close(): Promise<void>
}

/** The address that the environment names for spans; undefined where tracing is off. */
function tracesUrl(env: Environment): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return undefined
  const whole = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (whole) return whole
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  return base ? `${base.replace(/\/+$/, "")}/v1/traces` : undefined
}

/** Tracing as the environment asks for it; undefined, and nothing loaded, where it does not. */
export async function openTelemetry(
  env: Environment,
  redactor: () => Promise<Redactor>,
): Promise<Telemetry | undefined> {
  const url = tracesUrl(env)
  if (url === undefined) return undefined
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    process.emitWarning(`Cannot send spans to "${url}": it is no http or https address`, { code: "HAFT_TELEMETRY" })
    return undefined
  }
  const [{ OtlpExporter }, { SpanRecorder }, { providerName }] = await Promise.all([
    import("./otlp-exporter.js"),
    import("./span-recorder.js"),
    import("./names.js"),
  ])
  const exporter = new OtlpExporter({
    url,
    headers: pairsOf(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMs: timeoutOf(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT),
    resource: { ...pairsOf(env.OTEL_RESOURCE_ATTRIBUTES), "service.name": env.OTEL_SERVICE_NAME || "haft" },
  })
  const redact = wantsContent(env) ? await redactor() : undefined
  const spans = new SpanRecorder({
    add: (span) => exporter.add(span),
    providerName: providerName(env),
    ...(redact && { content: (value) => contentOf(value, redact) }),
  })
  return {
    describe: (session, facts) => spans.describe(session, facts),
    hear: (event) => spans.hear(event),
    forget: (session) => spans.forget(session),
    close: () => exporter.close(),
  }
}

/** Arguments and results can hold anything: they are sent to those who ask for it. */
function wantsContent(env: Environment): boolean {
  return env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === "true"
}

// Collectors cut or refuse large attributes.
const mostContent = 8192

function contentOf(value: unknown, redact: Redactor): string {
  const text = JSON.stringify(redact(value)) ?? "null"
  return text.length <= mostContent ? text : `${text.slice(0, mostContent)}...`
}

/** `key=value,key=value` with values as in addresses; what is no pair is left out, as the specification wants it. */
function pairsOf(text = ""): Readonly<Record<string, string>> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=")
    const [key, value] = [pair.slice(0, Math.max(0, at)).trim(), decoded(pair.slice(at + 1).trim())]
    return key === "" || value === undefined || /[\r\n\0]/.test(value) ? [] : [[key, value] as const]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const defaultTimeoutMs = 10_000

function timeoutOf(text: string | undefined): number {
  const ms = Number(text)
  return text !== undefined && ms > 0 && ms <= 600_000 ? ms : defaultTimeoutMs
}
