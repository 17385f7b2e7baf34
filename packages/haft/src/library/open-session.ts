import { join } from "node:path"
import type { Dialect, Person, SessionPorts, SessionRecord, Skills, Subagents } from "@haft/contract"
import { leaveSessionFolder, openSessionPorts, removeSessionFolder, removeTemporary } from "@haft/host"
import type { Inspected } from "@haft/mcp"
import type { SessionPrompt } from "@haft/project"
import { CallSession, type CallSessionOptions, createRegistry, type Registry } from "@haft/runtime"
import { createId } from "@haft/store"
import { catalog, loadSkillTools } from "@haft/tools"
import type { Places } from "../config/places.js"
import type { Telemetry } from "../telemetry/telemetry.js"
import { findSession, newFolder } from "./branch-session.js"
import { mayHaveExtensions, openExtensions } from "./extensions-of.js"
import { inspectIn, mayHaveServers, openMcp } from "./mcp-of.js"
import type { HaftOptions, HookOptions, InspectRequest, ProgramOptions } from "./options.js"
import { processesOf } from "./processes-of.js"
import { promptOf } from "./prompt-of.js"
import { servicesOf } from "./services-of.js"
import { authorityOf, hasOwnTemporary, keptOfTemporary } from "./session-authority.js"
import { SessionJournal, type StoreOpener } from "./session-journal.js"
import { sessionMemory } from "./session-memory.js"
import { launcherFile, UseCounter } from "./use-counter.js"

/** What all sessions of a Haft share. */
export interface SessionSetting {
  readonly options: HaftOptions
  readonly program: ProgramOptions
  readonly places: Places
  readonly roots: readonly string[]
  readonly directory: string
  readonly registry: Registry
  readonly opener: StoreOpener | undefined
  readonly telemetry: Telemetry | undefined
}

/** How a session is opened. */
export interface SessionRequest {
  /** An earlier session. */
  readonly id?: string
  readonly endsWithCall?: boolean
  /** Claims a new session before its first call; one that cannot be claimed is not opened. */
  readonly claimsAtOnce?: boolean
  /** Answers instead of the person of the options. */
  readonly person?: Person | "headless"
  /** What the record of a new session holds besides. */
  readonly record?: Partial<Pick<SessionRecord, "id" | "agent" | "parentId" | "permissions" | "metadata">>
  readonly subagents?: Subagents
}

/** A session with what its owner works on. */
export interface OpenedSession {
  readonly inner: CallSession
  readonly journal: SessionJournal | undefined
  readonly record: SessionRecord
  readonly scratch: string
  prompt(options?: { readonly dialect?: Dialect | string }): Promise<SessionPrompt>
  /** Ends the session: scratch and sidecars are deleted. */
  close(): Promise<void>
  /** Lets go of the session without ending it. */
  detach(): Promise<void>
}

/** Opens a new session, or an earlier one by its id. */
export async function openSession(setting: SessionSetting, request: SessionRequest): Promise<OpenedSession> {
  const earlier = request.id === undefined ? undefined : await findSession(setting, request.id)
  const record = earlier ?? newSession(setting, request)
  const journal = setting.opener && new SessionJournal(setting.opener, record, { isNew: !earlier })
  // An earlier session is claimed before anything is opened, so that two owners never write side by side.
  if (earlier) await journal?.own()
  try {
    const opened = await openClaimed(setting, record, journal, request)
    if (request.claimsAtOnce) await claimOrClose(opened)
    return opened
  } catch (error) {
    await journal?.close()
    throw error
  }
}

async function claimOrClose({ journal, close }: OpenedSession): Promise<void> {
  try {
    await journal?.own()
  } catch (error) {
    await close()
    throw error
  }
}

async function openClaimed(
  setting: SessionSetting,
  record: SessionRecord,
  journal: SessionJournal | undefined,
  { endsWithCall = false, person, subagents }: SessionRequest,
): Promise<OpenedSession> {
  const { home } = setting.places
  const folder = join(home, "sessions", String(record.metadata.folder))
  const uses = new UseCounter(join(home, launcherFile), setting.registry)
  const ports = await openPorts(setting, folder, uses)
  try {
    const inner = await callSession(setting, record, { ports, journal, endsWithCall, folder, uses, person, subagents })
    const mcp = mayHaveServers(setting) ? await openMcp(setting, inner) : undefined
    const extensions = mayHaveExtensions(setting) ? await openExtensions(setting, inner) : undefined
    const end = async (leave: (folder: string) => Promise<void>) => {
      await inner.calls.end()
      await Promise.all([mcp?.close(), extensions?.close()])
      await ports.close()
      uses.close()
      await inner.late.close()
      // Before the journal releases the session: its next owner must not lose folders.
      await leave(folder).finally(() => journal?.close())
    }
    return {
      inner,
      journal,
      record,
      scratch: join(folder, "scratch"),
      prompt: ({ dialect } = {}) => promptOf(setting, ports.skills, dialect),
      close: () => end(removeSessionFolder),
      // A session of one call may be opened again for its outputs; the next call has a /tmp of its own.
      detach: () => end(endsWithCall ? removeTemporary : leaveSessionFolder),
    }
  } catch (error) {
    await ports.close()
    throw error
  }
}

