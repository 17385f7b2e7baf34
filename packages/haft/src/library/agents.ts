import type { LanguageModelV3 } from "@ai-sdk/provider"
import {
  AgentSession,
  askingAgent,
  contextTokensOf,
  MemoryJournal,
  machineClock,
  openModel,
  openScript,
  recordedModel,
  ScriptRecorder,
  TurnEngine,
} from "@haft/agent"
import {
  bestEffort,
  type Dialect,
  type Json,
  type OpenWait,
  type SessionRecord,
  ToolError,
  type TurnInput,
} from "@haft/contract"
import type { OpenAgents } from "@haft/project"
import { createId } from "@haft/store"
import type { AgentOptions } from "./agent.js"
import { type AgentEntry, abortedWithParent, untilAtRest } from "./agent-entry.js"
import type { AgentRequest, DrivenAgent } from "./driven-session.js"
import { eventsOf } from "./events-of.js"
import type { OpenAgent } from "./lazy-agent.js"
import { type OpenedSession, openSession, type SessionSetting } from "./open-session.js"
import { SessionJournal } from "./session-journal.js"
import { SessionSubagents } from "./subagents.js"
import { systemPrompt } from "./system-prompt.js"
import { withModel } from "./with-model.js"

/** How the session of a subagent differs from that of the agent which starts it. */
export interface ChildRequest {
  readonly setting: SessionSetting
  readonly options: AgentOptions
  readonly depth: number
  readonly record: Partial<SessionRecord>
  readonly claimsAtOnce?: boolean
}

/** The agents of a Haft, and the one engine that makes their turns durable. */
export class Agents {
  private readonly setting: SessionSetting
  private readonly engine: TurnEngine
  private readonly entries = new Map<string, AgentEntry>()
  private known: Promise<OpenAgents> | undefined

  constructor(setting: SessionSetting) {
    this.setting = setting
    this.engine = new TurnEngine({
      journal: {
        append: (record, options) => this.entry(record.sessionId).journal.append(record, options),
        records: (sessionId, page) => this.entry(sessionId).journal.records(sessionId, page),
      },
      code: async (port, input) => {
        const outcome = await this.entry(port.sessionId).agent.run(port, input as unknown as TurnInput)
        return outcome as unknown as Json
      },
    })
  }

  /** The agents that manifests describe. */
  manifests(): Promise<OpenAgents> {
    const { roots, places } = this.setting
    this.known ??= import("@haft/project").then(({ openAgents }) => openAgents({ roots, userHome: places.userHome }))
    return this.known
  }

  entry(sessionId: string): AgentEntry {
    const found = this.entries.get(sessionId)
    if (found) return found
    throw new ToolError("unavailable", `Cannot go on with session "${sessionId}": it is not open`)
  }

  /** Opens an agent that talks with a person or a program. */
  async open(
    options: AgentOptions,
    {
      setting = this.setting,
      metadata = {},
      claimsAtOnce = false,
    }: {
      setting?: SessionSetting
      metadata?: SessionRecord["metadata"] | undefined
      claimsAtOnce?: boolean
    } = {},
  ): Promise<OpenAgent> {
    // First: without a model there is nothing to record.
    const [opened, summaryModel] = [await modelOf(options), await summaryModelOf(options)]
    const recorder = options.record === undefined ? undefined : await this.recorder(options.record)
    try {
      const recorded = (given: LanguageModelV3) => (recorder ? recordedModel(given, recorder) : given)
      const models = { model: recorded(opened), ...(summaryModel && { summaryModel: recorded(summaryModel) }) }
      const modelName = typeof options.model === "string" ? options.model : options.model.modelId
      const record = { metadata: { model: modelName, ...metadata } }
      const entry = await this.openEntry({
        setting,
        options: { ...options, ...models },
        depth: 0,
        record,
        claimsAtOnce,
      })
      if (options.session !== undefined) await this.resume(entry)
      return this.openAgent(entry, options, recorder)
    } catch (error) {
      recorder?.close()
      throw error
    }
  }

