import { hash } from "node:crypto"
import { type Network, type RunningServer, ToolError } from "@haft/contract"
import type { Transport } from "@modelcontextprotocol/client"
import { type AddressEntry, fillIn, type ProgramEntry } from "../entry/server-entry.js"
import { isClosed } from "./failure.js"
import { HttpFetch } from "./http-fetch.js"
import { HttpTransport } from "./http-transport.js"
import type { OpenRequest } from "./open-request.js"
import { SignIn } from "./sign-in.js"
import { StdioTransport } from "./stdio-transport.js"

/** The way to a server: a program, or an address. */
export interface Way {
  connect(work: (transport: Transport) => Promise<void>): Promise<void>
  readonly gone: Promise<ToolError | undefined>
  /** Why it is gone, where this error comes from that: waits a moment for a program that is just ending. */
  failure(error: unknown): Promise<ToolError | undefined>
  /** Whether it is a program that went away and had not to be ended. */
  hasLeft(): boolean
  errors(): string
  otherHosts(): readonly string[]
  use(network: Network): void
  close(): Promise<void>
}

/** Starts a program, or prepares what an address needs. */
export function reach(request: OpenRequest): Promise<Way> {
  const { entry } = request
  return entry.kind === "stdio" ? startProgram(entry, request) : openAddress(entry, request)
}

const lastWordsMs = 500

function lastWords(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), lastWordsMs).unref())
}

async function startProgram(entry: ProgramEntry, request: OpenRequest): Promise<Way> {
  const { servers } = request.ports
  if (!servers) throw new ToolError("internal", "Cannot start an MCP server: the call has no port for servers")
  const data = dataName(entry)
  const variables = { ...request.variables, HAFT_DATA: await servers.dataFolder(data) }
  const fill = (text: string) => fillIn(entry.name, text, variables)
  const server: RunningServer = await servers.start({
    name: `MCP server "${entry.name}"`,
    argv: [entry.command, ...entry.args].map(fill),
    environment: Object.fromEntries(Object.entries(entry.env).map(([name, text]) => [name, fill(text)])),
    ...{ workspace: entry.workspace, hosts: entry.net, readable: entry.readable, data, signal: request.signal },
  })
  const transport = new StdioTransport(entry.name, server)
  let isOver = false
  const gone = server.gone.then((reason) => {
    isOver = true
    return reason && (reason.hint === undefined ? new ToolError(reason.code, reason.message, fallen) : reason)
  })
  return {
    connect: (work) => work(transport),
    gone,
    failure: (error) => (isOver || isClosed(error) ? Promise.race([gone, lastWords()]) : Promise.resolve(undefined)),
    hasLeft: () => isOver && transport.failure === undefined,
    errors: () => server.errors(),
    otherHosts: () => [],
    use: () => undefined,
    close: () => server.end(),
  }
}

/** Two folders may call different servers by one name: neither finds the data of the other. */
function dataName({ name, folder }: ProgramEntry): string {
  return folder === undefined ? `mcp-${name}` : `mcp-${name}-${hash("sha256", folder).slice(0, 12)}`
}

const fallen = { hint: "Try again in some seconds, or go on without it" }

async function openAddress(entry: AddressEntry, request: OpenRequest): Promise<Way> {
  const { network } = request.ports
  if (!network) throw new ToolError("internal", "Cannot reach an MCP server: the call has no network")
  const fill = (text: string) => fillIn(entry.name, text, request.variables)
  const url = new URL(fill(entry.url))
  const headers = Object.fromEntries(Object.entries(entry.headers).map(([name, text]) => [name, fill(text)]))
  const http = new HttpFetch(entry.name, network)
  const signIn = new SignIn({ ...entry, url: url.href }, request.signIns, request.browser)
  const transportOf = () =>
    new HttpTransport(entry.name, url, {
      fetch: http.fetch,
      requestInit: { headers },
      // A header of the user's own is the whole authorization: no other way in is tried then.
      ...(!hasAuthorization(headers) && { authProvider: signIn }),
    })
  let settle: (reason: ToolError | undefined) => void = () => undefined
  const gone = new Promise<ToolError | undefined>((resolve) => {
    settle = resolve
  })
  let lost: ToolError | undefined
  http.onSessionLost = () => {
    lost = new ToolError("unavailable", `Cannot use the MCP server "${entry.name}": it has ended the session`, {
      hint: "Try again in some seconds, or go on without it",
    })
    settle(lost)
  }
  const own = `${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`
  return {
    async connect(work) {
      const first = transportOf()
      try {
        await work(first)
      } catch (error) {
        if (signIn.answer === undefined) throw error
        await first.finishAuth(signIn.answer)
        await work(transportOf())
      }
    },
    gone,
    failure: async () => lost,
    hasLeft: () => false,
    errors: () => "",
    otherHosts: () => [...http.visited].filter((host) => host !== own),
    use: (newest) => {
      http.network = newest
    },
    async close() {
      http.close()
      settle(undefined)
    },
  }
}

function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
}
