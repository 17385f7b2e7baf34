import { type ToolDefinition, ToolError } from "@haft/contract"
import type { CallSession } from "@haft/runtime"
import { launchChanges, launchOf, type Pin } from "./entry/pin.js"
import type { ServerEntry } from "./entry/server-entry.js"
import { ForeignServer, type ServerSurroundings } from "./foreign-server.js"
import { foreignTool } from "./tool/foreign-tool.js"
import { offerTools } from "./tool/offer-tools.js"

/** What the servers of a session are made from. */
export interface McpSessionOptions extends Omit<ServerSurroundings, "onTools" | "later"> {
  readonly entries: readonly ServerEntry[]
  /** What a person trusted. A server without a pin is not started, and brings nothing. */
  readonly pins: readonly Pin[]
  readonly later?: ServerSurroundings["later"]
}

/** The servers of a session. Nothing is started or reached before a tool of a server is called. */
export class McpSession {
  private servers: readonly ForeignServer[]
  /** Servers that bring nothing because nobody trusts them, or no longer, with the reason. */
  readonly untrusted: readonly { readonly name: string; readonly reason: string }[]
  private session: CallSession | undefined
  /** The turn that runs: it keeps the tools that it began with. */
  private turn: string | undefined
  /** What servers told in that turn, for the next one. */
  private readonly told = new Map<string, readonly ToolDefinition[]>()

  constructor({ entries, pins, later = laterByTimer, ...around }: McpSessionOptions) {
    const servers: ForeignServer[] = []
    const untrusted: { name: string; reason: string }[] = []
    for (const entry of entries) {
      const pin = pinOf(pins, entry)
      const reason = pin === undefined ? "it is not trusted" : trustLost(pin, entry)
      if (reason !== undefined) untrusted.push({ name: entry.name, reason })
      else if (pin !== undefined) {
        const onTools: ServerSurroundings["onTools"] = (_name, tools) => {
          this.told.set(entry.name, definitionsOf(server, tools))
          if (this.turn === undefined) this.takeTold()
        }
        const server = new ForeignServer(entry, pin, { ...around, later, onTools })
        servers.push(server)
      }
    }
    this.servers = servers
    this.untrusted = untrusted
  }

  /**
   * Gives a session the tools of all trusted servers, and keeps them there as the servers tell. A server whose tools cannot be
   * had, for instance because another one has a tool of the same id, leaves the session as it is; gives why.
   */
  register(session: CallSession): readonly { readonly name: string; readonly error: ToolError }[] {
    this.session = session
    const { registry } = session
    const problems: { name: string; error: ToolError }[] = []
    this.servers = this.servers.filter((server) => {
      try {
        registry.replace(server.entry.name, definitionsOf(server, server.pin.tools))
        return true
      } catch (error) {
        if (!ToolError.is(error)) throw error
        problems.push({ name: server.entry.name, error })
        return false
      }
    })
    registry.replace("mcp resources", offerTools(this.servers))
    session.listen((event) => {
      if (event.session !== session.id) return
      if (event.type === "turn-start") this.turn = event.turn
      else if (event.type === "turn-end" && event.turn === this.turn) this.turn = undefined
      else return
      this.takeTold()
    })
    return problems
  }

  private takeTold(): void {
    for (const [server, tools] of this.told) this.session?.registry.replace(server, tools)
    this.told.clear()
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()))
  }
}

/** The same definition for the same text: what a session knows of a tool belongs to its definition. */
const made = new WeakMap<ForeignServer, Map<string, ToolDefinition>>()

function definitionsOf(server: ForeignServer, tools: ForeignServer["pin"]["tools"]): readonly ToolDefinition[] {
  const known = made.get(server) ?? new Map<string, ToolDefinition>()
  made.set(server, known)
  return tools.map((tool) => {
    const definition = known.get(tool.name) ?? foreignTool(server, tool)
    known.set(tool.name, definition)
    return definition
  })
}

/** The pin of an entry: of the same name, from the same place. */
export function pinOf(pins: readonly Pin[], { name, folder }: Pick<ServerEntry, "name" | "folder">): Pin | undefined {
  return pins.find((pin) => pin.name === name && pin.folder === folder)
}

/** What changed about the way to a server since it was trusted; undefined when nothing did. */
export function trustLost(pin: Pin, entry: ServerEntry): string | undefined {
  // The program behind the command is looked up when the server starts.
  const program = pin.launch.kind === "stdio" ? pin.launch.program : undefined
  const changes = launchChanges(pin.launch, launchOf(entry, program))
  return changes.length === 0 ? undefined : `${changes.join("; ")}; it is trusted no more`
}

function laterByTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}
