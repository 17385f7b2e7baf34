import { realpath, stat, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  bestEffort,
  ignoreMissing,
  nearestNames,
  type SessionRecord,
  type ToolDefinition,
  ToolError,
} from "@haft/contract"
import { wideRoot } from "@haft/guard"
import { pruneHistory, removeSessionFolder, type UndoReport, undoCall } from "@haft/host"
import type { Inspected } from "@haft/mcp"
import { createRegistry } from "@haft/runtime"
import type { Store } from "@haft/store"
import { type BuiltinTools, catalog, loadTool, toolsInSets } from "@haft/tools"
import { findPlaces, type Places, rootPlaces } from "../config/places.js"
import { openTelemetry } from "../telemetry/telemetry.js"
import type { Agent, AgentOptions } from "./agent.js"
import type { Agents } from "./agents.js"
import { forkSession, rewindSession } from "./branch-session.js"
import { checkOptions } from "./check-options.js"
import type { Driven, DriveRequest } from "./driven-session.js"
import { LazyAgent, type OpenAgent } from "./lazy-agent.js"
import { inspectServer, type OpenedSession, openSession, type SessionSetting } from "./open-session.js"
import type { HaftOptions, InspectRequest, ProgramOptions, StorageOptions } from "./options.js"
import { type Session, sessionOf, type ToolsById } from "./session.js"
import { StoreOpener } from "./session-journal.js"
import { withFixedSecrets } from "./with-fixed-secrets.js"

