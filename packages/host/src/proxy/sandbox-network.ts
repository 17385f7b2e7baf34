import { once } from "node:events"
import { type AddressInfo, createServer, type Server } from "node:net"
import type { Duplex } from "node:stream"
import { ToolError } from "@haft/contract"
import { covers, type Destination, readGrant } from "../address/destination.js"
import { isLoopback } from "../address/public-address.js"
import { createProxyChoice, type ProxySettings } from "../network/choose-proxy.js"
import { acceptStreams } from "./accept-streams.js"
import type { Machine } from "./bundles/machine.js"
import { type BundleSetting, type ResolvedBundle, resolveBundle } from "./bundles/resolve-bundle.js"
import { DestinationProxy } from "./create-proxy.js"
import type { OnDecision } from "./decision.js"
import { type OpenRegistry, openRegistry, type PrivateRegistry, registryPlace } from "./registry/private-registry.js"
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
  const reach = await readReach(request)
  const { destinations, named, settings, open } = reach
  const trust = open.length > 0 ? request.registries!.trust(reach.certificates) : undefined
  const proxy = new DestinationProxy({
    destinations,
    named,
    onDecision: request.onDecision,
    ...(trust && { registries: { open, authority: trust.authority } }),
    chooseProxy: createProxyChoice(request.proxy),
    ...(request.ownPorts && { ownPorts: request.ownPorts }),
    ...(request.resolve && { resolve: request.resolve }),
  })
  const serve = (client: Duplex) => proxy.serve(client)
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
    attach: (stream) => acceptStreams(stream, serve),
    async listen() {
      const server = createServer({ allowHalfOpen: true }, serve)
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

/** Reads what a command may reach: hosts, bundles, and the registries among them that want a header. */
async function readReach(request: NetworkRequest) {
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
  const inReach = (request.registries?.known ?? []).filter((registry) => {
    const { host, port } = registryPlace(registry)
    return [...destinations, ...named].some((grant) => covers(grant, host, port))
  })
  const open = inReach.map(openRegistry)
  // A user who gives a header for a host names it, wherever it is.
  named.push(...open.map(({ host, port }) => ({ host, port, below: false })))
  return { destinations, named, settings, certificates, open }
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

/**
 * Variables that tell package managers of private registries what the user's own settings say. Those settings are not
 * inside the sandbox, because they are where people keep secrets.
 */
function registryVariables(
  settings: readonly BundleSetting[],
  registries: readonly OpenRegistry[],
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const { variable, address, destination, besides } of settings) {
    const isPrivate = registries.some(({ host, port }) => destination.host === host && destination.port === port)
    if (!isPrivate) continue
    const before = variables[variable]
    // Where a variable takes several addresses, they stand side by side.
    variables[variable] = before === undefined ? address : `${before} ${address}`
    Object.assign(variables, besides)
  }
  return variables
}

/** Variables that make programs use the proxy at this address; both spellings, because each program knows only one. */
function proxyVariables(
  address: string,
  { reachesLoopback }: { readonly reachesLoopback: boolean },
): Readonly<Record<string, string>> {
  const http = `http://${address}`
  // Servers that a command starts itself are at its own 127.0.0.1; a granted one of the host is behind the proxy.
  const direct = reachesLoopback ? "" : "localhost,127.0.0.1,::1"
  return {
    HTTP_PROXY: http,
    HTTPS_PROXY: http,
    ALL_PROXY: `socks5h://${address}`,
    NO_PROXY: direct,
    http_proxy: http,
    https_proxy: http,
    all_proxy: `socks5h://${address}`,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: "1",
    npm_config_proxy: http,
    npm_config_https_proxy: http,
    npm_config_noproxy: direct,
    PIP_PROXY: http,
    CARGO_HTTP_PROXY: http,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.proxy",
    GIT_CONFIG_VALUE_0: http,
  }
}
