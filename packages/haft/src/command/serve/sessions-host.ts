import { realpath } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  bestEffort,
  isInside,
  type Mode,
  type PlacedRule,
  type Rule,
  type SessionRecord,
  ToolError,
} from "@haft/contract"
import { readKept, readUnchanged, undoCall } from "@haft/host"
import type { DrivenSession, OpenRequest, SessionsHost } from "@haft/server"
import { createId, type Store } from "@haft/store"
import { modes, namesOf, settingOf } from "../../config/setting.js"
import type { AgentOptions } from "../../library/agent.js"
import type { Driven } from "../../library/driven-session.js"
import { chatOf } from "./chat.js"
import { openTour, tourModel } from "./tour.js"
import type { ServeWorld } from "./world.js"

/** Opens sessions within what the server was started with, and works on their records and files. */
export function sessionsHost(world: ServeWorld): SessionsHost {
  const { haft, setup } = world
  const historyFolder = join(setup.places.home, "history")
  return {
    open: async (request) => (request.id === undefined ? openNew(world, request) : openEarlier(world, request.id)),
    left: async () => leftOpen(await haft.store(), world),
    async undo(callId, roots) {
      const store = await haft.store()
      checkRoots(roots, world, await store.call(callId).then((call) => call && store.session(call.sessionId)))
      return undoCall(store, { callId, roots, historyFolder })
    },
    kept: (hash) => readKept(historyFolder, hash),
    current: async (path, hash) => readUnchanged(path, hash),
    fork: async (id, at) => (await haft.forkSession(id, { at })).id,
    async tour(language) {
      const { prompt, ...opened } = await openTour(world, language)
      return { ...drivenOf(opened, "all", tourModel), prompt }
    },
    newId: (prefix) => createId(prefix),
  }
}

async function openNew(world: ServeWorld, request: OpenRequest): Promise<DrivenSession> {
  const { roots, toolset, mode } = checkedRequest(world, request)
  const real = roots && (await Promise.all(roots.map((root) => realRoot(root, world))))
  if (real) checkRoots(real, world)
  const narrowing = (request.rules ?? []).map(narrowingRule)
  // Kept with the session: opened again, it is as narrow.
  const metadata = { served: true, toolset, mode, narrowing }
  return open(world, { toolset, narrowing, mode, metadata, ...(real && { roots: real }) })
}

async function openEarlier(world: ServeWorld, id: string): Promise<DrivenSession> {
  const record = await (await world.haft.store()).session(id)
  if (record?.id !== id) throw new ToolError("not_found", `Cannot open session "${id.slice(0, 100)}": there is none`)
  checkRoots(record.roots, world, record)
  const { metadata } = record
  if (metadata.tour !== undefined) {
    const { prompt: _, ...opened } = await openTour(world, record)
    return drivenOf(opened, "all", tourModel)
  }
  const { toolset, mode } = checkedRequest(world, {
    ...(typeof metadata.toolset === "string" && { toolset: metadata.toolset }),
    mode: lowerMode(metadata.mode, world),
  })
  const narrowing = Array.isArray(metadata.narrowing) ? (metadata.narrowing as PlacedRule[]) : []
  return open(world, { id, roots: record.roots, toolset, narrowing, mode })
}

interface Opening {
  readonly id?: string
  readonly roots?: readonly string[]
  readonly toolset: string
  readonly mode: Mode
  readonly narrowing: readonly PlacedRule[]
  readonly metadata?: SessionRecord["metadata"]
}

async function open(world: ServeWorld, opening: Opening): Promise<DrivenSession> {
  const { id, roots, toolset, mode, narrowing, metadata } = opening
  const isElsewhere = roots !== undefined && !sameFolders(roots, world.setup.roots)
  const chat = chatOf(world)
  const agent: Omit<AgentOptions, "session"> | undefined = chat.options
  const driven = await world.haft.drive({
    change: { toolset, mode, rules: [...(await world.rulesNow()), ...narrowing], ...(isElsewhere && { roots }) },
    ...(id !== undefined && { id }),
    ...(metadata && { metadata }),
    ...(agent && { agent }),
  })
  return drivenOf(driven, toolset, chat.model)
}

