import { isAbsolute } from "node:path"
import type { Readable, Writable } from "node:stream"
import {
  type AgentContext,
  agent,
  type ClientCapabilities,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk/unstable"
import { bestEffort, ToolError } from "@haft/contract"
import type { EditorHost, OpenRequest } from "./editor-host.js"
import { requestError } from "./failure.js"
import { EditorAgentSession } from "./session/editor-agent-session.js"
import type { Viewer } from "./tool/client-terminal.js"
import { stdioStream } from "./wire/stdio-stream.js"

/** What an editor is served with. */
export interface ServeOptions {
  readonly host: EditorHost
  readonly input: Readable
  /** Carries frames of the protocol and nothing else. */
  readonly output: Writable
  /** Shows the output of commands in a terminal of the editor. */
  readonly viewer?: Viewer
  /** Ends the service. */
  readonly signal?: AbortSignal
}

/** Serves one editor until it goes away. What runs then is let go of and can be resumed. */
export async function serveEditor({ host, input, output, viewer, signal }: ServeOptions): Promise<void> {
  const service = new EditorService(host, viewer)
  const connection = service.app().connect(stdioStream(input, output))
  const stop = () => connection.close()
  signal?.addEventListener("abort", stop, { once: true })
  try {
    await connection.closed
  } finally {
    signal?.removeEventListener("abort", stop)
    await service.close()
  }
}

// An editor has a few windows; each session holds roots, a journal and perhaps processes.
const maxSessions = 32
const pageSize = 50

interface Place {
  readonly cwd: string
  readonly additionalDirectories?: readonly string[]
  readonly mcpServers?: readonly McpServer[]
}

/** The sessions that one editor drives. */
class EditorService {
  private readonly host: EditorHost
  private readonly viewer: Viewer | undefined
  private readonly sessions = new Map<string, EditorAgentSession>()
  private capabilities: ClientCapabilities = {}

  constructor(host: EditorHost, viewer: Viewer | undefined) {
    this.host = host
    this.viewer = viewer
  }

  app() {
    const { session } = methods.agent
    return agent({ name: "haft" })
      .onRequest(methods.agent.initialize, ({ params }) => this.initialize(params.clientCapabilities))
      .onRequest(methods.agent.authenticate, () => ({}))
      .onRequest(session.new, ({ params, client }) => answered(() => this.open(client, params)))
      .onRequest(session.load, ({ params, client }) =>
        answered(() => this.open(client, params, { session: params.sessionId, replay: true })),
      )
      .onRequest(session.resume, ({ params, client }) =>
        answered(() => this.open(client, params, { session: params.sessionId })),
      )
      .onRequest(session.fork, ({ params, client }) =>
        answered(async () => this.open(client, params, { session: await this.host.fork(params.sessionId) })),
      )
      .onRequest(session.list, ({ params }) => answered(() => this.list(params)))
      .onRequest(session.delete, ({ params }) => answered(() => this.remove(params.sessionId)))
      .onRequest(session.close, ({ params }) => answered(() => this.leave(params.sessionId)))
      .onRequest(session.prompt, ({ params, signal }) =>
        answered(() => this.session(params.sessionId).prompt(params.prompt, signal)),
      )
      .onRequest(session.setMode, ({ params }) =>
        answered(async () => {
          await this.session(params.sessionId).setMode(params.modeId)
          return {}
        }),
      )
      .onRequest(session.setConfigOption, ({ params }) =>
        answered(async () => ({
          configOptions: await this.session(params.sessionId).setOption(params.configId, params.value),
        })),
      )
      .onNotification(session.cancel, ({ params }) => this.sessions.get(params.sessionId)?.cancel())
  }

  async close(): Promise<void> {
    const open = [...this.sessions.values()]
    this.sessions.clear()
    await Promise.all(open.map((session) => bestEffort("the others are closed all the same", session.close())))
  }

  private initialize(capabilities: ClientCapabilities = {}): InitializeResponse {
    this.capabilities = capabilities
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "haft", title: "Haft", version: this.host.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { list: {}, delete: {}, fork: {}, resume: {}, close: {}, additionalDirectories: {} },
      },
      authMethods: [],
    }
  }

  private async open(
    client: AgentContext,
    place: Place,
    earlier: { readonly session?: string; readonly replay?: boolean } = {},
  ) {
    if (earlier.session !== undefined) await this.leave(earlier.session)
    if (this.sessions.size >= maxSessions) {
      throw new ToolError("conflict", `Cannot open a session: ${maxSessions} are open`, { hint: "Close one of them" })
    }
    const { capabilities, viewer } = this
    const request = { folders: foldersOf(place), mcpServers: serversOf(place.mcpServers ?? []), ...earlier }
    const opened = await EditorAgentSession.open(this.host, { client, capabilities, viewer }, request)
    this.sessions.set(opened.id, opened)
    // After the response: an editor does not know the session before it.
    setImmediate(() => void bestEffort("an editor that is gone needs no commands", opened.introduce()))
    return { sessionId: opened.id, ...opened.state }
  }

  private async leave(id: string) {
    const open = this.sessions.get(id)
    this.sessions.delete(id)
    await open?.close()
    return {}
  }

  private async remove(id: string) {
    const open = this.sessions.get(id)
    await open?.cancel()
    await this.leave(id)
    await this.host.remove(id)
    return {}
  }

  private async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const from = cursor == null ? 0 : Number(cursor)
    if (!Number.isSafeInteger(from) || from < 0) {
      throw new ToolError("invalid_args", `Cannot go on with cursor "${cursor}": it is not one of ours`)
    }
    const folder = cwd == null ? {} : { folder: cwd }
    const found = await this.host.sessions({ ...folder, from, limit: pageSize + 1 })
    const sessions = found.slice(0, pageSize).map(({ id, roots, directory, title, updatedAt }) => ({
      sessionId: id,
      cwd: directory,
      ...(roots.length > 1 && { additionalDirectories: roots.filter((root) => root !== directory) }),
      title,
      updatedAt: new Date(updatedAt).toISOString(),
    }))
    return { sessions, ...(found.length > pageSize && { nextCursor: String(from + pageSize) }) }
  }

  private session(id: string): EditorAgentSession {
    const found = this.sessions.get(id)
    if (found) return found
    throw RequestError.sessionNotFound(id)
  }
}

async function answered<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw requestError(error)
  }
}

function foldersOf({ cwd, additionalDirectories = [] }: Place): OpenRequest["folders"] {
  const relative = [cwd, ...additionalDirectories].find((folder) => !isAbsolute(folder))
  if (relative === undefined) return [cwd, ...additionalDirectories]
  throw new ToolError("invalid_args", `Cannot work in "${relative}": the path must be absolute`)
}

/** The editor's MCP servers as entries of our configuration. Kinds that cannot be used are named by the host. */
function serversOf(servers: readonly McpServer[]): OpenRequest["mcpServers"] {
  const pairs = (list: readonly { readonly name: string; readonly value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]))
  return Object.fromEntries(
    servers.map((server) => {
      if (!("type" in server))
        return [server.name, { command: server.command, args: server.args, env: pairs(server.env) }]
      if (server.type === "http") return [server.name, { url: server.url, headers: pairs(server.headers) }]
      return [server.name, { type: server.type }]
    }),
  )
}
