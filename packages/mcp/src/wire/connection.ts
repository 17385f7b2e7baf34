import { pathToFileURL } from "node:url"
import { bestEffort, type Network, type RunningServer, ToolError } from "@haft/contract"
import {
  type CallToolResult,
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client"
import * as z from "zod"
import type { ToolText } from "../entry/pin.js"
import { type AddressEntry, fillIn, type ProgramEntry, type ServerEntry } from "../entry/server-entry.js"
import { type ToldTool, toolTexts } from "../tool/tool-texts.js"
import { explainFailure, isClosed } from "./failure.js"
import { HttpFetch } from "./http-fetch.js"
import type { ConnectionPorts, OpenRequest } from "./open-request.js"
import { SchemaChecks } from "./schema-checks.js"
import { SignIn } from "./sign-in.js"
import { StdioTransport } from "./stdio-transport.js"

// A list that never ends would be asked for for ever.
const maxPages = 64

const toolPage = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  nextCursor: z.string().optional(),
})

/** One open connection to a server of either era. */
export class Connection {
  /** The tools as the server tells them now, and those of them that cannot be used. */
  tools: readonly ToolText[] = []
  problems: readonly string[] = []
  readonly checks: SchemaChecks
  private readonly entry: ServerEntry
  private readonly client: Client
  private readonly way: Way

  private constructor(entry: ServerEntry, parts: { client: Client; way: Way; checks: SchemaChecks }) {
    this.entry = entry
    this.client = parts.client
    this.way = parts.way
    this.checks = parts.checks
  }

  /** Connects and asks for the tools, within the time of the entry. Nothing of it is left when this fails. */
  static async open(request: OpenRequest): Promise<Connection> {
    const { entry, era } = request
    const timer = AbortSignal.timeout(entry.startTimeoutMs)
    const signal = AbortSignal.any([request.signal, timer])
    const eras = era === "legacy" || entry.kind === "http" ? [era] : [era, "legacy" as const]
    for (const [attempt, asked] of eras.entries()) {
      const way = await reach({ ...request, signal })
      try {
        return await greet({ ...request, signal, era: asked }, way)
      } catch (error) {
        const reason = await way.failure(error)
        await way.close()
        request.signal.throwIfAborted()
        if (timer.aborted) throw late(entry, way)
        // A program that ends at a question that it does not know is an old one: it is asked in the old way.
        const isEnded = reason !== undefined && reason.code === "backend" && way.hasLeft()
        if (isEnded && attempt + 1 < eras.length) continue
        throw reason ?? explainFailure(entry.name, error)
      }
    }
    throw new ToolError("internal", "Cannot reach the end of a list of eras")
  }

  /** @internal */
  static of(entry: ServerEntry, parts: { client: Client; way: Way; checks: SchemaChecks }): Connection {
    return new Connection(entry, parts)
  }

  get era(): "legacy" | "modern" {
    return this.client.getProtocolEra() ?? "legacy"
  }

  get protocolVersion(): string {
    return this.client.getNegotiatedProtocolVersion() ?? "unknown"
  }

  get serverName(): string {
    const { name = this.entry.name, version = "" } = this.client.getServerVersion() ?? {}
    return `${name} ${version}`.trim().slice(0, 80)
  }

  private get hasTools(): boolean {
    return this.client.getServerCapabilities()?.tools !== undefined
  }

  get hasResources(): boolean {
    return this.client.getServerCapabilities()?.resources !== undefined
  }

  get hasPrompts(): boolean {
    return this.client.getServerCapabilities()?.prompts !== undefined
  }

  /** Hosts besides its own that were asked, for instance to sign in. */
  get otherHosts(): readonly string[] {
    return this.way.otherHosts()
  }

  /** Settles when the connection is gone, with the reason where nobody asked for it. */
  get gone(): Promise<ToolError | undefined> {
    return this.way.gone
  }

  /** The last that a program wrote to standard error. */
  get errors(): string {
    return this.way.errors()
  }

  /** Lets requests go through the network of this call. */
  use({ network }: ConnectionPorts): void {
    if (network) this.way.use(network)
  }

