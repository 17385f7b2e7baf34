import { once } from "node:events"
import { type AddressInfo, createServer, type Server } from "node:net"
import type { Duplex } from "node:stream"
import { ToolError } from "@haft/contract"
import { covers, type Destination } from "../address/destinations.js"
import { isLoopback } from "../address/public-address.js"
import { readGrant } from "../address/read-grant.js"
import { createProxyChoice, type ProxySettings } from "../network/choose-proxy.js"
import { acceptStreams } from "./accept-streams.js"
import type { Machine } from "./bundles/machine.js"
import { type BundleSetting, type ResolvedBundle, resolveBundle } from "./bundles/resolve-bundle.js"
import { createProxy, type DestinationProxy } from "./create-proxy.js"
import type { OnDecision } from "./decision.js"
import { proxyVariables } from "./proxy-variables.js"
import { openRegistry, type PrivateRegistry, registryPlace } from "./registry/private-registry.js"
import { registryVariables } from "./registry/registry-variables.js"
import type { SandboxTrust } from "./registry/sandbox-trust.js"
import { relaySource } from "./relay-source.js"

/** The network of one confined command. */
export interface SandboxNetwork {
  /** The program that carries its connections, to be started inside the sandbox. */
  readonly relay: { readonly node: string; readonly source: string }
  /** Variables that lead programs to it. */
  readonly variables: Readonly<Record<string, string>>
  /** Files that the command must be able to read, at their own paths. */
  readonly files: readonly string[]
  readonly proxy: DestinationProxy
  /** Takes over the connection to the relay. */
  attach(stream: Duplex): void
  /** Listens at a port of this machine instead, for sandboxes without a network of their own. */
  listen(): Promise<ListeningNetwork>
  close(): void
}

/** A network that listens at a port of this machine. */
export interface ListeningNetwork {
  readonly port: number
  readonly variables: Readonly<Record<string, string>>
}

/** What a command may reach. */
export interface NetworkRequest {
  /** `host`, `host:port`, `*.suffix` or `@bundle`. */
  readonly hosts: readonly string[]
  /** Destinations the user named, public or not. */
  readonly netGrants: readonly string[]
  readonly bundle: (name: string) => Promise<ResolvedBundle | undefined>
  readonly ownPorts?: () => readonly number[]
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** The proxies of the user's own configuration. */
  readonly proxy?: ProxySettings
  /** Registries that want a header; they concern a command that may reach them anyway. */
  readonly registries?: {
    readonly known: readonly PrivateRegistry[]
    /** Makes commands trust who answers in the place of a registry, besides whom these files name. */
    readonly trust: (certificates: readonly string[]) => SandboxTrust
  }
  readonly onDecision: OnDecision
}

/** Builds the network of one command; nothing listens before a relay is attached. */
export async function createSandboxNetwork(request: NetworkRequest): Promise<SandboxNetwork> {
  const named = request.netGrants.map(readGrant)
  const destinations: Destination[] = []
  const settings: BundleSetting[] = []
  const certificates: string[] = []
  for (const host of request.hosts) {
    if (!host.startsWith("@")) {
      destinations.push(readGrant(host))
      continue
    }
    const bundle = await request.bundle(host)
    if (!bundle) throw new ToolError("invalid_args", `Cannot grant "${host}": there is no such bundle`)
    if (bundle.ofUser) named.push(...bundle.destinations)
    destinations.push(...bundle.destinations)
    settings.push(...bundle.settings)
    certificates.push(...bundle.certificates)
  }
  const known = request.registries?.known ?? []
  const inReach = known.filter((registry) => {
    const { host, port } = registryPlace(registry)
    return [...destinations, ...named].some((grant) => covers(grant, host, port))
  })
  const open = inReach.map(openRegistry)
  const trust = open.length > 0 ? request.registries!.trust(certificates) : undefined
  // Who gives a header for a host names it, wherever it is.
  named.push(...open.map(({ host, port }) => ({ host, port, below: false })))
  const proxy = createProxy({
    destinations,
    named,
    onDecision: request.onDecision,
    ...(trust && { registries: { open, authority: trust.authority } }),
    chooseProxy: createProxyChoice(request.proxy),
    ...(request.ownPorts && { ownPorts: request.ownPorts }),
    ...(request.resolve && { resolve: request.resolve }),
  })
  const servers: Server[] = []
  const reachesLoopback = named.some(({ host }) => host === "localhost" || isLoopback(host))
  const variablesAt = (address: string) => ({
    ...proxyVariables(address, { reachesLoopback }),
    ...trust?.variables,
    ...registryVariables(settings, open),
  })
  return {
    relay: { node: process.execPath, source: relaySource },
    variables: variablesAt(`127.0.0.1:${relayPort}`),
    files: trust ? [trust.file] : [],
    proxy,
    attach: (stream) => acceptStreams(stream, proxy.serve),
    async listen() {
      const server = createServer({ allowHalfOpen: true }, proxy.serve)
      servers.push(server)
      await once(server.listen(0, "127.0.0.1"), "listening")
      const { port } = server.address() as AddressInfo
      return { port, variables: variablesAt(`127.0.0.1:${port}`) }
    },
    close() {
      for (const server of servers) server.close()
      proxy.close()
      trust?.end()
    },
  }
}

/** Where the relay listens, inside a network of its own. */
const relayPort = 3128

/** Bundles of a session: asked once, because package managers take their time to answer. */
export function createBundles(machine: Machine): NetworkRequest["bundle"] {
  const asked = new Map<string, Promise<ResolvedBundle | undefined>>()
  return (name) => {
    const known = asked.get(name)
    if (known) return known
    const answer = resolveBundle(name, machine)
    asked.set(name, answer)
    return answer
  }
}
