import type { Server } from "node:http"
import { isIP, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { hostName } from "../address/destination.js"
import { maxHello, readClientHello } from "./client-hello.js"
import type { OnDecision } from "./decision.js"
import { createHttpListener } from "./http-listener.js"
import { type Carriage, type Judgement, judgeDestination, type Reach } from "./judge-destination.js"
import { reachDestination } from "./reach-destination.js"
import type { OpenRegistry } from "./registry/private-registry.js"
import { createRegistryListener, type RegistryListener } from "./registry/registry-listener.js"
import type { SandboxAuthority } from "./registry/sandbox-authority.js"
import { answerSocks, endSocks, readSocksRequest, socksReply } from "./socks-listener.js"

/** What a proxy lets through, and what is called for each decision. */
export interface ProxyOptions extends Reach {
  readonly onDecision: OnDecision
  /** Registries that are asked with a header of the user, and the authority that lets commands accept this. */
  readonly registries?: { readonly open: readonly OpenRegistry[]; readonly authority: SandboxAuthority }
}

/** The proxy of one command, for HTTP, HTTPS and SOCKS5: outside the sandbox, with no port of its own. */
export class DestinationProxy {
  private readonly clients = new Set<Duplex>()
  private readonly ending = new AbortController()
  private readonly http: Server
  private readonly registryListener: RegistryListener | undefined

  constructor(private readonly options: ProxyOptions) {
    this.http = createHttpListener({
      judge: (host, port, carriage) => this.judge(host, port, carriage),
      open: (client, judgement, established) => this.open(client, judgement, established),
      reach: (judgement) => this.reach(judgement, "request"),
    })
    this.registryListener =
      options.registries &&
      createRegistryListener({
        authority: options.registries.authority,
        signal: this.ending.signal,
        reach: (judgement) => this.reach(judgement, "stream"),
      })
  }

  /** Serves one connection of a client. */
  serve(client: Duplex): void {
    this.clients.add(client)
    client.on("error", () => client.destroy())
    client.once("close", () => this.clients.delete(client))
    client.once("readable", () => {
      const first: Buffer | null = client.read(1)
      // A client that only looks whether a port is open ends without a word.
      if (first === null) return void client.end()
      client.unshift(first)
      if (first[0] === 5) this.serveSocks(client).catch(() => client.destroy())
      else this.http.emit("connection", client)
    })
  }

  /** Ends every connection. */
  close(): void {
    this.ending.abort()
    for (const client of this.clients) client.destroy()
    this.http.close()
    this.registryListener?.close()
  }

  private async serveSocks(client: Duplex): Promise<void> {
    const request = await readSocksRequest(client)
    if (!request) return
    const judgement = await this.judge(request.host, request.port, "stream")
    if (!judgement.allowed) return endSocks(client, socksReply.refused)
    try {
      await this.open(client, judgement, () => answerSocks(client, socksReply.granted))
    } catch {
      endSocks(client, socksReply.failed)
    }
  }

  private async judge(host: string, port: number, carriage: Carriage): Promise<Judgement> {
    const judgement = await judgeDestination(host, port, this.options, carriage)
    this.report(judgement)
    return judgement
  }

  private report({ host, port, allowed, reason, fix }: Judgement): void {
    this.options.onDecision({ host, port, allowed, reason, ...(fix !== undefined && { fix }) })
  }

  private reach(judgement: Judgement, carriage: Carriage): Promise<Socket> {
    const { signal } = this.ending
    return reachDestination(judgement, { carriage, signal, allowHalfOpen: carriage === "stream" })
  }

  private async open(client: Duplex, judgement: Judgement, established: () => void): Promise<void> {
    const registries = (this.options.registries?.open ?? []).filter((one) => isAt(one, judgement))
    if (this.registryListener && registries.length > 0) {
      established()
      return this.registryListener.serve(client, judgement, registries)
    }
    const server = await this.reach(judgement, "stream")
    if (client.destroyed) return void server.destroy()
    established()
    const onRefused = (reason: string) => this.report({ ...judgement, allowed: false, reason })
    tunnel(client, server, { host: judgement.host, onRefused })
  }
}

function isAt(registry: OpenRegistry, { host, port }: Judgement): boolean {
  return registry.host === host && registry.port === port
}

/**
 * Joins a client and the server it asked for. A TLS client must ask that server for the same name: otherwise a large host
 * that serves many names would let it reach all of them.
 */
function tunnel(client: Duplex, server: Duplex, options: { host: string; onRefused: (reason: string) => void }): void {
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
  // Reading the request has paused the client.
  client.resume()
}

/** An address has no name to ask for; clients then send none, or the address. */
function isFor(name: string | undefined, host: string): boolean {
  if (name === undefined) return isIP(host) !== 0
  return hostName(name) === host
}