/** Starts or reaches an MCP server once, in a session of its own of which nothing is left. */
export async function inspectServer(setting: SessionSetting, request: InspectRequest): Promise<Inspected> {
  // Of the other servers none has a part in this.
  const { mcpServers: _, extensions: __, ...options } = setting.options
  const { mcpServers: ___, extensions: ____, ...program } = setting.program
  const alone = { ...setting, options, program }
  const opened = await openClaimed(alone, newSession(alone, {}), undefined, { endsWithCall: true })
  try {
    return await inspectIn(opened.inner, alone, request)
  } finally {
    await opened.close()
  }
}

async function openPorts(setting: SessionSetting, folder: string, uses: UseCounter): Promise<SessionPorts> {
  const { options, program, places, roots, directory } = setting
  const ports = await openSessionPorts({
    roots,
    directory,
    sessionFolder: folder,
    historyFolder: join(places.home, "history"),
    adHocFiles: options.workspace?.adHocFiles ?? [],
    keptOfTemporary: hasOwnTemporary(setting) ? keptOfTemporary(setting) : undefined,
    processes: processesOf(setting),
    services: servicesOf(setting, uses),
  })
  if (!program.editor) return ports
  const { withEditorBuffers } = await import("./editor-buffers.js")
  return withEditorBuffers(ports, program.editor)
}

interface CallSessionParts {
  readonly ports: SessionPorts
  readonly journal: SessionJournal | undefined
  readonly endsWithCall: boolean
  readonly folder: string
  readonly uses: UseCounter
  readonly person: Person | "headless" | undefined
  readonly subagents: Subagents | undefined
}

async function callSession(
  setting: SessionSetting,
  record: SessionRecord,
  { ports, journal, endsWithCall, folder, uses, person: own, subagents }: CallSessionParts,
): Promise<CallSession> {
  const { options, program, directory, registry } = setting
  const { mode = "ask", person = "headless", output = {}, hooks = {} } = options
  return new CallSession({
    ...authorityOf(setting, folder),
    id: record.id,
    directory,
    registry: program.only ? registry : ownRegistry(setting, await withSkillTools(registry, ports.skills)),
    ports,
    journal,
    person: own ?? person,
    ...(subagents && { subagents }),
    mode,
    endsWithCall,
    sessionRules: record.permissions,
    limits: output.limits ?? {},
    known: program.known,
    outputSchema: output.schema,
    memory: (session) => sessionMemory(session, journal),
    ...(await hooksOf(hooks)),
    newId: createId,
    now: Date.now,
    onEvent: (event) => {
      uses.hear(event)
      setting.telemetry?.hear(event)
      hooks.onEvent?.(event)
    },
    saveProjectRule: hooks.saveProjectRule,
  })
}

/** The commands that look at calls; loaded where some are configured. */
async function hooksOf({ commands = {} }: HookOptions): Promise<Pick<CallSessionOptions, "hooks">> {
  if (!Object.values(commands).some((hooks) => hooks !== undefined && hooks.length > 0)) return {}
  const { CommandHooks } = await import("../hooks/command-hooks.js")
  const known = catalog.map(({ manifest: { id } }) => id)
  return {
    hooks: (session) => {
      const hooks = new CommandHooks(commands, session)
      const unknown = hooks.unknownNames([...known, ...session.registry.tools.map(({ manifest: { id } }) => id)])
      if (unknown.length > 0) {
        const names = unknown.map((name) => `"${name}"`).join(", ")
        session.emit({
          type: "error",
          message: `A hook looks at ${names}, and there is no such tool: it guards nothing`,
        })
      }
      return hooks
    },
  }
}

/** Servers and extensions replace their tools while a session runs, which must not reach other sessions. */
function ownRegistry(setting: SessionSetting, registry: Registry): Registry {
  const mayReplace = mayHaveServers(setting) || mayHaveExtensions(setting)
  return mayReplace && registry === setting.registry ? createRegistry(registry.tools) : registry
}

/** The tools of a session with those that its skills bring or make visible. Without such skills nothing is loaded. */
async function withSkillTools(registry: Registry, skills: Skills): Promise<Registry> {
  const bringing = (await skills.list()).filter(({ tools = [] }) => tools.length > 0)
  if (bringing.length === 0) return registry
  const { skillTools } = await loadSkillTools()
  const brought = bringing.map(skillTools)
  const wanted = new Set(brought.flatMap(({ visible }) => visible))
  const shown = catalog.filter(({ manifest: { id } }) => wanted.has(id) && registry.find(id) === undefined)
  // Of two skills with a tool of the same id the first one counts, as with skills themselves.
  const own = new Map(brought.flatMap(({ tools }) => tools.map((tool) => [tool.manifest.id, tool] as const)).reverse())
  return createRegistry([...registry.tools, ...shown, ...[...own.values()].reverse()])
}

function newSession(
  { options, roots, directory }: SessionSetting,
  { record: { id = createId("ses"), agent = "haft", parentId, permissions = [], metadata } = {} }: SessionRequest,
): SessionRecord {
  const now = Date.now()
  return {
    id,
    agent,
    ...(parentId !== undefined && { parentId }),
    workspaceRoot: roots[0] ?? null,
    roots,
    directory,
    permissions,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    metadata: { folder: newFolder(), mode: options.mode ?? "ask", ...metadata },
  }
}
