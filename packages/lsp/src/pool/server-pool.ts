import { type EndedProcess, type PathRules, ToolError, type WalledGrant } from "@haft/contract"
import { findServer } from "../find/find-server.js"
import { foldersOf } from "../find/find-server.js"
import type { ServerSpec } from "../find/server-table.js"
import { createRulesWatch } from "@haft/host"
import type { LanguageLimits } from "../limits.js"
import { startLanguageServer } from "../server/language-server.js"
import { createProgramFinder } from "@haft/host"
import type { CommandSandbox } from "@haft/host"
import { scanWorkspace } from "../workspace/scan-workspace.js"
import { projectRoot } from "../find/find-server.js"
import { createServerSession, type ServerSession } from "./server-session.js"

/** What servers are started from. */
export interface ServerPoolOptions {
  readonly sandbox: CommandSandbox
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
  readonly grant: WalledGrant
}

/** The running servers of one session. */
export interface ServerPool {
  /** The server for a file, started where it does not run yet. `not_configured` without one, `unavailable` after two crashes. */
  obtain(request: ServerRequest): Promise<ServerSession>
  /** The running server that looks after a file, if there is one. */
  running(spec: ServerSpec, path: string): Promise<ServerSession | undefined>
  /** Ends a server, to be started anew when it is wanted. */
  restart(session: ServerSession): Promise<void>
  /** Whether a server of this kind runs or is being started. */
  serves(spec: ServerSpec): boolean
  /** Keeps a server from being ended as idle while it is asked. */
  using<Result>(session: ServerSession, work: () => Promise<Result>): Promise<Result>
  /** Ends those whose wall is wider than the rules now allow; they start anew when they are wanted. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]>
  /** Ends all of them; they start anew when they are wanted. */
  endAll(): Promise<void>
  close(): Promise<void>
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

/** Starts servers when they are wanted, and ends those that nobody asks any more. */
export function createServerPool(options: ServerPoolOptions): ServerPool {
  const { sandbox, limits } = options
  const findProgram = createProgramFinder(options)
  const slots = new Map<string, Slot>()
  const crashes = new Map<string, { readonly count: number; readonly last: ToolError }>()
  const closing = new AbortController()
  const { rulesChanged, starting } = createRulesWatch(obeyAll)

  return {
    async obtain(request) {
      const root = await projectRoot(request.spec, request)
      const folders = request.path === undefined ? [root] : foldersOf(request.path, request.root)
      const argv = await findServer(request.spec, { folders, find: (program) => findProgram(program, confined) })
      if (!argv) throw noServer(request.spec)
      const key = JSON.stringify([root, ...argv])
      for (;;) {
        closing.signal.throwIfAborted()
        const { count = 0, last } = crashes.get(key) ?? {}
        if (last && count >= mostCrashes) throw unusable(last, request.spec)
        try {
          const session = await (slots.get(key) ?? start({ ...request, root, argv, key })).starting
          if (!(await obey(session, request.grant))) return session
        } catch (error) {
          // A server that does not even answer would only take the same time again.
          if (!ToolError.is(error) || error.code !== "backend") throw error
        }
      }
    },
    async running(spec, path) {
      const mine = [...slots.values()].filter((slot) => slot.spec === spec && foldersOf(path, slot.root).length > 0)
      // The innermost project is the one that knows the file best.
      return mine.sort((a, b) => b.root.length - a.root.length)[0]?.session
    },
    serves: (spec) => [...slots.values()].some((slot) => slot.spec === spec),
    async restart(session) {
      const slot = [...slots.values()].find((each) => each.session === session)
      if (slot) await end(slot)
    },
    async using(session, work) {
      const slot = [...slots.values()].find((each) => each.session === session)
      if (!slot) return await work()
      slot.users += 1
      try {
        return await work()
      } finally {
        slot.users -= 1
        slot.lastUseMs = performance.now()
        slot.timer?.refresh()
      }
    },
    rulesChanged,
    endAll: async () => void (await Promise.all([...slots.values()].map(end))),
    async close() {
      closing.abort(new ToolError("cancelled", "Cannot ask a language server: the session is closing"))
      await Promise.all([...slots.values()].map(end))
    },
  }

  function start(request: ServerRequest & { readonly argv: readonly string[]; readonly key: string }): Slot {
    const { key, spec, root } = request
    const starting = open(request)
    const lastUseMs = performance.now()
    const slot: Slot = { key, spec, root, starting, session: undefined, users: 0, lastUseMs, timer: undefined }
    slots.set(key, slot)
    starting.then(
      (session) => settle(slot, session),
      (error: unknown) => {
        forget(slot)
        noteCrash(key, error)
      },
    )
    makeRoom(slot)
    return slot
  }

  async function open({ spec, root, argv, grant }: ServerRequest & { readonly argv: readonly string[] }) {
    const rulesSince = starting()
    const denies = (path: string) => grant.denies("fs.read", path)
    // Before the start: what changes while the server reads the project is then noticed by the next look.
    const scan = await scanWorkspace({ root, spec, denies, limits })
    const environment = spec.environment ?? {}
    const options = { argv, root, environment, sandbox, grant, limits, signal: closing.signal }
    const server = await startLanguageServer(spec, options)
    const newer = rulesSince()
    const reason = newer && (await server.obey(newer))
    if (reason !== undefined) throw outgrown(reason)
    return createServerSession({ spec, root, server }, scan)
  }

  /** Ends a server whose wall is too wide, and forgets it before anybody asks it again. */
  async function obey(session: ServerSession, rules: PathRules): Promise<string | undefined> {
    const reason = await session.server.obey(rules)
    const slot = reason === undefined ? undefined : [...slots.values()].find((each) => each.session === session)
    if (slot) forget(slot)
    return reason
  }

  async function obeyAll(rules: PathRules): Promise<readonly EndedProcess[]> {
    const ended = [...slots.values()].map(async ({ session }): Promise<readonly EndedProcess[]> => {
      const reason = session && (await obey(session, rules))
      return reason === undefined ? [] : [{ kind: "language server", name: session!.server.name, reason }]
    })
    return (await Promise.all(ended)).flat()
  }

  function settle(slot: Slot, session: ServerSession): void {
    slot.session = session
    const startedMs = performance.now()
    slot.timer = setTimeout(() => {
      if (slot.users === 0) void end(slot)
      else slot.timer?.refresh()
    }, limits.idleMs).unref()
    void session.server.gone.then((reason) => {
      forget(slot)
      if (reason === undefined) return
      // A server that has served for long is not one that falls at every start.
      if (performance.now() - startedMs > limits.idleMs) crashes.delete(slot.key)
      noteCrash(slot.key, reason)
    })
  }

  function noteCrash(key: string, error: unknown): void {
    if (!ToolError.is(error) || (error.code !== "backend" && error.code !== "timeout")) return
    crashes.set(key, { count: (crashes.get(key)?.count ?? 0) + 1, last: error })
  }

  function forget(slot: Slot): void {
    clearTimeout(slot.timer)
    if (slots.get(slot.key) === slot) slots.delete(slot.key)
  }

  async function end(slot: Slot): Promise<void> {
    forget(slot)
    const session = await slot.starting.catch(() => undefined)
    await session?.server.end()
  }

  function makeRoom(newest: Slot): void {
    const idle = [...slots.values()].filter((slot) => slot !== newest && slot.session && slot.users === 0)
    idle.sort((a, b) => a.lastUseMs - b.lastUseMs)
    for (const slot of idle.slice(0, Math.max(slots.size - limits.maxServers, 0))) void end(slot)
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