  /** Asks for the tools again. One that the protocol does not allow is left out; the others can be used all the same. */
  async refreshTools(signal: AbortSignal): Promise<void> {
    const told: ToldTool[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages && this.hasTools; pages += 1) {
      const params = cursor === undefined ? {} : { cursor }
      const options = { signal, timeout: this.entry.startTimeoutMs }
      const page = await this.ask(() => this.client.request({ method: "tools/list", params }, toolPage, options))
      told.push(...(page.tools as unknown as ToldTool[]))
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    const { texts, problems } = toolTexts(this.entry.name, told)
    this.tools = texts
    this.problems =
      cursor === undefined ? problems : [...problems, `only the first ${maxPages} pages of its tools are taken`]
  }

  call(tool: ToolText, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult> {
    const { name, inputSchema, outputSchema } = tool
    const toolDefinition = { name, inputSchema, ...(outputSchema && { outputSchema }) } as Tool
    const asked = { ...requestOptions(options), toolDefinition }
    return this.ask(() => this.client.callTool({ name, arguments: { ...args } }, asked))
  }

  /** The resources, templates of resources, and prompts of the server. */
  async offers(options: CallOptions) {
    const asked = requestOptions(options)
    const { resources } = this.hasResources
      ? await this.ask(() => this.client.listResources({}, asked))
      : { resources: [] }
    const { resourceTemplates } = this.hasResources
      ? await this.ask(() => this.client.listResourceTemplates({}, asked)).catch(() => ({ resourceTemplates: [] }))
      : { resourceTemplates: [] }
    const { prompts } = this.hasPrompts ? await this.ask(() => this.client.listPrompts({}, asked)) : { prompts: [] }
    return { resources, templates: resourceTemplates, prompts }
  }

  async readResource(uri: string, options: CallOptions) {
    return (await this.ask(() => this.client.readResource({ uri }, requestOptions(options)))).contents
  }

  async prompt(name: string, args: Readonly<Record<string, string>>, options: CallOptions) {
    return this.ask(() => this.client.getPrompt({ name, arguments: { ...args } }, requestOptions(options)))
  }

  async close(): Promise<void> {
    await bestEffort("the way to the server is closed in any case", this.client.close())
    await this.way.close()
  }

  private async ask<Result>(request: () => Promise<Result>): Promise<Result> {
    try {
      return await request()
    } catch (error) {
      throw (await this.way.failure(error)) ?? explainFailure(this.entry.name, error)
    }
  }
}

/** How one request is made. */
export interface CallOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (message: string) => void
}

// The clock of the call ends it: a timer of the client would run on while a person answers a question.
const noTimeout = 2 ** 31 - 1

function requestOptions({ signal, onProgress }: CallOptions) {
  return {
    signal,
    timeout: noTimeout,
    ...(onProgress && {
      onprogress: ({ progress, total, message }: { progress: number; total?: number; message?: string }) =>
        onProgress(message ?? (total === undefined ? `${progress}` : `${progress}/${total}`)),
    }),
  }
}

async function greet(request: OpenRequest, way: Way): Promise<Connection> {
  const { entry, roots, hasPerson, signal, era } = request
  const checks = new SchemaChecks()
  const showsRoots = entry.kind === "stdio" && entry.workspace !== "none"
  const client = new Client(
    { name: "haft", version: "0.1.0" },
    {
      capabilities: { ...(hasPerson && { elicitation: { form: {}, url: {} } }), ...(showsRoots && { roots: {} }) },
      jsonSchemaValidator: checks,
      versionNegotiation: { mode: "auto", probe: { timeoutMs: Math.min(5000, entry.startTimeoutMs / 3) } },
      listChanged: { tools: { autoRefresh: false, onChanged: () => request.onToolsChanged() } },
      listMaxPages: maxPages,
    },
  )
  if (hasPerson)
    client.setRequestHandler(
      "elicitation/create",
      ({ params }) => request.onElicit(params as never) as Promise<ElicitResult>,
    )
  if (showsRoots) {
    client.setRequestHandler("roots/list", () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }))
  }
  const timeout = entry.startTimeoutMs
  await way.connect((transport) =>
    unlessAborted(
      client.connect(transport, { signal, timeout, ...(era === "legacy" && { prior: { kind: "legacy" as const } }) }),
      signal,
    ),
  )
  const connection = Connection.of(entry, { client, way, checks })
  await unlessAborted(connection.refreshTools(signal), signal)
  return connection
}

/** Rejects when the signal aborts, also where the work does not listen to it. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener("abort", stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}

/** The way to a server: a program, or an address. */
interface Way {
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

function reach(request: OpenRequest): Promise<Way> {
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
  const data = `mcp-${entry.name}`
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
    return reason
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

async function openAddress(entry: AddressEntry, request: OpenRequest): Promise<Way> {
  const { network } = request.ports
  if (!network) throw new ToolError("internal", "Cannot reach an MCP server: the call has no network")
  const fill = (text: string) => fillIn(entry.name, text, request.variables)
  const url = new URL(fill(entry.url))
  const headers = Object.fromEntries(Object.entries(entry.headers).map(([name, text]) => [name, fill(text)]))
  const http = new HttpFetch(entry.name, network)
  const signIn = new SignIn({ ...entry, url: url.href }, request.signIns, request.browser)
  const transportOf = () =>
    new StreamableHTTPClientTransport(url, {
      fetch: http.fetch,
      requestInit: { headers },
      // A header of the user's own is the whole authorization: no other way in is tried then.
      ...(!hasAuthorization(headers) && { authProvider: signIn }),
    })
  let settle: (reason: ToolError | undefined) => void = () => undefined
  const gone = new Promise<ToolError | undefined>((resolve) => {
    settle = resolve
  })
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
    failure: async () => undefined,
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

function late({ name, startTimeoutMs }: ServerEntry, way: Way): ToolError {
  const words = way.errors().trim().split("\n").at(-1)?.slice(0, 200)
  const said = words ? `; the last that it wrote to standard error: "${words}"` : ""
  return new ToolError(
    "timeout",
    `Cannot use the MCP server "${name}": it did not answer within ${startTimeoutMs} ms of its start${said}`,
    {
      hint: "Go on without this server",
      fix: `Look at it with: haft mcp test ${name}; give a slow one more time with "startTimeoutMs" in its entry`,
    },
  )
}
