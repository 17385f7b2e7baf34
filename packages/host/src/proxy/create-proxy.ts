import { isIP, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { hostName } from "../address/host-name.js"
import { type ByteReader, readBytes } from "./byte-reader.js"
import { maxHello, readClientHello } from "./client-hello.js"
import type { OnDecision } from "./decision.js"
import { createHttpListener } from "./http-listener.js"
import { type Carriage, type Judgement, judgeDestination, type Reach } from "./judge-destination.js"
import { reachDestination } from "./reach-destination.js"
import type { OpenRegistry } from "./registry/private-registry.js"
import { createRegistryListener } from "./registry/registry-listener.js"
import type { SandboxAuthority } from "./registry/sandbox-authority.js"

/** What a proxy lets through and whom it tells. */
export interface ProxyOptions extends Reach {
  readonly onDecision: OnDecision
  /** Registries that are asked with a header of the user, and the authority that lets commands accept this. */
  readonly registries?: { readonly open: readonly OpenRegistry[]; readonly authority: SandboxAuthority }
}

/** A proxy for HTTP, HTTPS and SOCKS5 on the connections it is given. */
export interface DestinationProxy {
  /** Serves one connection of a client. */
  serve(client: Duplex): void
  /** Ends every connection. */
  close(): void
}

/** Makes the proxy of one command: outside the sandbox, with nothing of its own that listens. */
export function createProxy(options: ProxyOptions): DestinationProxy {
  const clients = new Set<Duplex>()
  const ending = new AbortController()
  const http = createHttpListener({ judge, open, reach: (judgement) => reach(judgement, "request") })

  const listener =
    options.registries &&
    createRegistryListener({
      authority: options.registries.authority,
      signal: ending.signal,
      reach: (judgement) => reach(judgement, "stream"),
    })

  async function judge(host: string, port: number, carriage: Carriage): Promise<Judgement> {
    const judgement = await judgeDestination(host, port, options, carriage)
    tell(judgement)
    return judgement
  }

  function tell({ host, port, allowed, reason, fix }: Judgement): void {
    options.onDecision({ host, port, allowed, reason, ...(fix !== undefined && { fix }) })
  }

  function reach(judgement: Judgement, carriage: Carriage): Promise<Socket> {
    return reachDestination(judgement, { carriage, signal: ending.signal, allowHalfOpen: carriage === "stream" })
  }

  async function open(client: Duplex, judgement: Judgement, established: () => void): Promise<void> {
    const registries = (options.registries?.open ?? []).filter((one) => isAt(one, judgement))
    if (listener && registries.length > 0) {
      established()
      return listener.serve(client, judgement, registries)
    }
    const server = await reach(judgement, "stream")
    if (client.destroyed) return void server.destroy()
    established()
    const onRefused = (reason: string) => tell({ ...judgement, allowed: false, reason })
    tunnel(client, server, { host: judgement.host, onRefused })
  }

  async function serveSocks(client: Duplex): Promise<void> {
    const request = await readSocksRequest(client)
    if (!request) return
    const judgement = await judge(request.host, request.port, "stream")
    if (!judgement.allowed) return endSocks(client, socksReply.refused)
    try {
      await open(client, judgement, () => answerSocks(client, socksReply.granted))
    } catch {
      endSocks(client, socksReply.failed)
    }
  }

  return {
    serve(client) {
      clients.add(client)
      client.on("error", () => client.destroy())
      client.once("close", () => clients.delete(client))
      client.once("readable", () => {
        const first: Buffer | null = client.read(1)
        // It ended and had nothing to say, as whoever looks whether a port is open does.
        if (first === null) return void client.end()
        client.unshift(first)
        if (first[0] === 5) serveSocks(client).catch(() => client.destroy())
        else http.emit("connection", client)
      })
    },
    close() {
      ending.abort()
      for (const client of clients) client.destroy()
      http.close()
      listener?.close()
    },
  }
}

function isAt(registry: OpenRegistry, { host, port }: Judgement): boolean {
  return registry.host === host && registry.port === port
}

/** What a SOCKS5 client wants to reach. */
interface SocksRequest {
  readonly host: string
  readonly port: number
}

/** The answers of RFC 1928 that are used here. */
const socksReply = { granted: 0, failed: 1, refused: 2, unsupported: 7, addressUnsupported: 8 } as const

/** Reads the greeting and the request of a SOCKS5 client; undefined when it is none, or asks for something else. */
async function readSocksRequest(client: Duplex): Promise<SocksRequest | undefined> {
  const reader = readBytes(client)
  try {
    return await readRequest(client, reader)
  } finally {
    reader.giveBack()
  }
}

async function readRequest(client: Duplex, reader: ByteReader): Promise<SocksRequest | undefined> {
  const greeting = await reader.take(2)
  const methods = await reader.take(greeting[1]!)
  if (!methods.includes(0)) return void client.end(Buffer.from([5, 0xff]))
  client.write(Buffer.from([5, 0]))
  const [version, command, , kind] = await reader.take(4)
  if (version !== 5 || command !== 1) return void endSocks(client, socksReply.unsupported)
  const host = await readHost(reader, kind!)
  if (host === undefined) return void endSocks(client, socksReply.addressUnsupported)
  return { host, port: (await reader.take(2)).readUInt16BE(0) }
}

/** Tells the client how its request ended. */
function answerSocks(client: Duplex, reply: number): void {
  client.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]))
}

/** Tells the client that it gets nothing, and closes. */
function endSocks(client: Duplex, reply: number): void {
  answerSocks(client, reply)
  client.end()
}

async function readHost(reader: ByteReader, kind: number): Promise<string | undefined> {
  if (kind === 1) return (await reader.take(4)).join(".")
  if (kind === 3) return (await reader.take((await reader.take(1))[0]!)).toString("latin1")
  if (kind !== 4) return undefined
  const bytes = await reader.take(16)
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":")
}

/** What becomes of a tunnel: a reason when it was refused. */
type TunnelEnd = (reason: string) => void

/**
 * Joins a client and the server it asked for. A TLS client must ask that server for the same name: otherwise a large host
 * that serves many names would let it reach all of them.
 */
function tunnel(client: Duplex, server: Duplex, options: { host: string; onRefused: TunnelEnd }): void {
  let held = Buffer.alloc(0)
  const stop = () => {
    client.destroy()
    server.destroy()
  }
  client.on("error", stop)
  server.on("error", stop)
  client.on("close", () => {
    // After a proper end the pipe has ended the server too, which may still have something to send out.
    if (!client.readableEnded) server.destroy()
  })
  server.on("close", () => client.destroy())
  server.pipe(client)

  const join = () => {
    client.off("data", look)
    client.off("end", join)
    server.write(held)
    client.pipe(server)
  }
  const look = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    const greeting = readClientHello(held)
    if (greeting.kind === "incomplete" && held.length <= maxHello) return
    if (greeting.kind === "hello" && !isFor(greeting.name, options.host)) {
      options.onRefused(`the TLS client asks for ${greeting.name ?? "no name"} instead of ${options.host}`)
      return stop()
    }
    join()
  }
  // The client may have said all it had to say while its destination was being judged.
  if (client.readableEnded) return void server.end()
  client.on("data", look)
  client.once("end", join)
  // Whoever read the request has stopped the client.
  client.resume()
}

/** An address has no name to ask for; clients then send none, or the address. */
function isFor(name: string | undefined, host: string): boolean {
  if (name === undefined) return isIP(host) !== 0
  return hostName(name) === host
}