  private openAgent(entry: AgentEntry, options: AgentOptions, recorder: ScriptRecorder | undefined): OpenAgent {
    const { id } = entry.agent
    const withChildren = async (own: Promise<boolean>) =>
      (await Promise.all([own, this.abortChildren(id)])).some((each) => each)
    return {
      agent: entry.agent,
      rest: (signal) => {
        const over = new AbortController()
        void untilAtRest(entry).then(() => over.abort())
        return eventsOf(entry.opened.inner, signal ? [over.signal, signal] : [over.signal])
      },
      waits: () => this.waits(id),
      answer: (name, value) => this.answer(id, name, value),
      abort: (turn, reason) => withChildren(entry.agent.abort(turn, reason)),
      abortAll: (reason) => withChildren(entry.agent.abortAll(reason)),
      useModel: async (name) => {
        const changed = withModel(options, name)
        const next = await modelOf(changed)
        const contextTokens = changed.contextTokens ?? (await contextTokensOf(next))
        entry.model = recorder ? recordedModel(next, recorder) : next
        // Agents that this one starts have its model, and no address of the one before.
        const { summaryModel } = entry.options
        entry.options = { ...changed, model: entry.model, ...(summaryModel !== undefined && { summaryModel }) }
        entry.agent.useModel({ model: entry.model, ...(contextTokens !== undefined && { contextTokens }) })
      },
      close: async () => {
        await this.leave(id)
        recorder?.close()
      },
    }
  }

  /** Hides the turns after this one; a session that is not open here is taken for the moment. */
  async rewind(session: SessionRecord, turn: string): Promise<void> {
    const open = this.entries.get(session.id)
    if (open && open.background.size > 0) {
      throw new ToolError(
        "conflict",
        `Cannot rewind session "${session.id}": subagents work for it in the background`,
        {
          hint: "Wait for their reports, or abort them",
        },
      )
    }
    if (open) return open.agent.rewind(turn)
    const journal = new SessionJournal(this.setting.opener!, session, { isNew: false })
    await journal.own()
    const engine = new TurnEngine({ journal, code: () => Promise.reject(new Error("a rewind runs no turn")) })
    try {
      await engine.rewind(session.id, turn)
    } finally {
      await engine.close()
      await journal.close()
    }
  }

  /** Opens an agent in a session that a server or an editor drives. */
  async drive({ id, agent, metadata }: AgentRequest, setting: SessionSetting): Promise<DrivenAgent> {
    const options = { ...agent, ...(id !== undefined && { session: id }) }
    const opened = await this.open(options, { setting, metadata, claimsAtOnce: true })
    const { opened: session } = this.entry(opened.agent.id)
    return { session: session.inner, record: session.record, agent: opened, detach: opened.close }
  }

