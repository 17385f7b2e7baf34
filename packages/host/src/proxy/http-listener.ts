import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { destinationText } from "../address/destination.js"
import { proxyHeaders } from "../network/upstream-tunnels.js"
import { answer, carriedHeaders, carryRequest } from "./carry-request.js"
import type { Carriage, Judgement } from "./judge-destination.js"

/** What the HTTP side of the proxy needs from the rest. */
export interface HttpListenerOptions {
  judge(host: string, port: number, carriage: Carriage): Promise<Judgement>
  /** Connects the client of CONNECT with its destination. */
  open(client: Duplex, judgement: Judgement, established: () => void): Promise<void>
  /** A connection for one plain request. */
  reach(judgement: Judgement): Promise<Socket>
}

/** The HTTP proxy: CONNECT and plain requests, on connections that others accepted. */
export function createHttpListener({ judge, open, reach }: HttpListenerOptions): Server {
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
    const judgement = await judge(place?.host ?? authority, place?.port ?? 0, "stream")
    if (!judgement.allowed) return void client.end(closing("403 Forbidden", refusalText(judgement), refusedHeader))
    client.on("error", () => client.destroy())
    const established = () => client.write("HTTP/1.1 200 Connection established\r\n\r\n")
    await open(client, judgement, established).catch((error: Error) => {
      client.end(closing("502 Bad Gateway", unreachable(judgement, error)))
    })
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(request.url ?? "") ? new URL(request.url!) : undefined
    if (url?.protocol !== "http:") return void answer(response, 400, "This is a proxy: ask for a whole http address")
    const port = url.port === "" ? 80 : Number(url.port)
    const judgement = await judge(url.hostname, port, "request")
    if (!judgement.allowed) return void answer(response, 403, refusalText(judgement), refusedHeader)
    const onError = (error: Error) => answer(response, 502, unreachable(judgement, error))
    const { proxy } = judgement
    const isForwarded = proxy?.kind === "http"
    // The name that was judged, whatever the client wrote into its own header.
    const host = destinationText(judgement.host, port).replace(/:80$/, "")
    try {
      const socket = await reach(judgement)
      if (response.destroyed) return void socket.destroy()
      const outgoing = httpRequest({
        createConnection: () => socket,
        method: request.method!,
        path: `${isForwarded ? `http://${host}` : ""}${url.pathname}${url.search}`,
        headers: {
          ...carriedHeaders(request),
          host,
          ...(isForwarded && Object.fromEntries(proxyHeaders(proxy))),
        },
      })
      // The code that spoke with a proxy on it has stopped it.
      outgoing.once("socket", () => socket.resume())
      carryRequest(request, response, outgoing, onError)
    } catch (error) {
      onError(error as Error)
    }
  }
}

const refusedHeader = { "x-haft-refused": "1" }

function parseAuthority(authority: string): { readonly host: string; readonly port: number } | undefined {
  const found = /^(\[[0-9a-fA-F:.]+\]|[^:\s/]+):(\d{1,5})$/.exec(authority)
  return found ? { host: found[1]!, port: Number(found[2]) } : undefined
}

/** A whole answer after which the connection ends. */
function closing(status: string, text: string, headers: Readonly<Record<string, string>> = {}): string {
  const further = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${further.join("")}connection: close\r\n\r\n${text}`
}

function refusalText({ host, port, reason }: Judgement): string {
  return `Haft refused the connection to ${host} port ${port}: ${reason}\n`
}

function unreachable({ host }: Judgement, { message }: Error): string {
  return `${host} cannot be reached: ${message}\n`
}
