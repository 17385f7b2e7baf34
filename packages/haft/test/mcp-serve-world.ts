import { type ChildProcessWithoutNullStreams, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as FormerStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as FormerHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { type SourceCommand, startCommand } from "./source-command.js"
import type { Workbench } from "./workbench.js"

/** The official clients: that of 2026 in both of its modes, and the one before it. */
export const clientKinds = ["2.4 of 2026", "2.4 of 2025", "1.x"] as const
export type ClientKind = (typeof clientKinds)[number]

/** Answers a form of the server, and keeps what it asked. */
export type Answers = (params: { readonly message: string; readonly requestedSchema?: unknown }) => ElicitResult

/** A connected client, whichever it is. */
export type AnyClient = Pick<Client, "listTools" | "callTool" | "readResource" | "listResources" | "close">

interface ConnectOptions {
  readonly kind: ClientKind
  readonly answers?: Answers
  readonly capabilities?: Record<string, unknown>
}

/** Starts `haft mcp` with these words and connects to it. */
export async function connectStdio(
  { program }: SourceCommand,
  bench: Workbench,
  { words = [], ...options }: ConnectOptions & { readonly words?: readonly string[] },
): Promise<{ readonly client: AnyClient; readonly pid: number }> {
  const how = {
    command: process.execPath,
    args: [program, "mcp", ...words],
    cwd: bench.work,
    env: { PATH: process.env.PATH ?? "", ...bench.env },
    stderr: "ignore" as const,
  }
  if (options.kind === "1.x") {
    const transport = new FormerStdio(how)
    return { client: await formerClient(options, transport), pid: transport.pid! }
  }
  const transport = new StdioClientTransport(how)
  return { client: await newClient(options, transport), pid: transport.pid! }
}

/** A server over HTTP that runs. */
export interface Listening {
  readonly url: string
  readonly token: string
  readonly process: ChildProcessWithoutNullStreams
  /** Ends it as Ctrl-C does, and resolves with its exit code. */
  stop(): Promise<number | null>
}

/** Starts `haft mcp --http` on a free port. */
export async function listen(
  command: SourceCommand,
  bench: Workbench,
  words: readonly string[] = [],
): Promise<Listening> {
  const child = startCommand(command, bench, ["mcp", "--http", "0", "--json", ...words])
  let errors = ""
  child.stderr.on("data", (piece) => (errors += String(piece)))
  const lines = createInterface(child.stdout)
  const [line] = (await Promise.race([once(lines, "line"), once(child, "close").then(() => [errors])])) as [string]
  const { url, token } = JSON.parse(line) as { url: string; token: string }
  const ended = once(child, "close") as Promise<[number | null]>
  return {
    url,
    token,
    process: child,
    async stop() {
      child.kill("SIGINT")
      const [code] = await ended
      return code
    },
  }
}

/** Connects to a server over HTTP. */
export async function connectHttp(
  { url, token }: Pick<Listening, "url" | "token">,
  options: ConnectOptions,
): Promise<AnyClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  return options.kind === "1.x"
    ? formerClient(options, new FormerHttp(new URL(url), { requestInit }))
    : newClient(options, new StreamableHTTPClientTransport(new URL(url), { requestInit }))
}

async function newClient(
  { kind, answers, capabilities = {} }: ConnectOptions,
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<AnyClient> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: { ...capabilities, ...(answers && { elicitation: { form: {} } }) },
      versionNegotiation: { mode: kind === "2.4 of 2026" ? { pin: "2026-07-28" } : "legacy" },
    },
  )
  if (answers) client.setRequestHandler("elicitation/create", ({ params }) => answers(params as never))
  await client.connect(transport)
  return client
}

async function formerClient({ answers }: ConnectOptions, transport: FormerStdio | FormerHttp): Promise<AnyClient> {
  const client = new FormerClient(
    { name: "test", version: "1" },
    { capabilities: answers ? { elicitation: { form: {} } } : {} },
  )
  if (answers) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers(params as never) as never)
  await client.connect(transport as never)
  return client as unknown as AnyClient
}

/** The texts of a result that are for the model. */
export function modelText(result: unknown): string {
  return blocks(result)
    .filter(({ annotations }) => !annotations?.audience?.includes("user"))
    .map(({ text }) => text ?? "")
    .join("\n")
}

/** The texts of a result that are for the person. */
export function personText(result: unknown): string {
  return blocks(result)
    .filter(({ annotations }) => annotations?.audience?.includes("user"))
    .map(({ text }) => text ?? "")
    .join("\n")
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly uri?: string
  readonly annotations?: { readonly audience?: readonly string[] }
}

export function blocks(result: unknown): readonly Block[] {
  return (result as { readonly content: readonly Block[] }).content
}

/** A message as it is on the wire. */
export interface Wire {
  readonly jsonrpc: string
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown> & { readonly isError?: boolean; readonly content?: readonly Block[] }
  readonly error?: { readonly code: number; readonly message: string }
}

/** `haft mcp` without a client: frames as somebody writes them. */
export class RawServer {
  readonly process: ChildProcessWithoutNullStreams
  readonly lines: string[] = []
  readonly ended: Promise<number | null>
  private readonly waiting = new Map<unknown, (message: Wire) => void>()
  private count = 0

  constructor(command: SourceCommand, bench: Workbench, words: readonly string[] = []) {
    this.process = startCommand(command, bench, ["mcp", ...words])
    this.process.stdin.on("error", () => undefined)
    this.ended = once(this.process, "exit").then(([code]) => code as number | null)
  }

  /** Begins to read what the server writes. */
  read(): this {
    createInterface(this.process.stdout).on("line", (line) => {
      this.lines.push(line)
      const message = JSON.parse(line) as Wire
      this.waiting.get(message.id)?.(message)
    })
    return this
  }

  write(text: string): void {
    this.process.stdin.write(`${text}\n`)
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.write(JSON.stringify({ jsonrpc: "2.0", method, params }))
  }

  /** Sends a request and resolves with its answer. */
  request(method: string, params: Record<string, unknown> = {}, id: string | number = ++this.count): Promise<Wire> {
    const answer = this.answer(id)
    this.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
    return answer
  }

  /** The next message with this id. */
  answer(id: string | number | null): Promise<Wire> {
    return new Promise((resolve) => this.waiting.set(id, resolve))
  }

  async initialize(capabilities: Record<string, unknown> = {}): Promise<void> {
    const clientInfo = { name: "raw", version: "1" }
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo })
    this.notify("notifications/initialized")
  }
}

/** The parameters of a request of the revision of 2026. */
export function modern(params: Record<string, unknown>, clientCapabilities: Record<string, unknown> = {}) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
  }
  return { ...params, _meta }
}

/** How many processes run with this text in their command line. */
export function running(text: string): number {
  const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" })
  return stdout.split("\n").filter((line) => line.includes(text)).length
}