  /** Opens the session of an agent; with an id in `options.session` an earlier one. */
  async openEntry({ setting, options, depth, record, claimsAtOnce = false }: ChildRequest): Promise<AgentEntry> {
    const model = await modelOf(options)
    const dialect = await dialectOf(options.dialect)
    const summaryModel = await summaryModelOf(options)
    const contextTokens = options.contextTokens ?? (await contextTokensOf(model))
    const person = options.person ?? setting.options.person ?? "headless"
    const subagents = new SessionSubagents(this, () => opened!.inner.id)
    let opened: OpenedSession | undefined
    const agent = await AgentSession.open({
      engine: this.engine,
      model,
      clock: machineClock,
      random: Math.random,
      newTurnId: () => createId("turn"),
      open: async (answering) => {
        opened = await openSession(setting, {
          person: person === "headless" ? person : answering,
          record,
          subagents,
          claimsAtOnce,
          ...(options.session !== undefined && { id: options.session }),
        })
        return opened.inner
      },
      systemPrompt: () => systemPrompt(options, dialect, setting, opened!, subagents),
      recordedCalls: async () => (await opened!.journal?.calls(opened!.record.id)) ?? [],
      settings: { providerOptions: askingAgent(record.agent ?? "haft") },
      ...(dialect && { dialect }),
      ...(typeof person === "object" && { door: person }),
      ...(options.limits && { limits: options.limits }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(summaryModel && { summaryModel }),
    })
    const entry: AgentEntry = {
      ...{ agent, opened: opened!, setting, options, model, depth, subagents },
      journal: opened!.journal ?? new MemoryJournal(),
      children: new Set(),
      background: new Map(),
      isAborted: false,
    }
    this.entries.set(agent.id, entry)
    const { modelId, provider } = model
    setting.telemetry?.describe(agent.id, { agent: record.agent ?? "haft", model: modelId, provider })
    return entry
  }

  private async recorder(file: string): Promise<ScriptRecorder> {
    const redact = await this.setting.opener?.redactor()
    return new ScriptRecorder(file, {
      // As a value: what is taken out of a text of JSON could leave no JSON.
      ...(redact && { redact: (line) => JSON.stringify(redact(JSON.parse(line) as unknown)) }),
    })
  }

  /** Lets go of a session: what runs in it can be resumed. */
  async leave(id: string): Promise<void> {
    const found = this.entries.get(id)
    if (!found) return
    found.opened.inner.calls.leave()
    try {
      // The agent first: else it would take the end of a child for the end of the child's work.
      await Promise.all([this.engine.leave(id), ...[...found.children].map((child) => this.leave(child))])
    } finally {
      this.entries.delete(id)
      this.setting.telemetry?.forget(id)
      await found.opened.detach()
    }
  }

  async close(): Promise<void> {
    for (const { opened } of this.entries.values()) opened.inner.calls.leave()
    await this.engine.close()
    for (const { opened } of this.entries.values()) await opened.detach()
    this.entries.clear()
  }

  /** Goes on with what an earlier process left in a session. */
  async resume({ agent, subagents }: AgentEntry): Promise<void> {
    try {
      await agent.resume()
      await subagents.resumeBackground(agent.id)
    } catch (error) {
      // A session has one owner: kept here, it could not be opened again.
      await this.leave(agent.id)
      throw error
    }
  }

  /** The open waits of a session and of all that work for it. */
  private async waits(id: string): Promise<readonly OpenWait[]> {
    const { agent, children } = this.entry(id)
    const own = await agent.waits()
    return [...own, ...(await Promise.all([...children].map((child) => this.waits(child)))).flat()]
  }

  private async answer(id: string, name: string, value: Json): Promise<"taken" | "unknown" | "already"> {
    const { agent, children } = this.entry(id)
    const answered = await agent.answer(name, value)
    if (answered !== "unknown") return answered
    for (const child of children) {
      const given = await this.answer(child, name, value)
      if (given !== "unknown") return given
    }
    return "unknown"
  }

  /** Aborts every turn of the sessions that work for this one. */
  private async abortChildren(id: string): Promise<boolean> {
    const children = [...(this.entries.get(id)?.children ?? [])].flatMap((child) => this.entries.get(child) ?? [])
    const stopped = await Promise.all(children.map((child) => this.abortEntry(child)))
    return stopped.some((each) => each)
  }

  /** Aborts the work of a subagent and of all that work for it, together with the agent that started it. */
  async abortEntry(entry: AgentEntry): Promise<boolean> {
    entry.isAborted = true
    const deeper = await this.abortChildren(entry.agent.id)
    const own = await bestEffort("a turn that ended needs no abort", entry.agent.abortAll(abortedWithParent))
    return deeper || own === true
  }
}

async function modelOf({ model, baseUrl }: AgentOptions): Promise<LanguageModelV3> {
  // Any model of an AI SDK provider is one; its type is too large for the public types of the library.
  if (typeof model !== "string") return model as LanguageModelV3
  if (model.startsWith("script:")) return openScript(model.slice("script:".length))
  return openModel(model, { env: process.env, ...(baseUrl && { baseUrl }) })
}

/** The model that writes summaries, at the address that belongs to it. */
export async function summaryModelOf(options: AgentOptions): Promise<LanguageModelV3 | undefined> {
  const { summaryModel } = options
  if (summaryModel === undefined) return undefined
  return modelOf(typeof summaryModel === "string" ? withModel(options, summaryModel) : { model: summaryModel })
}

async function dialectOf(dialect: Dialect | string | undefined): Promise<Dialect | undefined> {
  if (typeof dialect !== "string") return dialect
  return (await import("@haft/dialects")).dialectNamed(dialect)
}
