import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { OnDecision } from "./decision.js"
import { createHttpFace } from "./http-face.js"
import { type Carriage, type Judgement, judgeDestination, type Reach } from "./judge-destination.js"
import { reachDestination } from "./reach-destination.js"
import type { OpenRegistry } from "./registry/private-registry.js"
import { createRegistryFace } from "./registry/registry-face.js"
import type { WallAuthority } from "./registry/wall-authority.js"
import { answerSocks, endSocks, readSocksRequest, socksReply } from "./socks-face.js"
import { tunnel } from "./tunnel.js"

/** What a proxy lets through and whom it tells. */
export interface ProxyOptions extends Reach {
  readonly onDecision: OnDecision
  /** Registries that are asked with a header of the user, and the authority that lets commands accept this. */
  readonly registries?: { readonly open: readonly OpenRegistry[]; readonly authority: WallAuthority }
}

/** A proxy for HTTP, HTTPS and SOCKS5 on the connections it is given. */
export interface DestinationProxy {
  /** Serves one connection of a client. */
  serve(client: Duplex): void
  /** Ends every connection. */
  close(): void
}

/** Makes the proxy of one command: outside the wall, with nothing of its own that listens. */
export function createProxy(options: ProxyOptions): DestinationProxy {
  const clients = new Set<Duplex>()
  const ending = new AbortController()
  const http = createHttpFace({ judge, open, reach: (judgement) => reach(judgement, "request") })

  const face =
    options.registries &&
    createRegistryFace({
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
    if (face && registries.length > 0) {
      established()
      return face.serve(client, judgement, registries)
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
      face?.close()
    },
  }
}

function isAt(registry: OpenRegistry, { host, port }: Judgement): boolean {
  return registry.host === host && registry.port === port
}
