import type { Socket } from "node:net"
import type { Client } from "undici"
import { destinationText } from "../address/destination-text.js"
import { dial } from "../address/dial.js"
import { FetchFailure } from "./fetch-failure.js"
import { openHttpTunnel } from "./http-tunnel.js"
import type { JudgedHop } from "./judge-hop.js"
import { limits } from "./limits.js"
import { loadClient } from "./load-client.js"
import { secureSocket } from "./secure-socket.js"
import { openSocksTunnel } from "./socks-tunnel.js"
import { startClock } from "./start-clock.js"

/** How a connection is opened. */
export interface OpenOptions {
  readonly signal: AbortSignal
  /** For the connection with everything that belongs to it: proxy and TLS. */
  readonly timeoutMs: number
  /** Certificates that are trusted beside those that Node trusts. */
  readonly authorities?: readonly string[]
  /** Called once somebody answers at one of the addresses. */
  readonly onContact: () => void
}

/** One connection that speaks HTTP with the target of a hop, and with nobody else ever. */
export interface Connection {
  readonly client: Client
  readonly socket: Socket
  /** Which of the judged addresses it was made to. */
  readonly address: string
}

/** Connects to one of the judged addresses of a hop. */
export async function openConnection(hop: JudgedHop, options: OpenOptions): Promise<Connection> {
  const clock = startClock(options.timeoutMs, [options.signal])
  const near = hop.proxy ?? hop.target
  let dialled: Socket | undefined
  const hangUp = () => dialled?.destroy()
  clock.signal.addEventListener("abort", hangUp)
  try {
    dialled = await dial(hop.addresses, near.port, { signal: clock.signal, timeoutMs: options.timeoutMs + 1 })
    options.onContact()
    const address = dialled.remoteAddress ?? ""
    const socket = await greet(dialled, hop, options.authorities)
    return { socket, address, client: await clientOver(socket, hop) }
  } catch (error) {
    hangUp()
    if (!clock.isOver()) throw error
    const who = destinationText(near.host, near.port)
    throw new FetchFailure("timeout", `no connection to ${who} within ${options.timeoutMs} ms`, "Try again later")
  } finally {
    clock.signal.removeEventListener("abort", hangUp)
    clock.stop()
  }
}

async function greet(dialled: Socket, { target, proxy }: JudgedHop, authorities?: readonly string[]): Promise<Socket> {
  if (proxy?.kind === "socks5") await openSocksTunnel(dialled, target, proxy)
  else if (proxy && target.isSecure) await openHttpTunnel(dialled, target, proxy)
  return target.isSecure ? secureSocket(dialled, target.host, authorities) : dialled
}

async function clientOver(socket: Socket, { target }: JudgedHop): Promise<Client> {
  const { Client: HttpClient } = await loadClient()
  let isGiven = false
  return new HttpClient(target.url.origin, {
    connect(_options, done) {
      // A second connection would be one that nobody judged.
      if (isGiven || socket.destroyed) return queueMicrotask(() => done(goneError(), null))
      isGiven = true
      queueMicrotask(() => done(null, socket))
    },
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    // The clock of the request bounds both.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function goneError(): Error {
  return Object.assign(new Error("The connection is gone"), { code: "ECONNRESET" })
}