function drivenOf(
  { session, record, agent, detach }: Driven,
  toolset: string,
  model: string | undefined,
): DrivenSession {
  return {
    ...{ session, record, toolset, detach },
    ...(agent &&
      model !== undefined && {
        turns: {
          model,
          start: async (text, turnId) => void (await agent.agent.start(text, { turnId })),
          abort: (turnId, reason) => agent.abort(turnId, reason),
        },
      }),
  }
}

/** The toolset and mode of a session; more than the server was started with is refused. */
function checkedRequest(world: ServeWorld, { roots, toolset, mode }: OpenRequest) {
  const { values } = world.setup.configuration
  const limit = world.limitedTo
  if (limit !== undefined && toolset !== undefined && !settingOf("toolset")!.tightens!(toolset, limit)) {
    throw more(`the toolset "${toolset}"`, `--toolset ${limit}`)
  }
  const highest = values.get("mode")
  if (mode !== undefined && modes.indexOf(mode) > modes.indexOf(highest))
    throw more(`mode "${mode}"`, `--mode ${highest}`)
  const usual = limit ?? namesOf(values.get("toolset")).join(",")
  return { roots, toolset: toolset ?? usual, mode: mode ?? highest }
}

function more(what: string, started: string): ToolError {
  return new ToolError("denied", `Cannot open a session with ${what}: the server was started with ${started}`, {
    hint: "Ask for less, or start haft serve with more",
  })
}

function lowerMode(recorded: unknown, world: ServeWorld): Mode {
  const highest = world.setup.configuration.values.get("mode")
  const own = modes.find((mode) => mode === recorded) ?? highest
  return modes[Math.min(modes.indexOf(own), modes.indexOf(highest))]!
}

/** A rule of a request only narrows: an ask has no authority, so that it softens no deny. */
function narrowingRule(rule: Rule): PlacedRule {
  const source = { scope: "flag", file: "the request" } as const
  if (rule.action === "deny") return { ...rule, source }
  if (rule.action === "ask") return { ...rule, source, authority: -1 }
  throw new ToolError("denied", "Cannot take an allow rule from a request: its rules may only narrow", {
    hint: "Use deny or ask; allow rules are saved with POST /api/rules",
  })
}

async function realRoot(root: string, { setup }: ServeWorld): Promise<string> {
  const real = await bestEffort("the error below names the folder", realpath(resolve(setup.directory, root)))
  if (real !== undefined) return real
  throw new ToolError("not_found", `Cannot use "${root.slice(0, 300)}" as a root: there is no such directory`)
}

/** Roots must lie inside those of the server, or be a tour's own. */
function checkRoots(roots: readonly string[], { setup }: ServeWorld, record?: SessionRecord): void {
  if (record?.metadata.tour !== undefined && record.metadata.imported !== true) return
  const outside = roots.find((root) => !setup.roots.some((own) => isInside(root, own)))
  if (outside === undefined && roots.length > 0) return
  throw new ToolError("denied", `Cannot work in "${outside ?? ""}": it is outside the roots of this server`, {
    hint: `Start it with: haft serve ${roots.map((root) => `--root ${root}`).join(" ")}`,
  })
}

function sameFolders(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((folder) => other.includes(folder))
}

const dayMs = 86_400_000
const lookedAt = 50

/** Sessions of an earlier server with a turn that has not ended. */
async function leftOpen(store: Store, world: ServeWorld): Promise<readonly string[]> {
  const recent = (await store.sessions({ limit: lookedAt })).filter(
    ({ metadata, updatedAt }) =>
      (metadata.served === true || metadata.tour !== undefined) && Date.now() - updatedAt < 7 * dayMs,
  )
  const left: string[] = []
  for (const { id, metadata } of recent) {
    if (metadata.tour === undefined && !chatOf(world).options) continue
    const open = new Set<string>()
    for (const { kind, turnId } of await store.records(id)) {
      if (kind === "start") open.add(turnId)
      else if (kind === "end") open.delete(turnId)
    }
    if (open.size > 0) left.push(id)
  }
  return left
}
