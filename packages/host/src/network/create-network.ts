import { setMaxListeners } from "node:events"
import {
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  type Network,
  type NetworkCall,
  type StreamRequest,
  ToolError,
} from "@haft/contract"
import { type Destination, parseDestination, readGrant } from "../address/destination.js"
import type { AddressRules } from "../address/judge-addresses.js"
import { createProxyChoice, type ProxySettings } from "./choose-proxy.js"
import { createConnections } from "./connections.js"
import { FetchFailure, type Step, shownUrl } from "./failure.js"
import { followRedirects, openAnswer, type Surroundings } from "./follow-redirects.js"
import { requestHeaders } from "./request.js"
import { startClock } from "./start-clock.js"

/** What the network of a session is. */
export interface NetworkOptions extends AddressRules {
  /** `host` or `host:port` that the user named; may be of this machine or its network. Without a port 80 and 443. */
  readonly netGrants: readonly string[]
  /** Only from the user's own configuration; variables of the environment are never read. */
  readonly proxy?: ProxySettings
  /** Certificates of authorities that the user trusts beside the usual ones, as PEM text. */
  readonly authorities?: readonly string[]
}

/** The network of a session: connections stay open between requests, and end with it. */
export interface SessionNetwork {
  network(call: NetworkCall): Network
  close(): Promise<void>
}

/** Makes the network of a session; nothing is loaded or opened before the first request. */
export function createNetwork(options: NetworkOptions): SessionNetwork {
  const connections = createConnections()
  const closing = new AbortController()
  const around: Surroundings = {
    connections,
    ...(options.authorities && { authorities: options.authorities }),
    rules: {
      named: options.netGrants.flatMap(readNamed),
      chooseProxy: createProxyChoice(options.proxy),
      ...(options.ownPorts && { ownPorts: options.ownPorts }),
      ...(options.resolve && { resolve: options.resolve }),
    },
  }
  return {
    network(call) {
      // A call may send many requests at once, and each of them listens.
      setMaxListeners(0, call.signal, closing.signal)
      return {
        fetch: (request) => fetchWithin(request, call, closing.signal, around),
        open: (request) => openWithin(request, call, closing.signal, around),
      }
    },
    async close() {
      closing.abort()
      await connections.close()
    },
  }
}

/** Opens a stream that ends with the signal of its request or with the session, and not with the call. */
async function openWithin(
  request: StreamRequest,
  call: NetworkCall,
  closing: AbortSignal,
  around: Surroundings,
): Promise<HttpStream> {
  const { url, method = "GET", headers = {}, body } = request
  const signal = AbortSignal.any([request.signal, closing])
  try {
    signal.throwIfAborted()
    const first = firstStep({ url, method, headers, ...(body !== undefined && { body }), timeoutMs: 1, maxBytes: 0 })
    return await openAnswer(first, { request, call, signal }, around)
  } catch (error) {
    const found = signal.aborted ? givenUp(closing) : error
    if (!(found instanceof FetchFailure)) throw found
    const { hint, fix, code, message } = found
    throw new ToolError(code, `Cannot reach "${shownUrl(url)}": ${message}`, { hint, fix, cause: found })
  }
}

async function fetchWithin(
  request: HttpRequest,
  call: NetworkCall,
  closing: AbortSignal,
  around: Surroundings,
): Promise<HttpResponse> {
  const clock = startClock(request.timeoutMs, [call.signal, closing])
  const visited: string[] = []
  try {
    const first = firstStep(request)
    const journey = { request, call, signal: clock.signal, visited }
    return await clock.race(followRedirects(first, journey, around))
  } catch (error) {
    throw toToolError(
      call.signal.aborted || closing.aborted ? givenUp(closing) : clock.isOver() ? late(request) : error,
    )
  } finally {
    clock.stop()
  }

  function toToolError(error: unknown): unknown {
    if (!(error instanceof FetchFailure)) return error
    const url = shownUrl(visited.at(-1) ?? request.url)
    const isFirst = visited.length < 2
    const way = isFirst ? "" : `; the way there was ${visited.map(shownUrl).join(" -> ")}`
    // What the caller did not write cannot be the caller's mistake.
    const code = error.code === "invalid_args" && !isFirst ? "denied" : error.code
    const { hint, fix } = error
    return new ToolError(code, `Cannot fetch "${url}": ${error.message}${way}`, { hint, fix, cause: error })
  }
}

function firstStep(request: HttpRequest): Step {
  const { url, method = "GET", headers, body } = request
  const { timeoutMs, connectTimeoutMs = timeoutMs, maxBytes, maxRedirects = 0 } = request
  if (!(timeoutMs > 0 && connectTimeoutMs > 0)) throw new FetchFailure("invalid_args", "the time limit leaves no time")
  if (!(maxBytes >= 0 && maxRedirects >= 0)) throw new FetchFailure("invalid_args", "a limit is less than nothing")
  if (!/^[A-Z]{1,20}$/.test(method) || method === "CONNECT" || method === "TRACE") {
    throw new FetchFailure("invalid_args", `"${method}" is no method; write it like GET or POST`)
  }
  return { url, method, headers: requestHeaders(headers), ...(body !== undefined && { body }) }
}

function givenUp(closing: AbortSignal): FetchFailure {
  return new FetchFailure("cancelled", closing.aborted ? "the session was closed" : "the call was cancelled")
}

function late({ timeoutMs }: HttpRequest): FetchFailure {
  return new FetchFailure("timeout", `no complete answer within ${timeoutMs} ms`, [
    "Try again later",
    { say: "Give it more time with {key:timeout|timeout_ms}" },
  ])
}

/** A host without a port is meant for the web as a whole, so for both of its ports. */
function readNamed(text: string): readonly Destination[] {
  const plain = parseDestination(`${text.trim()}:80`)
  return plain ? [plain, readGrant(text)] : [readGrant(text)]
}