/** Tools under one set of roots and rules; the way in to everything. */
export interface Haft<Known = BuiltinTools> {
  /**
   * Opens a new session, or an earlier one by its id or the beginning of it. With `endsWithCall` it is for one call: a person
   * is then offered no answer that would hold for the session.
   */
  openSession(options?: { readonly id?: string; readonly endsWithCall?: boolean }): Promise<Session<Known>>
  /**
   * A model that drives the tools: `for await (const event of haft.agent({ model }).send("..."))`. Its session opens with the
   * first message.
   */
  agent(options: AgentOptions): Agent
  /**
   * Copies a session into a new one: all of it, or with `at` up to the end of a turn or a call, by its id. The copy has no rules
   * of the session and can be opened by its id. Refused while the session works.
   */
  forkSession(id: string, options?: { readonly at?: string }): Promise<SessionRecord>
  /**
   * Goes back to the end of a turn: what came after it stays in the journal, and the model does not see it any more. Files are
   * not changed. Resolves to the id of the turn.
   */
  rewindSession(id: string, turn: string): Promise<string>
  /** Takes back the file effects of a call; by default of the newest one under the roots. */
  undo(callId?: string): Promise<UndoReport & { readonly callId: string }>
  /** The journal; opened at first use. */
  store(): Promise<Store>
  /** Ends every session and the journal. */
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What only the command line needs besides. */
export interface ProgramHaft extends Haft {
  /** Starts or reaches an MCP server once, to see what it offers: for a person who asked for it. */
  inspectServer(request: InspectRequest): Promise<Inspected>
  /**
   * Opens a session with everything that a server needs of it; with `agent` messages can be sent to a model.
   * @internal As `openAgent`.
   */
  drive(request: DriveRequest): Promise<Driven>
  /**
   * Opens an agent at once, for a door that shows its session.
   * @internal Left out of the declarations: it would bring those of the AI SDK's providers to every user of the library.
   */
  openAgent(options: AgentOptions): Promise<OpenAgent>
}

/** Sets up tools, ports and rules. Nothing is touched before the first session opens. */
export async function createHaft<const Tools extends readonly ToolDefinition[] = readonly []>(
  options: HaftOptions<Tools> = {},
): Promise<Haft<BuiltinTools & ToolsById<Tools>>> {
  return openHaft(options) as Promise<Haft<BuiltinTools & ToolsById<Tools>>>
}

/** As `createHaft`, with what only the command line needs. */
export async function openHaft(given: HaftOptions, ofProgram: ProgramOptions = {}): Promise<ProgramHaft> {
  checkOptions(given)
  const { options, program } = given.configuration ? await configured(given) : { options: given, program: ofProgram }
  const places = placesFor(options)
  const opener = openerFor(options, places)
  const setting = await settingFor(options, program, opener)
  const sessions = new Set<Session>()
  const driven = new Set<OpenedSession>()
  let isClosed = false
  let agents: Promise<Agents> | undefined
  const openAgents = () => {
    agents ??= import("./agents.js").then(({ Agents }) => new Agents(setting))
    return agents
  }
  const assertOpen = () => {
    if (isClosed) throw new ToolError("cancelled", "Cannot use this Haft: it is closed", { hint: "Create another one" })
  }
  const close = async () => {
    isClosed = true
    await (await agents)?.close()
    for (const session of sessions) await session.close()
    for (const session of driven) await session.detach()
    await setting.telemetry?.close()
    await opener.whenOpened((store) => sweep(store, places, options.storage ?? {}))
    await opener.close()
  }
  return {
    close,
    [Symbol.asyncDispose]: close,
    async openSession(options = {}) {
      assertOpen()
      const { inner, ...rest } = await openSession(setting, options)
      const session = sessionOf(inner, rest)
      const open: Session = {
        ...session,
        close: () => end(session.close),
        detach: () => end(session.detach),
        [Symbol.asyncDispose]: () => end(session.close),
      }
      let ending: Promise<void> | undefined
      const end = (way: () => Promise<void>) => {
        ending ??= way().finally(() => sessions.delete(open))
        return ending
      }
      sessions.add(open)
      return open
    },
    agent(options) {
      assertOpen()
      return new LazyAgent(async () => (await openAgents()).open(options))
    },
    async forkSession(id, { at } = {}) {
      assertOpen()
      return forkSession(opener, { id, at, roots: setting.roots })
    },
    async rewindSession(id, turn) {
      assertOpen()
      return rewindSession(opener, await openAgents(), { id, turn, roots: setting.roots })
    },
    async drive(request) {
      assertOpen()
      const changed = await settingFor(changedOptions(options, request), program, opener)
      if (request.agent) return (await openAgents()).drive(request, changed)
      const { id, metadata } = request
      const opened = await openSession(changed, {
        ...(id !== undefined && { id }),
        ...(metadata && { record: { metadata } }),
      })
      await opened.journal?.own()
      driven.add(opened)
      const detach = () => opened.detach().finally(() => driven.delete(opened))
      return { session: opened.inner, record: opened.record, detach }
    },
    async openAgent(options) {
      assertOpen()
      return (await openAgents()).open(options)
    },
    async inspectServer(request) {
      assertOpen()
      return inspectServer(setting, request)
    },
    async undo(callId) {
      assertOpen()
      return undoCall(await opener.store(), {
        callId,
        roots: setting.roots,
        historyFolder: join(places.home, "history"),
      })
    },
    async store() {
      assertOpen()
      return opener.store()
    },
  }
}

/** The journal, which is opened at first use. */
function openerFor({ network = {}, storage = {} }: HaftOptions, places: Places): StoreOpener {
  return new StoreOpener({
    home: places.home,
    location: storage.store ?? join(places.home, "journal.db"),
    secrets: [...(storage.secrets ?? environmentSecrets(process.env)), ...withFixedSecrets(network.registries).secrets],
  })
}

/** What sessions with these options share. */
async function settingFor(options: HaftOptions, program: ProgramOptions, opener: StoreOpener): Promise<SessionSetting> {
  const { workspace = {}, network = {}, storage = {} } = options
  const places = placesFor(options)
  const roots = await rootsFor(options, places)
  const { registries } = withFixedSecrets(network.registries)
  return {
    options: { ...options, network: { ...network, registries } },
    program,
    places,
    roots,
    directory: workspace.directory === undefined ? roots[0]! : await realFolder(workspace.directory, "directory"),
    registry: createRegistry([...(await builtinTools(options, program)), ...(options.tools ?? [])]),
    opener: storage.journal === false ? undefined : opener,
    telemetry: await openTelemetry(process.env, () => opener.redactor()),
  }
}

/** The options of one session that differs from the others. In other folders nothing is trusted. */
function changedOptions(options: HaftOptions, { change = {} }: DriveRequest): HaftOptions {
  if (change.roots === undefined) return { ...options, ...change }
  const { directory: _, trusted: __, ...workspace } = options.workspace ?? {}
  return { ...options, ...change, workspace }
}

/** The options over what the configuration says; lists of rules and grants add up. */
async function configured(given: HaftOptions): Promise<{ options: HaftOptions; program: ProgramOptions }> {
  const places = placesFor(given)
  const roots = await rootsFor(given, places)
  const { readConfiguration } = await import("./read-configuration.js")
  const { options, program } = await readConfiguration({ places, roots, given })
  const groups = ["workspace", "sandbox", "network", "storage", "output", "box", "git", "skills", "hooks"] as const
  const merged = groups.map((group) => [group, { ...options[group], ...given[group] }])
  const rules = [...(options.rules ?? []), ...(given.rules ?? [])]
  const all: HaftOptions = { ...options, ...given, ...Object.fromEntries(merged), rules }
  // What the machine's own file tightens holds over the program too.
  return { options: { ...all, mode: options.mode, sandbox: { ...all.sandbox, ...policyOf(options) } }, program }
}

function policyOf({ sandbox }: HaftOptions) {
  return sandbox?.policy === undefined ? {} : { policy: sandbox.policy }
}

function placesFor({ home, storage: { configHome } = {} }: HaftOptions): Places {
  const places = findPlaces(process.env, process.cwd(), "/etc/haft/managed.jsonc")
  return {
    ...places,
    ...(home ? { home: resolve(home) } : {}),
    ...(configHome ? { configHome: resolve(configHome) } : {}),
  }
}

async function rootsFor({ roots }: HaftOptions, places: Places): Promise<readonly string[]> {
  const real = await Promise.all((roots ?? ["."]).map((root) => realFolder(root, "root")))
  const wide = roots === undefined && wideRoot(real[0]!, rootPlaces(places))
  if (!wide) return real
  throw new ToolError("invalid_args", `Cannot use "${real[0]}" as a root by default: ${wide}`, {
    hint: `Go to a project folder, or say it: --root ${real[0]}`,
  })
}

async function realFolder(path: string, use: "root" | "directory"): Promise<string> {
  const real = await bestEffort("the error below names the folder", realpath(resolve(path)))
  if (real !== undefined && (await stat(real)).isDirectory()) return real
  const reason = real === undefined ? "there is no such directory" : "it is a file"
  throw new ToolError("not_found", `Cannot use "${path}" as a ${use}: ${reason}`, {
    hint: "Name a folder that exists",
  })
}

// Names that people give to variables with secrets in them.
const secretName = /(KEY|TOKEN|SECRET|PASSW|CREDENTIAL)/i

// Shorter values are words like "true" that are in every text.
const shortest = 8

/** The values of environment variables that must never be written down. */
function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) && !value.startsWith("/")
      ? [{ name, value }]
      : [],
  )
}

