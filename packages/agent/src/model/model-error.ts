import type { LanguageModelV3 } from "@ai-sdk/provider"

/** The ways in which a model can fail to reply. */
export type ModelFailureKind =
  /** The key is missing, wrong, without credit or without the right to this model. */
  | "auth"
  /** The provider does not know the model, or the address is no model's. */
  | "not_found"
  | "rate_limited"
  | "overloaded"
  /** The provider was not reached, went silent, or the reply broke off. */
  | "network"
  /** Something came that is no reply: a web page, an empty stream, broken JSON, a stream without end. */
  | "bad_response"
  /** The request has more tokens than the model takes. */
  | "context_length"
  | "cancelled"
  | "invalid_request"

/** Why a model gave no reply, as plain JSON. */
export interface ModelFailure {
  readonly kind: ModelFailureKind
  /** What happened, for people. */
  readonly message: string
  /** What to do about it. */
  readonly hint: string
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number
  /** The status of the HTTP answer, where there was one. */
  readonly status?: number
}

/** Thrown when a model gives no reply. */
export class ModelError extends Error {
  readonly failure: ModelFailure

  constructor(failure: ModelFailure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause })
    this.name = "ModelError"
    this.failure = failure
  }
}

const hints: Readonly<Record<ModelFailureKind, string>> = {
  auth: "Check the provider's key in its environment variable, and whether it may use this model",
  not_found: "Check the name of the model and the base URL, or choose another model with --model",
  rate_limited: "Wait a while, or choose another model with --model",
  overloaded: "Try again later, or choose another model with --model",
  network: "Check the network and the base URL, then try again",
  bad_response: "Check the base URL and whether it speaks the provider's protocol",
  context_length: "Start a new session, or choose a model with a larger context",
  cancelled: "Send the message again to go on",
  invalid_request: "The provider refused the request; see its message",
}

const retryableKinds: ReadonlySet<ModelFailureKind> = new Set(["rate_limited", "overloaded", "network", "bad_response"])

/** Makes a failure with the usual next step of its kind. */
export function modelFailure(
  kind: ModelFailureKind,
  message: string,
  more: Partial<Omit<ModelFailure, "kind" | "message">> = {},
): ModelFailure {
  return { kind, message, hint: hints[kind], retryable: retryableKinds.has(kind), ...more }
}

// Keys by model, so that a provider that repeats a key in its error cannot put it on a screen. A weak map keeps them out of
// the model's own fields, which loggers print.
const keys = new WeakMap<LanguageModelV3, string>()

/** Makes every failure of this model leave out the key. Gives the model. */
export function keepKeySecret(model: LanguageModelV3, key: string | undefined): LanguageModelV3 {
  if (key !== undefined) keys.set(model, key)
  return model
}

/** Makes the failures of a model leave out the key of another one, which does its work. Gives the model. */
export function keepSameSecret(model: LanguageModelV3, { of }: { readonly of: LanguageModelV3 }): LanguageModelV3 {
  return keepKeySecret(model, keys.get(of))
}

/** Says what went wrong, whatever a provider threw or put into its stream. */
export function modelErrorOf(error: unknown, model: LanguageModelV3): ModelError {
  if (error instanceof ModelError) return error
  const failure = classify(readError(error), `${model.provider} (${model.modelId})`)
  return new ModelError({ ...failure, message: conceal(failure.message, keys.get(model)) }, undefined)
}

/** Leaves a key out of a message; also shapes that look like keys, because a user's own model has a key unknown here. */
function conceal(message: string, key: string | undefined): string {
  const known = key ? message.replaceAll(key, "[key]") : message
  return known.replace(/\b(sk-|AIza|xai-|gsk_)[\w-]{12,}/g, "[key]").replace(/(Bearer\s+)[\w.-]{12,}/gi, "$1[key]")
}

/** What the errors of the AI SDK and the error objects of the providers' streams have in common. */
interface ErrorFacts {
  readonly name: string
  readonly message: string
  readonly status: number | undefined
  /** Codes and types that providers give, in one text to search. */
  readonly codes: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly connection: boolean
}

function readError(error: unknown): ErrorFacts {
  const fields = record(error)
  const body = typeof fields.responseBody === "string" ? fields.responseBody : ""
  const inner = record(record(parseJson(body)).error)
  const nested = record(fields.error)
  const message = [fields.message, nested.message, error].find((each) => typeof each === "string" && each !== "")
  const codes = [fields, nested, inner].flatMap(({ code, type, status }) => [code, type, status])
  const chain = causes(error)
  return {
    name: typeof fields.name === "string" ? fields.name : "",
    message: typeof message === "string" ? message : (JSON.stringify(error) ?? "no message"),
    status: statusOf(fields, nested),
    codes: codes.filter((each) => typeof each === "string").join(" "),
    body,
    headers: lowerCased(record(fields.responseHeaders)),
    connection: chain.some(({ code, message }) => isConnectionProblem(String(code ?? ""), String(message ?? ""))),
  }
}

