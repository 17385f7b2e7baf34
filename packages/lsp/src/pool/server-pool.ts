import { bestEffort, type EndedProcess, type PathRules, type SandboxedGrant, ToolError } from "@haft/contract"
import { type CommandSandboxes, createProgramFinder, RulesWatch } from "@haft/host"
import { findServer, foldersOf, projectRoot } from "../find/find-server.js"
import type { ServerSpec } from "../find/server-table.js"
import type { LanguageLimits } from "../limits.js"
import { startLanguageServer } from "../server/language-server.js"
import { scanWorkspace } from "../workspace/scan-workspace.js"
import { ServerSession } from "./server-session.js"

/** What servers are started from. */
export interface ServerPoolOptions {
  readonly sandboxes: CommandSandboxes
  readonly roots: readonly string[]
  /** Where programs are found; the search path of this process by default. */
  readonly path?: string
  readonly limits: LanguageLimits
}

/** Which server is wanted, and under which rules it would start. */
export interface ServerRequest {
  readonly spec: ServerSpec
  /** The root of the session that it is about. */
  readonly root: string
  /** The file that is asked about. */
  readonly path?: string
  /** What the call that wants it may do. */
  readonly grant: SandboxedGrant
}

interface Slot {
  readonly key: string
  readonly spec: ServerSpec
  readonly root: string
  readonly starting: Promise<ServerSession>
  session: ServerSession | undefined
  users: number
  lastUseMs: number
  timer: ReturnType<typeof setTimeout> | undefined
}

const mostCrashes = 2
// Servers always are.
const confined = { unconfined: false }

/** The running servers of one session: started when they are wanted, ended when nobody asks them any more. */
export class ServerPool {
  private readonly options: ServerPoolOptions
  private readonly findProgram: ReturnType<typeof createProgramFinder>
  private readonly slots = new Map<string, Slot>()
  private readonly crashes = new Map<string, { readonly count: number; readonly last: ToolError }>()
  private readonly closing = new AbortController()
  private readonly watch = new RulesWatch((rules) => this.obeyAll(rules))

  constructor(options: ServerPoolOptions) {
    this.options = options
    this.findProgram = createProgramFinder(options)
  }

  /** The server for a file, started where it does not run yet. `not_configured` without one, `unavailable` after two crashes. */
  async obtain(request: ServerRequest): Promise<ServerSession> {
    const root = await projectRoot(request.spec, request)
    const folders = request.path === undefined ? [root] : foldersOf(request.path, request.root)
    const argv = await findServer(request.spec, { folders, find: (program) => this.findProgram(program, confined) })
    if (!argv) throw noServer(request.spec)
    const key = JSON.stringify([root, ...argv])
    for (;;) {
      this.closing.signal.throwIfAborted()
      const { count = 0, last } = this.crashes.get(key) ?? {}
      if (last && count >= mostCrashes) throw unusable(last, request.spec)
      try {
        const session = await (this.slots.get(key) ?? this.start({ ...request, root, argv, key })).starting
        if (!(await this.obey(session, request.grant))) return session
      } catch (error) {
        // A server that does not even answer would only take the same time again.
        if (!ToolError.is(error) || error.code !== "backend") throw error
      }
    }
  }

  /** The running server that looks after a file, if there is one. */
  running(spec: ServerSpec, path: string): ServerSession | undefined {
    const mine = [...this.slots.values()].filter((slot) => slot.spec === spec && foldersOf(path, slot.root).length > 0)
    // The innermost project is the one that knows the file best.
    return mine.sort((a, b) => b.root.length - a.root.length)[0]?.session
  }

  /** Whether a server of this kind runs or is being started. */
  serves(spec: ServerSpec): boolean {
    return [...this.slots.values()].some((slot) => slot.spec === spec)
  }

  /** Ends a server, to be started anew when it is wanted. */
  async restart(session: ServerSession): Promise<void> {
    const slot = this.slotOf(session)
    if (slot) await this.end(slot)
  }

  /** Keeps a server from being ended as idle while it is asked. */
  async using<Result>(session: ServerSession, work: () => Promise<Result>): Promise<Result> {
    const slot = this.slotOf(session)
    if (!slot) return await work()
    slot.users += 1
    try {
      return await work()
    } finally {
      slot.users -= 1
      slot.lastUseMs = performance.now()
      slot.timer?.refresh()
    }
  }

