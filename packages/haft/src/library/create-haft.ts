import { statSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type SessionRecord, type ToolDefinition, ToolError } from "@haft/contract"
import { pruneHistory, removeSessionFolder, type UndoReport, undoCall } from "@haft/host"
import type { Inspected } from "@haft/mcp"
import type { Store } from "@haft/store"
import type { BuiltinTools } from "@haft/tools"
import type { Places } from "../config/places.js"
import { openTelemetry } from "../telemetry/telemetry.js"
import type { Agent, AgentOptions } from "./agent.js"
import type { Agents } from "./agents.js"
import { forkSession, rewindSession } from "./branch-session.js"
import { checkAgentOptions, checkOptions } from "./check-options.js"
import type { AgentRequest, Driven, DrivenAgent, DriveRequest } from "./driven-session.js"
import { LazyAgent } from "./lazy-agent.js"
import { inspectServer, type OpenedSession, openSession, type SessionSetting } from "./open-session.js"
import type { HaftOptions, InspectRequest, ProgramOptions, StorageOptions } from "./options.js"
import { type Session, sessionOf, type ToolsById } from "./session.js"
import type { StoreOpener } from "./session-journal.js"
import { changedOptions, configured, openerFor, placesFor, settingFor } from "./session-setting.js"

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
   * Opens a session with everything that a server or an editor needs of it; with `agent` messages can be sent to a model.
   * @internal Left out of the declarations: it would bring those of the AI SDK's providers to every user of the library.
   */
  drive(request: AgentRequest): Promise<DrivenAgent>
  /** @internal */
  drive(request: DriveRequest): Promise<Driven>
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
  const opener = openerFor(options, placesFor(options))
  const setting = await settingFor(options, program, opener)
  const telemetry = await openTelemetry(process.env, () => opener.redactor())
  return new OpenedHaft({ ...setting, telemetry }, opener, options)
}

class OpenedHaft implements ProgramHaft {
  private readonly setting: SessionSetting
  private readonly opener: StoreOpener
  private readonly options: HaftOptions
  private readonly sessions = new Set<Session>()
  private readonly driven = new Set<OpenedSession>()
  private agents: Promise<Agents> | undefined
  private isClosed = false

  constructor(setting: SessionSetting, opener: StoreOpener, options: HaftOptions) {
    this.setting = setting
    this.opener = opener
    this.options = options
    // They work without their Haft too, as the functions of a session do: `const { openSession } = haft`.
    this.openSession = this.openSession.bind(this)
    this.agent = this.agent.bind(this)
    this.forkSession = this.forkSession.bind(this)
    this.rewindSession = this.rewindSession.bind(this)
    this.undo = this.undo.bind(this)
    this.store = this.store.bind(this)
    this.close = this.close.bind(this)
  }

  async openSession(options: Parameters<Haft["openSession"]>[0] = {}): Promise<Session> {
    this.assertOpen()
    const { inner, ...rest } = await openSession(this.setting, options)
    const session = sessionOf(inner, rest)
    let ending: Promise<void> | undefined
    const end = (way: () => Promise<void>) => {
      ending ??= way().finally(() => this.sessions.delete(open))
      return ending
    }
    const open: Session = {
      ...session,
      close: () => end(session.close),
      detach: () => end(session.detach),
      [Symbol.asyncDispose]: () => end(session.close),
    }
    this.sessions.add(open)
    return open
  }

  agent(options: AgentOptions): Agent {
    this.assertOpen()
    checkAgentOptions(options)
    return new LazyAgent(async () => {
      // Its session would keep the journal of a Haft that nobody closes any more.
      this.assertOpen()
      return (await this.openAgents()).open(options)
    })
  }

  drive(request: AgentRequest): Promise<DrivenAgent>
  drive(request: DriveRequest): Promise<Driven>
  async drive(request: DriveRequest | AgentRequest): Promise<Driven> {
    this.assertOpen()
    const setting = await this.changedSetting(request)
    if (hasAgent(request)) return (await this.openAgents()).drive(request, setting)
    const { id, metadata } = request
    const opened = await openSession(setting, {
      ...(id !== undefined && { id }),
      ...(metadata && { record: { metadata } }),
      claimsAtOnce: true,
    })
    this.driven.add(opened)
    const detach = () => opened.detach().finally(() => this.driven.delete(opened))
    return { session: opened.inner, record: opened.record, detach }
  }

  async forkSession(id: string, { at }: { readonly at?: string } = {}): Promise<SessionRecord> {
    this.assertOpen()
    return forkSession(this.opener, { id, at, roots: this.setting.roots })
  }

  async rewindSession(id: string, turn: string): Promise<string> {
    this.assertOpen()
    return rewindSession(this.opener, await this.openAgents(), { id, turn, roots: this.setting.roots })
  }

  async inspectServer(request: InspectRequest): Promise<Inspected> {
    this.assertOpen()
    return inspectServer(this.setting, request)
  }

  async undo(callId?: string): Promise<UndoReport & { readonly callId: string }> {
    this.assertOpen()
    const { roots, places } = this.setting
    return undoCall(await this.opener.store(), { callId, roots, historyFolder: join(places.home, "history") })
  }

  async store(): Promise<Store> {
    this.assertOpen()
    return this.opener.store()
  }

  async close(): Promise<void> {
    this.isClosed = true
    await (await this.agents)?.close()
    for (const session of this.sessions) await session.close()
    for (const session of this.driven) await session.detach()
    await this.setting.telemetry?.close()
    await this.opener.whenOpened((store) => sweep(store, this.setting.places, this.options.storage ?? {}))
    await this.opener.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private openAgents(): Promise<Agents> {
    this.agents ??= import("./agents.js").then(({ Agents }) => new Agents(this.setting))
    return this.agents
  }

  private async changedSetting(request: DriveRequest): Promise<SessionSetting> {
    if (request.change === undefined) return this.setting
    const { program, telemetry } = this.setting
    return { ...(await settingFor(changedOptions(this.options, request), program, this.opener)), telemetry }
  }

  private assertOpen(): void {
    if (!this.isClosed) return
    throw new ToolError("cancelled", "Cannot use this Haft: it is closed", { hint: "Create another one" })
  }
}

function hasAgent(request: DriveRequest): request is AgentRequest {
  return request.agent !== undefined
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const monthMs = 30 * dayMs
const gigabyte = 1024 ** 3

/** Deletes what has outlived its use: sidecars of sessions unused for a day, and old file history. At most hourly. */
async function sweep(store: Store, places: Places, { retention }: StorageOptions): Promise<void> {
  const marker = join(places.home, "swept")
  const last = statSync(marker, { throwIfNoEntry: false })
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
