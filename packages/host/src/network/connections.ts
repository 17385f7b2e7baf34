import { isIP, type Socket } from "node:net"
import { connect, rootCertificates, type TLSSocket } from "node:tls"
import { bestEffort } from "@haft/contract"
import type { Client, Dispatcher } from "undici"
import { destinationText } from "../address/destination.js"
import { dial } from "../address/dial.js"
import { FetchFailure } from "./failure.js"
import type { JudgedHop } from "./judge-hop.js"
import { limits } from "./limits.js"
import { startClock } from "./start-clock.js"
import { openHttpTunnel, openSocksTunnel } from "./upstream-tunnels.js"

/** The connections of a session. */
export interface Connections {
  /** An idle one to an address that was judged for this hop too. */
  take(hop: JudgedHop): Connection | undefined
  /** Lets a connection wait for the next request. */
  keep(hop: JudgedHop, connection: Connection): void
  /** Ends one for good. */
  drop(connection: Connection): void
  close(): Promise<void>
}

/** Makes the place where connections wait between requests. */
export function createConnections(): Connections {
  const idle = new Map<Connection, string>()

  function drop(connection: Connection): void {
    idle.delete(connection)
    void bestEffort("a connection that cannot be closed in order is cut below", connection.client.destroy())
    // The client takes the socket over with the first request only.
    connection.socket.destroy()
  }

  /** The other side and the client itself end connections that wait too long. */
  function forgetEnded(): void {
    for (const connection of idle.keys()) if (connection.socket.destroyed) idle.delete(connection)
  }

  return {
    take(hop) {
      forgetEnded()
      const wanted = keyOf(hop)
      for (const [connection, key] of idle) {
        if (key !== wanted || !hop.addresses.includes(connection.address)) continue
        idle.delete(connection)
        return connection
      }
      return undefined
    },
    keep(hop, connection) {
      idle.set(connection, keyOf(hop))
      forgetEnded()
      const [oldest] = idle.keys()
      if (idle.size > limits.idleConnections && oldest) drop(oldest)
    },
    drop,
    async close() {
      for (const connection of [...idle.keys()]) drop(connection)
    },
  }
}

function keyOf({ target, proxy }: JudgedHop): string {
  return JSON.stringify([target.url.origin, proxy])
}

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

/** Speaks TLS on a connection; the server must prove to be the host. */
export function secureSocket(socket: Socket, host: string, authorities: readonly string[] = []): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      host,
      // An address is no server name; the certificate is compared with `host` then.
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ["http/1.1"],
      // Said here, so that no variable of the environment can turn it off.
      rejectUnauthorized: true,
      ...(authorities.length > 0 && { ca: [...rootCertificates, ...authorities] }),
    })
    secure.once("secureConnect", () => resolve(secure))
    // Both stay: an error later reaches the user of the connection, and must not end the process.
    secure.on("error", reject)
    secure.on("close", () => reject(Object.assign(new Error("Closed during the handshake"), { code: "ECONNRESET" })))
  })
}

/** The two parts of undici that are used. */
export interface HttpParts {
  readonly Client: typeof Client
  /** Sends a request over a client. */
  readonly request: (this: Client, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
}

/**
 * Loads them at the first request. Not `undici` as a whole: that takes three times as long and puts itself behind Node's
 * own `fetch`.
 */
export async function loadClient(): Promise<HttpParts> {
  const [client, request] = await Promise.all([
    // @ts-expect-error the file has no types of its own
    import("undici/lib/dispatcher/client.js"),
    // @ts-expect-error nor has this one
    import("undici/lib/api/api-request.js"),
  ])
  return { Client: client.default, request: request.default }
}