  /** Ends those that could see more than the rules now allow; they start anew when they are wanted. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]> {
    return this.watch.changed(rules)
  }

  async close(): Promise<void> {
    this.closing.abort(new ToolError("cancelled", "Cannot ask a language server: the session is closing"))
    await Promise.all([...this.slots.values()].map((slot) => this.end(slot)))
  }

  private start(request: ServerRequest & { readonly argv: readonly string[]; readonly key: string }): Slot {
    const { key, spec, root } = request
    const starting = this.open(request)
    const lastUseMs = performance.now()
    const slot: Slot = { key, spec, root, starting, session: undefined, users: 0, lastUseMs, timer: undefined }
    this.slots.set(key, slot)
    starting.then(
      (session) => this.settle(slot, session),
      (error: unknown) => {
        this.forget(slot)
        this.noteCrash(key, error)
      },
    )
    this.makeRoom(slot)
    return slot
  }

  private async open({ spec, root, argv, grant }: ServerRequest & { readonly argv: readonly string[] }) {
    const { sandboxes, limits } = this.options
    const rulesSince = this.watch.starting()
    const denies = (path: string) => grant.denies("fs.read", path)
    // Before the start: what changes while the server reads the project is then noticed by the next look.
    const scan = await scanWorkspace({ root, spec, denies, limits })
    const environment = spec.environment ?? {}
    const options = { argv, root, environment, sandboxes, grant, limits, signal: this.closing.signal }
    const server = await startLanguageServer(spec, options)
    const newer = rulesSince()
    const reason = newer && (await server.obey(newer))
    if (reason !== undefined) throw outgrown(reason)
    return new ServerSession({ spec, root, server }, scan)
  }

  /** Ends a server that could see too much, and forgets it before anybody asks it again. */
  private async obey(session: ServerSession, rules: PathRules): Promise<string | undefined> {
    const reason = await session.server.obey(rules)
    const slot = reason === undefined ? undefined : this.slotOf(session)
    if (slot) this.forget(slot)
    return reason
  }

  private async obeyAll(rules: PathRules): Promise<readonly EndedProcess[]> {
    const ended = [...this.slots.values()].map(async ({ session }): Promise<readonly EndedProcess[]> => {
      const reason = session && (await this.obey(session, rules))
      return reason === undefined ? [] : [{ kind: "language server", name: session!.server.name, reason }]
    })
    return (await Promise.all(ended)).flat()
  }

  private settle(slot: Slot, session: ServerSession): void {
    const { idleMs } = this.options.limits
    slot.session = session
    const startedMs = performance.now()
    slot.timer = setTimeout(() => {
      if (slot.users === 0) void this.end(slot)
      else slot.timer?.refresh()
    }, idleMs).unref()
    void session.server.gone.then((reason) => {
      this.forget(slot)
      if (reason === undefined) return
      // A server that has served for long is not one that falls at every start.
      if (performance.now() - startedMs > idleMs) this.crashes.delete(slot.key)
      this.noteCrash(slot.key, reason)
    })
  }

  private noteCrash(key: string, error: unknown): void {
    if (!ToolError.is(error) || (error.code !== "backend" && error.code !== "timeout")) return
    this.crashes.set(key, { count: (this.crashes.get(key)?.count ?? 0) + 1, last: error })
  }

  private slotOf(session: ServerSession): Slot | undefined {
    return [...this.slots.values()].find((slot) => slot.session === session)
  }

  private forget(slot: Slot): void {
    clearTimeout(slot.timer)
    if (this.slots.get(slot.key) === slot) this.slots.delete(slot.key)
  }

  private async end(slot: Slot): Promise<void> {
    this.forget(slot)
    const session = await bestEffort("a server that did not start needs no end", slot.starting)
    await session?.server.end()
  }

  private makeRoom(newest: Slot): void {
    const idle = [...this.slots.values()].filter((slot) => slot !== newest && slot.session && slot.users === 0)
    idle.sort((a, b) => a.lastUseMs - b.lastUseMs)
    const tooMany = Math.max(this.slots.size - this.options.limits.maxServers, 0)
    for (const slot of idle.slice(0, tooMany)) void this.end(slot)
  }
}

const instead = { say: "Use {tool:grep} and {tool:read} instead" }

function noServer({ title, install }: ServerSpec): ToolError {
  return new ToolError(
    "not_configured",
    `Cannot ask about ${title}: there is no language server for it in the project or on the search path`,
    { hint: instead, fix: `Install one: ${install}` },
  )
}

function outgrown(reason: string): ToolError {
  return new ToolError("unavailable", `Cannot start a language server: while it started, ${reason}; try again`)
}

function unusable(last: ToolError, { install }: ServerSpec): ToolError {
  return new ToolError("unavailable", `${last.message}; it was started ${mostCrashes} times and is not started again`, {
    hint: instead,
    fix: `Repair the server, for instance with: ${install}; then open a new session`,
    cause: last,
  })
}
