import { createServer, type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { Judgement } from "./judge-destination.js"

/** What the HTTP side of the proxy needs from the rest. */
export interface HttpFaceOptions {
  judge(host: string, port: number): Promise<Judgement>
  /** Connects the client of CONNECT with its destination. */
  open(client: Duplex, judgement: Judgement, established: () => void): Promise<void>
}

/** The HTTP proxy: CONNECT and plain requests, on connections that others accepted. */
export function createHttpFace({ judge, open }: HttpFaceOptions): Server {
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  server.on("connect", (request, client: Duplex, head: Buffer) => {
    if (head.length > 0) client.unshift(head)
    tunnelTo(request.url ?? "", client).catch(() => client.destroy())
  })
  server.on("clientError", (_error, client: Duplex) => {
    if (client.writable) client.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
  })
  return server

  async function tunnelTo(authority: string, client: Duplex): Promise<void> {
    const place = parseAuthority(authority)
    const judgement = await judge(place?.host ?? authority, place?.port ?? 0)
    if (!judgement.allowed) return void client.end(refusal(judgement))
    client.on("error", () => client.destroy())
    await open(client, judgement, () => client.write("HTTP/1.1 200 Connection established\r\n\r\n"))
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(request.url ?? "") ? new URL(request.url!) : undefined
    if (url?.protocol !== "http:") return void answer(response, 400, "This is a proxy: ask for a whole http address")
    const port = url.port === "" ? 80 : Number(url.port)
    const judgement = await judge(url.hostname, port)
    if (!judgement.allowed) return void answer(response, 403, refusalText(judgement), { "x-haft-refused": "1" })
    const outgoing = httpRequest({
      host: judgement.addresses[0]!,
      port,
      method: request.method!,
      path: `${url.pathname}${url.search}`,
      // The name that was judged, whatever the client wrote into its own header.
      headers: { ...withoutHopHeaders(request.headers), host: url.host },
      agent: false,
    })
    outgoing.on("response", (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, withoutHopHeaders(incoming.headers))
      incoming.pipe(response)
      incoming.on("error", () => response.destroy())
    })
    outgoing.on("error", (error) => {
      if (response.headersSent) response.destroy()
      else answer(response, 502, `${judgement.host} cannot be reached: ${error.message}`)
    })
    response.on("close", () => outgoing.destroy())
    request.pipe(outgoing)
  }
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

function parseAuthority(authority: string): { readonly host: string; readonly port: number } | undefined {
  const found = /^(\[[0-9a-fA-F:.]+\]|[^:\s/]+):(\d{1,5})$/.exec(authority)
  return found ? { host: found[1]!, port: Number(found[2]) } : undefined
}

function refusal(judgement: Judgement): string {
  const text = refusalText(judgement)
  return `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nX-Haft-Refused: 1\r\nConnection: close\r\n\r\n${text}`
}

function refusalText({ host, port, reason }: Judgement): string {
  return `Haft refused the connection to ${host} port ${port}: ${reason}\n`
}

function answer(response: ServerResponse, code: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8", connection: "close", ...headers })
  response.end(text.endsWith("\n") ? text : `${text}\n`)
}