function statusOf(fields: Record<string, unknown>, nested: Record<string, unknown>): number | undefined {
  const status = [fields.statusCode, fields.status, fields.code, nested.code].find(
    (each) => typeof each === "number" && each >= 400 && each < 600,
  )
  return typeof status === "number" ? status : undefined
}

function isConnectionProblem(code: string, message: string): boolean {
  if (
    /^(ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOST|ENET|UND_ERR|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)
  )
    return true
  return /cannot connect|fetch failed|terminated|socket|other side closed/i.test(message)
}

/** An error and what caused it, down to a depth that no honest chain has. */
function causes(error: unknown): readonly Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = []
  for (let at = error; typeof at === "object" && at !== null && chain.length < 8; at = record(at).cause)
    chain.push(record(at))
  return chain
}

function classify(facts: ErrorFacts, who: string): ModelFailure {
  const { status } = facts
  const kind = kindOf(facts)
  const said = shorten(facts.message)
  const retryAfterMs = retryAfter(facts)
  const more = {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
  if (kind === "bad_response" && isPage(facts.body))
    return modelFailure(
      kind,
      `${who} answered with a web page${status ? ` (status ${status})` : ""} instead of a reply`,
      {
        ...more,
        retryable: false,
      },
    )
  const at = status === undefined ? "" : ` (status ${status})`
  const retryable = kind === "bad_response" ? { retryable: status === undefined } : {}
  return modelFailure(kind, `${who} ${verbs[kind]}${at}: ${said}`, { ...more, ...retryable })
}

const verbs: Readonly<Record<ModelFailureKind, string>> = {
  auth: "refused the key",
  not_found: "does not know this model",
  rate_limited: "refused more requests for now",
  overloaded: "failed or is overloaded",
  network: "could not be reached or broke off",
  bad_response: "gave something that is no reply",
  context_length: "refused the request as too long",
  cancelled: "was stopped",
  invalid_request: "refused the request",
}

function kindOf(facts: ErrorFacts): ModelFailureKind {
  const { name, status, codes, message, body, connection } = facts
  const text = `${codes} ${message} ${status === undefined ? "" : body.slice(0, 4000)}`
  if (name === "AbortError") return "cancelled"
  if (/insufficient_quota|billing|credit balance/i.test(text)) return "auth"
  if (
    /context.length|maximum context|too many (input )?tokens|prompt is too long|token count.{0,40}exceeds/i.test(text)
  )
    return "context_length"
  if (status !== undefined) return kindOfStatus(status, text)
  if (
    /AI_(LoadAPIKey|LoadSetting)Error/.test(name) ||
    /authentication_error|permission_error|invalid_api_key/.test(codes)
  )
    return "auth"
  if (/rate_limit|RESOURCE_EXHAUSTED/i.test(codes)) return "rate_limited"
  if (/overloaded|api_error|server_error|UNAVAILABLE|INTERNAL/i.test(codes)) return "overloaded"
  if (/AI_NoSuchModelError/.test(name) || /not_found/i.test(codes)) return "not_found"
  if (/AI_(UnsupportedFunctionality|InvalidPrompt|InvalidArgument)Error/.test(name) || /invalid_request/i.test(codes))
    return "invalid_request"
  return connection ? "network" : "bad_response"
}

function kindOfStatus(status: number, text: string): ModelFailureKind {
  // Gemini answers a wrong key with 400.
  if (status === 401 || status === 403 || /API_KEY_INVALID|api key not valid/i.test(text)) return "auth"
  if (status === 429) return "rate_limited"
  if (status === 413) return "context_length"
  if (status === 408 || status >= 500) return "overloaded"
  if (isPage(text.trimStart()) || /<html|<!doctype html/i.test(text)) return "bad_response"
  return status === 404 ? "not_found" : "invalid_request"
}

function isPage(body: string): boolean {
  return /^\s*<(!doctype|html)/i.test(body)
}

/** The time that a provider asks to wait, from headers or from the body of Gemini. */
function retryAfter({ headers, body }: ErrorFacts): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const header = headers["retry-after"]
  if (header !== undefined) {
    const seconds = Number(header)
    if (Number.isFinite(seconds) && seconds >= 0) return Math.round(seconds * 1000)
    // A date is compared with the server's own clock, which needs none here.
    const wait = Date.parse(header) - Date.parse(headers.date ?? "")
    return Number.isFinite(wait) ? Math.max(0, wait) : undefined
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return delay === undefined ? undefined : Math.round(Number(delay) * 1000)
}

// A message of a provider may quote the whole request.
const maxMessageChars = 400

function shorten(message: string): string {
  const line = message.replace(/\s+/g, " ").trim()
  return line.length > maxMessageChars ? `${line.slice(0, maxMessageChars)}...` : line
}

function lowerCased(headers: Record<string, unknown>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
