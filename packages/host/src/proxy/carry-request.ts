import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http"

/** Sends the request of a client on, and its answer back. */
export function carryRequest(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: ClientRequest,
  onError: (error: Error) => void,
): void {
  let isWhole = () => false
  outgoing.on("response", (incoming) => {
    const { statusCode = 0 } = incoming
    // Node reads any three digits here, and throws when they are written.
    if (statusCode < 200) {
      outgoing.destroy(new Error(`its answer has the status ${statusCode}`))
      return
    }
    response.writeHead(statusCode, withoutHopHeaders(incoming.headers))
    incoming.pipe(response)
    incoming.on("error", () => response.destroy())
    isWhole = () => incoming.complete
  })
  // Node would close the connection and tell nobody.
  outgoing.on("upgrade", (_incoming, socket) => {
    socket.destroy()
    onError(new Error("it leaves HTTP, which was not asked for"))
  })
  outgoing.on("error", (error) => {
    // What a server says behind the end of its answer does not spoil the answer.
    if (isWhole()) return
    if (response.headersSent) response.destroy()
    else onError(error)
  })
  response.on("close", () => outgoing.destroy())
  if (request.complete && request.readableLength === 0) outgoing.end()
  else request.pipe(outgoing)
}

const hopHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/**
 * The headers of a request that is sent on. How its body ends is said anew, from how it was read here: otherwise the next
 * server could take a part of the body for another request.
 */
export function carriedHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const carried = withoutHopHeaders(headers)
  if (headers["transfer-encoding"] !== undefined) return { ...carried, "transfer-encoding": "chunked" }
  const length = headers["content-length"]
  return length === undefined ? carried : { ...carried, "content-length": length }
}

/** The headers of a message without those that are between two neighbours only. */
function withoutHopHeaders(headers: IncomingMessage["headers"]): Record<string, string | string[]> {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(/\s*,\s*/)
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hopHeaders.has(name) || named.includes(name) ? [] : [[name, value]],
    ),
  )
}

/** Answers in the proxy's own name. */
export function answer(
  response: ServerResponse,
  code: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8", connection: "close", ...headers })
  response.end(text.endsWith("\n") ? text : `${text}\n`)
}
