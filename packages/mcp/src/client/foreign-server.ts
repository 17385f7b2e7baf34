import { type BaseContext, bestEffort, ToolError } from "@haft/contract"
import { CallClock } from "./call-clock.js"
import { launchChanges, launchOf, type Pin, type ToolChanges, type ToolText, toolChanges } from "./entry/pin.js"
import { fillIn, type ServerEntry } from "./entry/server-entry.js"
import { notConnected, tooSlow, withdrawn } from "./server-failure.js"
import { unlessAborted } from "./unless-aborted.js"
import type { Connection } from "./wire/connection.js"
import type { ConnectionPorts, ElicitAnswer, OpenRequest } from "./wire/open-request.js"

/** The call that a server works for. */
export type ServerCall = Pick<BaseContext, "signal" | "conversation" | "emit"> & ConnectionPorts

/** What the servers of a session share. */
export interface ServerSurroundings extends Pick<OpenRequest, "variables" | "signIns" | "roots"> {
  /** Called after the tools of a server were looked at, with those that may be used. */
  readonly onTools: (name: string, tools: readonly ToolText[]) => void
  /** Runs something later; gives what calls it off. A test has a clock of its own. */
  readonly later: (ms: number, work: () => void) => () => void
}

/** Seconds until a lost server is tried again, the last of them for ever. */
const retrySeconds = [1, 2, 5, 15, 60] as const
// Nobody has asked for it since: the next call begins anew.
const mostRetries = 10
// One that falls over sooner than this is no better than one that does not start.
const steadyMs = 60_000

type State =
  | { readonly at: "idle" }
  | { readonly at: "connecting"; readonly connection: Promise<Connection>; readonly lost?: ToolError }
  | { readonly at: "up"; readonly connection: Connection }
  | { readonly at: "down"; readonly lost: ToolError }

/** One trusted server in a session: connected at the first use, tried again when it is lost, held against what was trusted. */
export class ForeignServer {
  readonly entry: ServerEntry
  readonly pin: Pin
  private state: State = { at: "idle" }
  private changes: ToolChanges | undefined
  private lastPorts: ConnectionPorts = {}
  private hasPerson = false
  private readonly calls = new Set<ServerCall>()
  private readonly closing = new AbortController()
  private callOff: () => void = () => undefined
  private retries = 0

  constructor(
    entry: ServerEntry,
    pin: Pin,
    private readonly around: ServerSurroundings,
  ) {
    this.entry = entry
    this.pin = pin
  }

  /** Its address with the variables filled in; undefined for a program. */
  get url(): string | undefined {
    const { entry } = this
    return entry.kind === "http" ? fillIn(entry.name, entry.url, this.around.variables) : undefined
  }

