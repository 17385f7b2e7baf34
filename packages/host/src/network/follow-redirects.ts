import { isUtf8 } from "node:buffer"
import type { HttpRequest, HttpResponse, HttpStream, NetworkCall } from "@haft/contract"
import { destinationText } from "../address/destination.js"
import type { Connections } from "./connections.js"
import { type Answer, exchange } from "./exchange.js"
import { FetchFailure, isRedirect, nextStep, type Step } from "./failure.js"
import { type HopRules, type JudgedHop, judgeHop } from "./judge-hop.js"
import { limits } from "./limits.js"
import { readBody, readEncodings, readPieces } from "./read-body.js"
import { parseTarget } from "./request.js"

/** What requests of a session share. */
export interface Surroundings {
  readonly rules: HopRules
  readonly connections: Connections
  readonly authorities?: readonly string[]
}

/** A request on its way. */
export interface Journey {
  readonly request: HttpRequest
  readonly call: NetworkCall
  readonly signal: AbortSignal
  /** Every address so far, in order; filled while the request travels, so that a failure can tell them. */
  readonly visited: string[]
}

/** Walks from the first address to the one that answers; each hop is judged before anything is sent to it. */
export async function followRedirects(first: Step, journey: Journey, around: Surroundings): Promise<HttpResponse> {
  const { request, call, visited } = journey
  const maxRedirects = request.maxRedirects ?? limits.redirects
  for (let step = first; ; ) {
    visited.push(step.url)
    const target = parseTarget(step.url)
    visited[visited.length - 1] = target.url.href
    const hop = await judgeHop(target, { grant: call.grant, proxy: request.proxy }, around.rules)
    const answer = await ask(hop, step, journey, around)
    const location = isRedirect(answer.status) ? locationOf(answer) : undefined
    if (location === undefined || maxRedirects === 0) return finish(hop, step, answer, journey)
    discard(answer)
    if (!URL.canParse(location, target.url.href))
      throw new FetchFailure("backend", "it redirects to what is no address")
    const to = new URL(location, target.url)
    if (visited.length > maxRedirects) throw tooMany(to, journey, maxRedirects)
    step = nextStep({ ...step, url: target.url.href }, answer.status, to)
  }
}

/** Asks one address and gives the answer as soon as it begins; its body ends with the signal, or when nobody reads on. */
export async function openAnswer(first: Step, journey: OpenJourney, around: Surroundings): Promise<HttpStream> {
  const target = parseTarget(first.url)
  const hop = await judgeHop(target, { grant: journey.call.grant }, around.rules)
  const answer = await ask(hop, first, journey, around)
  const { status, statusText, headers } = answer
  const encodings = readEncodings(headers.get("content-encoding"))
  const place = placeOf(hop)
  async function* body(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* readPieces(answer.body, encodings)
    } catch (error) {
      throw explainFailure(error, { hasBegun: true, place })
    } finally {
      answer.drop()
    }
  }
  return { url: target.url.href, status, statusText, headers: Object.fromEntries(headers), body: body() }
}

/** What a request needs on its way to one address. */
type OpenJourney = Pick<Journey, "call" | "signal"> & { readonly request: Pick<HttpRequest, "connectTimeoutMs"> }

async function ask(
  hop: JudgedHop,
  step: Step,
  { request, call, signal }: OpenJourney,
  around: Surroundings,
): Promise<Answer> {
  const { host, port } = hop.target
  try {
    return await exchange(hop, step, {
      signal,
      timeoutMs: request.connectTimeoutMs ?? limits.connectTimeoutMs,
      connections: around.connections,
      ...(around.authorities && { authorities: around.authorities }),
      onContact() {
        if (hop.proxy) call.observe({ kind: "net.fetch", host: hop.proxy.host, port: hop.proxy.port })
        call.observe({ kind: "net.fetch", host, port })
      },
    })
  } catch (error) {
    throw explainFailure(error, { hasBegun: false, place: placeOf(hop) })
  }
}

async function finish(hop: JudgedHop, step: Step, answer: Answer, journey: Journey): Promise<HttpResponse> {
  const { maxBytes, past = "fail" } = journey.request
  const { status, statusText, headers } = answer
  let isRead = false
  try {
    const isBare = step.method === "HEAD" || status === 204 || status === 304
    const encodings = isBare ? [] : readEncodings(headers.get("content-encoding"))
    const announced = isBare || encodings.length > 0 ? 0 : Number(headers.get("content-length") ?? 0)
    if (announced > maxBytes && past === "fail") throw tooLarge(maxBytes, announced)
    const { bytes, cut } = await readBody(answer.body, { encodings, maxBytes })
    if (cut && past === "fail") throw tooLarge(maxBytes)
    isRead = !cut
    const url = hop.target.url.href
    const redirects = journey.visited.slice(0, -1)
    return { url, status, statusText, headers: Object.fromEntries(headers), body: bytes, cut, redirects }
  } catch (error) {
    throw explainFailure(error, { hasBegun: true, place: placeOf(hop) })
  } finally {
    if (isRead) answer.keep()
    else answer.drop()
  }
}

