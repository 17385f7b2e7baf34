import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { TLSSocket } from "node:tls"
import { destinationText } from "../../address/destination.js"
import { secureSocket } from "../../network/connections.js"
import { answer, carriedHeaders, carryRequest } from "../carry-request.js"
import type { Judgement } from "../judge-destination.js"
import { inTime } from "../reach-destination.js"
import { carriesHeader, type OpenRegistry } from "./private-registry.js"
import type { SandboxAuthority } from "./sandbox-authority.js"

/** What the registry side of the proxy needs from the rest. */
export interface RegistryListenerOptions {
  readonly authority: SandboxAuthority
  readonly signal: AbortSignal
  reach(judgement: Judgement): Promise<Socket>
}

/** Answers commands in the place of private registries and asks these with the header that the user keeps for them. */
export interface RegistryListener {
  /** Serves one connection that was judged; the registries are those at its host and port. */
  serve(client: Duplex, judgement: Judgement, registries: readonly OpenRegistry[]): void
  close(): void
}

/** Makes the registry side of a proxy. */
export function createRegistryListener({ authority, signal, reach }: RegistryListenerOptions): RegistryListener {
  const places = new WeakMap<Duplex, Place>()
  const server = createServer((request, response) => {
    forward(request, response, places.get(request.socket)!)
  })
  server.on("clientError", (_error, client: Duplex) => client.destroy())

  return {
    serve(client, judgement, registries) {
      const { host, port } = judgement
      const authorities = registries.flatMap((registry) => registry.authorities)
      const agent = new PinnedAgent(async () => {
        const socket = await reach(judgement)
        return inTime(socket, signal, () => secureSocket(socket, host, authorities))
      })
      const secure = new TLSSocket(client as Socket, {
        isServer: true,
        secureContext: authority.identityOf(host),
        ALPNProtocols: ["http/1.1"],
      })
      places.set(secure, { authority: destinationText(host, port).replace(/:443$/, ""), registries, agent })
      secure.on("error", () => secure.destroy())
      secure.once("secure", () => server.emit("connection", secure))
      secure.once("close", () => client.destroy())
      client.once("close", () => {
        secure.destroy()
        agent.destroy()
      })
    },
    close: () => void server.close(),
  }
}

/** Where the requests of one connection go. */
interface Place {
  readonly authority: string
  readonly registries: readonly OpenRegistry[]
  readonly agent: Agent
}

/** Connections to the one place that was judged, kept for the next request. A class because that is how Node takes it. */
class PinnedAgent extends Agent {
  readonly #open: () => Promise<Socket>

  constructor(open: () => Promise<Socket>) {
    super({ keepAlive: true, maxSockets: 1, timeout: idleMs })
    this.#open = open
  }

  /** Asked by Node, which does not declare it. */
  createConnection(_options: unknown, done: (error: Error | null, socket?: Duplex) => void): void {
    this.#open().then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    )
  }
}

const idleMs = 60_000

function forward(request: IncomingMessage, response: ServerResponse, place: Place, again = false): void {
  const { method = "GET", url: spelled = "" } = request
  const { authority, agent } = place
  const url = spelled.startsWith("/") ? new URL(`https://${authority}${spelled}`) : undefined
  if (url?.host !== authority) return void answer(response, 400, "Ask for a path of this host")
  const isReading = repeatable.has(method) && onlyReads(request.headers)
  const registry = isReading ? nearestFor(place, method, url.pathname) : undefined
  const outgoing = httpRequest({
    agent,
    method,
    // The path as it was read here, so that the server sees what was compared with the registry's own.
    path: `${url.pathname}${url.search}`,
    headers: { ...carriedHeaders(request), host: authority, ...(registry && Object.fromEntries([registry.header])) },
  })
  // A session that the secret opened is as good as the secret, and would open what it is not given for.
  if (registry) outgoing.prependListener("response", ({ headers }) => delete headers["set-cookie"])
  carryRequest(request, response, outgoing, (error) => {
    // The other side may close a connection that waited at the very moment when it is used again.
    if (outgoing.reusedSocket && !again && isReading) return void forward(request, response, place, true)
    answer(response, 502, `${authority} cannot be reached: ${error.message}`)
  })
}

const repeatable = new Set(["GET", "HEAD"])

/** Of several registries at one host the nearest one answers for a path. */
function nearestFor({ registries }: Place, method: string, pathname: string): OpenRegistry | undefined {
  return registries
    .filter((registry) => carriesHeader(registry, method, pathname))
    .sort((left, right) => right.path.length - left.path.length)[0]
}

/**
 * Whether a GET or HEAD asks for nothing besides what its first line says. Some servers take the method or the path from a
 * header, and only a request that changes something has a body.
 */
function onlyReads(headers: IncomingHttpHeaders): boolean {
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0) return false
  return !Object.keys(headers).some((name) => asksOtherwise.test(name))
}

const asksOtherwise =
  /^x[-_](?:http[-_])?method(?:[-_]override)?$|^x[-_](?:original|rewrite|override|forwarded)[-_](?:ur[il]|path|method)$/