  /** Works with the connection for one call. */
  async use<Result>(
    call: ServerCall,
    work: (connection: Connection, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    this.calls.add(call)
    const clock = new CallClock(this.entry.callTimeoutMs, call.signal)
    clocks.set(call, clock)
    try {
      const connection = await this.connectionFor(call)
      connection.use(call)
      clock.start()
      const result = await work(connection, clock.signal)
      this.retries = 0
      return result
    } catch (error) {
      call.signal.throwIfAborted()
      throw clock.isOver ? tooSlow(this.entry) : error
    } finally {
      clock.stop()
      this.calls.delete(call)
    }
  }

  /** Something came from the server for this call. */
  heard(call: ServerCall): void {
    clocks.get(call)?.start()
  }

  /** Refuses a tool whose texts are not those that were trusted. */
  assertTrusted(tool: string): void {
    const changed = this.changes?.changed.get(tool)
    if (changed !== undefined) throw withdrawn(this.entry, `"${tool}"`, `${changed} since it was trusted`)
    if (this.changes?.removed.includes(tool)) {
      throw new ToolError(
        "unavailable",
        `Cannot call "${tool}" of the MCP server "${this.entry.name}": the server has it no more`,
        {
          hint: "Use another tool",
        },
      )
    }
  }

  async close(): Promise<void> {
    this.callOff()
    this.closing.abort(new ToolError("cancelled", "Cannot use an MCP server: the session is closing"))
    const { state } = this
    const connection =
      state.at === "up"
        ? state.connection
        : state.at === "connecting"
          ? await bestEffort("what did not open needs no closing", state.connection)
          : undefined
    await connection?.close()
  }

  private async connectionFor(call: ServerCall): Promise<Connection> {
    this.lastPorts = call
    this.hasPerson = call.conversation.hasPerson
    const { state } = this
    if (state.at === "up") return state.connection
    if (state.at === "idle") return unlessAborted(this.connect(), call.signal)
    if (state.at === "connecting" && state.lost === undefined) return unlessAborted(state.connection, call.signal)
    if (state.at === "down" && this.retries >= mostRetries) this.retryIn(0, 0)
    // No call waits until a lost server is back: that may take longer than it has.
    throw notConnected(this.entry, state.lost!)
  }

  private connect(lost?: ToolError): Promise<Connection> {
    const connection = this.open()
    this.state = { at: "connecting", connection, ...(lost && { lost }) }
    connection.then(
      (open) => this.opened(open),
      (error: unknown) => this.failed(error),
    )
    return connection
  }

  private async open(): Promise<Connection> {
    const { lastPorts: ports, hasPerson } = this
    await this.assertSameLaunch(ports)
    // Loaded at the first use: most sessions use no server.
    const { Connection } = await import("./wire/connection.js")
    return Connection.open({
      ...this.around,
      ...{ entry: this.entry, ports, era: this.pin.era, hasPerson, signal: this.closing.signal },
      onElicit: (params) => this.elicit(params),
      onToolsChanged: () => void this.toolsChanged(),
    })
  }

  /** The command may mean another program than when it was trusted. */
  private async assertSameLaunch({ servers }: ConnectionPorts): Promise<void> {
    const program = this.entry.kind === "stdio" ? await servers?.find(this.entry.command) : undefined
    const [changed] = launchChanges(this.pin.launch, launchOf(this.entry, program))
    if (changed !== undefined) throw withdrawn(this.entry, "it", `${changed} since it was trusted`)
  }

  private opened(connection: Connection): void {
    this.state = { at: "up", connection }
    this.compare(connection)
    const callOff = this.around.later(steadyMs, () => {
      this.retries = 0
    })
    void connection.gone.then((reason) => {
      callOff()
      if (this.state.at !== "up" || this.state.connection !== connection || this.closing.signal.aborted) return
      const words =
        reason ?? new ToolError("unavailable", `Cannot use the MCP server "${this.entry.name}": it was ended`)
      this.fell(words)
      void bestEffort("what is left of it does not keep it from being tried again", connection.close())
    })
  }

  private failed(error: unknown): void {
    if (this.closing.signal.aborted) return
    const reason = ToolError.is(error) ? error : new ToolError("internal", (error as Error).message)
    // What only a person can change is not tried again by itself; a call that was refused says why, each time.
    if (reason.code === "not_configured" || reason.code === "denied" || reason.code === "not_found") {
      this.state = { at: "idle" }
      return
    }
    this.fell(reason)
  }

  private fell(lost: ToolError): void {
    this.state = { at: "down", lost }
    if (this.retries < mostRetries) this.retryIn(this.retries, delayOf(this.retries))
  }

  private retryIn(tries: number, ms: number): void {
    this.callOff()
    this.retries = tries
    this.callOff = this.around.later(ms, () => {
      if (this.state.at !== "down") return
      this.retries += 1
      void bestEffort("its state tells the next call", this.connect(this.state.lost))
    })
  }

  private compare(connection: Connection): void {
    this.changes = toolChanges(this.pin.tools, connection.tools)
    const { removed } = this.changes
    this.around.onTools(
      this.entry.name,
      this.pin.tools.filter(({ name }) => !removed.includes(name)),
    )
  }

  /** The running turn keeps its tools; what changed is known from the next one on. */
  private async toolsChanged(): Promise<void> {
    const { state } = this
    if (state.at !== "up") return
    await bestEffort("the next change or connection looks again", state.connection.refreshTools(this.closing.signal))
    this.compare(state.connection)
  }

  /** A question of the server belongs to the newest call that it works for; without one nobody expects a question. */
  private async elicit(params: never): Promise<ElicitAnswer> {
    const call = [...this.calls].at(-1)
    if (!call?.conversation.hasPerson) return { action: "decline" as const }
    const { elicit } = await import("./wire/elicit.js")
    clocks.get(call)?.stop()
    try {
      return (await elicit(this.entry.name, params, call.conversation)) as ElicitAnswer
    } catch {
      // A person who does not answer has not agreed; the call itself goes on or ends by its own signal.
      return { action: "cancel" as const }
    } finally {
      clocks.get(call)?.start()
    }
  }
}

const clocks = new WeakMap<ServerCall, CallClock>()

function delayOf(tries: number): number {
  return (retrySeconds[tries] ?? retrySeconds.at(-1)!) * 1000
}