/** A redirect says everything in its headers; its body is worth no waiting. */
function discard({ headers, body, keep, drop }: Answer): void {
  body.resume()
  if (headers.get("content-length") === "0") keep()
  else drop()
}

/** Raw bytes in a header come as Latin letters; servers that send some mean UTF-8. */
function locationOf({ headers }: Answer): string | undefined {
  const bytes = Buffer.from(headers.get("location") ?? "", "latin1")
  if (bytes.length === 0) return undefined
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1")
}

function placeOf({ target, proxy }: JudgedHop): string {
  const { host, port } = target
  if (!proxy) return destinationText(host, port)
  return `${destinationText(host, port)} (through the proxy ${destinationText(proxy.host, proxy.port)})`
}

function tooMany(to: URL, { visited }: Journey, maxRedirects: number): FetchFailure {
  const circle = visited.includes(to.href) ? "; the addresses go round in a circle" : ""
  const hint = "Fetch the last address of the way, or ask for another page"
  return new FetchFailure("backend", `it redirects more than ${maxRedirects} times${circle}`, hint)
}

function tooLarge(maxBytes: number, announced?: number): FetchFailure {
  const reason = announced === undefined ? "is larger than the limit of" : `has ${announced} bytes; the limit is`
  return new FetchFailure(
    "too_large",
    `the content ${reason} ${maxBytes} bytes`,
    "Ask for a smaller page or a part of it",
  )
}

/** Finds the words for whatever sockets, TLS and the HTTP parser throw; `hasBegun` when a part of the answer was there. */
function explainFailure(error: unknown, where: { readonly hasBegun: boolean; readonly place: string }): unknown {
  if (error instanceof FetchFailure) return error
  const code = codeOf(error)
  // Everything that comes from outside has a code; the rest is a defect and must not look like a server's fault.
  if (code === undefined) return error
  const known = byCode[code]
  if (known) return new FetchFailure(known.code, `${where.place} ${known.reason}`, known.hint)
  if (isCertificateCode(code)) {
    const fix = "Check the clock of this machine; a private authority belongs into the configuration"
    const reason = `the certificate of ${where.place} is not accepted (${code})`
    return new FetchFailure("backend", reason, "Check the host name", fix)
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO") {
    return new FetchFailure("backend", `${where.place} does not speak TLS as expected (${code})`, tlsHint)
  }
  if (code.startsWith("HPE_") || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") {
    const reason = `the answer of ${where.place} is no valid HTTP (${code})`
    return new FetchFailure("backend", reason, "Check that the port is one of a web server")
  }
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    const reason = `the headers of the answer are larger than ${limits.headerBytes / 1024} KB`
    return new FetchFailure("too_large", reason, "Ask for another address of the same site")
  }
  if (where.hasBegun) {
    return new FetchFailure("backend", `${where.place} broke the connection off in the middle of the answer`, again)
  }
  const reason = closed.has(code) ? "closed the connection without an answer" : `cannot be reached (${code})`
  return new FetchFailure("unavailable", `${where.place} ${reason}`, again)
}

const again = "Try again later"
const tlsHint = "Check whether this port speaks http instead of https"
const closed = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE", "UND_ERR_INFO"])

const byCode: Readonly<Record<string, { code: FetchFailure["code"]; reason: string; hint: string }>> = {
  ECONNREFUSED: {
    code: "unavailable",
    reason: "refuses connections",
    hint: "Check the port, and whether the server runs",
  },
  EHOSTUNREACH: { code: "unavailable", reason: "cannot be reached from here", hint: again },
  ENETUNREACH: { code: "unavailable", reason: "cannot be reached: no network leads there", hint: again },
  ETIMEDOUT: { code: "unavailable", reason: "does not answer", hint: again },
}

function isCertificateCode(code: string): boolean {
  return /CERT|CRL|ISSUER|SELF_SIGNED|LEAF_SIGNATURE|HOSTNAME_MISMATCH/.test(code)
}

function codeOf(error: unknown): string | undefined {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  // The parser has no code for everything it finds.
  if (name === "HTTPParserError") return typeof code === "string" ? code : "HPE_INVALID"
  return typeof code === "string" ? code : undefined
}
