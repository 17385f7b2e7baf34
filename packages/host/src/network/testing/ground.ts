import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import type { HostVerdict, HttpRequest, HttpResponse, NetworkCall, ObservedEffect } from "@haft/contract"
import { createNetwork, type NetworkOptions, type SessionNetwork } from "../create-network.js"

/** A server on this machine that counts who came. */
export interface Place {
  readonly port: number
  readonly url: string
  /** Connections so far. */
  readonly visits: () => number
  readonly sockets: ReadonlySet<Socket>
}

/** Servers, networks and calls of one test; everything ends with it. */
export interface Ground {
  web(listener: RequestListener, host?: string, port?: number): Promise<Place>
  tcp(onSocket: (socket: Socket) => void, host?: string): Promise<Place>
  serve(server: Server, host?: string): Promise<Place>
  network(options?: Partial<NetworkOptions>): SessionNetwork
  close(): Promise<void>
}

/** Makes an empty ground. */
export function createGround(): Ground {
  const ends: (() => Promise<void> | void)[] = []
  async function serve(server: Server, host = "127.0.0.1", wanted = 0): Promise<Place> {
    const sockets = new Set<Socket>()
    let visits = 0
    server.on("connection", (socket: Socket) => {
      visits += 1
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.once("close", () => sockets.delete(socket))
    })
    await once(server.listen(wanted, host), "listening")
    ends.push(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { port, url: `http://${host}:${port}`, visits: () => visits, sockets }
  }
  return {
    serve,
    web: (listener, host, port) => serve(createServer({ keepAliveTimeout: 60_000 }, listener), host, port),
    tcp: (onSocket, host) => serve(createTcpServer({ allowHalfOpen: true }, onSocket), host),
    network(options = {}) {
      const network = createNetwork({ netGrants: [], resolve: async () => [], ...options })
      ends.push(() => network.close())
      return network
    },
    async close() {
      for (const end of ends.splice(0)) await end()
    },
  }
}

/** A call whose grant admits every host, unless `admitsHost` says otherwise. */
export function createCall(
  options: { readonly signal?: AbortSignal; readonly admitsHost?: (host: string, port: number) => HostVerdict } = {},
): NetworkCall & { readonly effects: ObservedEffect[] } {
  const effects: ObservedEffect[] = []
  return {
    callId: "call",
    sessionId: "session",
    signal: options.signal ?? new AbortController().signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    grant: {
      admits: () => false,
      mayKeep: () => false,
      admitsHost: options.admitsHost ?? (() => ({ allowed: true })),
    },
    observe: (effect) => void effects.push(effect),
    effects,
  }
}

/** Sends a request with roomy bounds. */
export function get(network: SessionNetwork, url: string, request: Partial<HttpRequest> = {}): Promise<HttpResponse> {
  return network.network(createCall()).fetch({ url, timeoutMs: 30_000, maxBytes: 1_000_000, ...request })
}

/** The text of a body. */
export function textOf({ body }: HttpResponse): string {
  return new TextDecoder().decode(body)
}