/** The built-in tools that a Haft is made with. */
export async function builtinTools(
  { toolset = "locked,code" }: Pick<HaftOptions, "toolset">,
  { only }: Pick<ProgramOptions, "only"> = {},
): Promise<readonly ToolDefinition[]> {
  if (only === undefined) return toolsInSets(catalog, toolset)
  return Promise.all(only.map(async (id) => (await loadTool(id)) ?? unknownTool(id)))
}

function unknownTool(id: string): never {
  const [near] = nearestNames(
    id,
    catalog.map(({ manifest }) => manifest.id),
    1,
  )
  throw new ToolError("invalid_args", `Cannot use tool "${id}": there is no built-in tool of that id`, {
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  })
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const monthMs = 30 * dayMs
const gigabyte = 1024 ** 3

/** Deletes what has outlived its use: sidecars of sessions unused for a day, and old file history. At most hourly. */
async function sweep(store: Store, places: Places, { retention }: StorageOptions): Promise<void> {
  const marker = join(places.home, "swept")
  const last = await ignoreMissing(stat(marker))
  if (last && Date.now() - last.mtimeMs < hourMs) return
  await writeFile(marker, "", { mode: 0o600 })
  for (const session of await store.expired(retention?.sidecars?.maxAgeMs ?? dayMs)) {
    const folder = String(session.metadata.folder ?? "")
    // The name is ours: anything else in the record does not lead to a deletion.
    if (/^[0-9a-f]{32}$/.test(folder)) await removeSessionFolder(join(places.home, "sessions", folder))
  }
  const { maxBytes = gigabyte, maxAgeMs = monthMs } = retention?.history ?? {}
  await pruneHistory({ historyFolder: join(places.home, "history"), maxBytes, maxAgeMs })
}
