import { pathToFileURL } from "node:url"
import { bestEffort, ToolError } from "@haft/contract"
import { type CallToolResult, Client, type ElicitResult, type Tool } from "@modelcontextprotocol/client"
import * as z from "zod"
import type { ToolText } from "../entry/pin.js"
import type { ServerEntry } from "../entry/server-entry.js"
import { type ListedTool, toolTexts } from "../tool/tool-texts.js"
import { unlessAborted } from "../unless-aborted.js"
import { explainFailure } from "./failure.js"
import type { ConnectionPorts, OpenRequest } from "./open-request.js"
import { SchemaChecks } from "./schema-checks.js"
import { reach, type Way } from "./way.js"

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
    const listed: ListedTool[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages && this.hasTools; pages += 1) {
      const params = cursor === undefined ? {} : { cursor }
      const options = { signal, timeout: this.entry.startTimeoutMs }
      const page = await this.ask(() => this.client.request({ method: "tools/list", params }, toolPage, options))
      listed.push(...(page.tools as unknown as ListedTool[]))
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    const { texts, problems } = toolTexts(this.entry.name, listed)
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
