import {
  addUsage,
  bestEffort,
  type CallRecord,
  hiddenTurns,
  noUsage,
  type SubagentEntry,
  type SubagentReport,
  type SubagentRequest,
  type Subagents,
  ToolError,
  type TurnInput,
  type TurnLimits,
  type TurnOutcome,
  type TurnRecord,
  type Usage,
} from "@haft/contract"
import type { AgentManifest } from "@haft/project"
import { type AgentEntry, abortedWithParent } from "./agent-entry.js"
import type { Agents } from "./agents.js"
import { childRequest, maySayModel } from "./child-request.js"

const maxDepth = 5

/** The agents that the calls of one session may start. */
export class SessionSubagents implements Subagents {
  private readonly agents: Agents
  private readonly sessionId: () => string

  constructor(agents: Agents, sessionId: () => string) {
    this.agents = agents
    this.sessionId = sessionId
  }

  async list(): Promise<readonly SubagentEntry[]> {
    const { agents } = await this.agents.manifests()
    return agents.filter(({ mode }) => mode !== "primary")
  }

  async run(
    { agent: name, prompt, background }: SubagentRequest,
    { callId, signal }: { readonly callId: string; readonly signal: AbortSignal },
  ): Promise<SubagentReport> {
    const parent = this.agents.entry(this.sessionId())
    const child = await this.open(parent, name, callId)
    const { id } = child.entry.agent
    const turnId = turnOf(callId)
    const work: Work = { parent, child: child.entry, callId, turnId }
    const { limits } = child
    await this.begin(work, child.manifest.name, async () => {
      await child.entry.agent.start({ text: prompt, trigger: "task", ...(limits && { limits }) }, { turnId })
      await child.entry.subagents.resumeBackground(id)
    })
    if (background) {
      this.goOn(work, this.report(work))
      return { sessionId: id, missingTools: child.missing }
    }
    const { reason, text, message, usage } = await this.finishOrAbort(signal, work)
    const end = { output: text, reason, ...(message !== undefined && { message }) }
    return { sessionId: id, missingTools: child.missing, end, usage }
  }

  /** Goes on with work in the background that nobody does now and that was never reported. */
  async resumeBackground(sessionId: string): Promise<void> {
    const parent = this.agents.entry(sessionId)
    const calls = (await parent.opened.journal?.calls(sessionId)) ?? []
    const records = await parent.journal.records(sessionId)
    const turns = new Set(records.map(({ turnId }) => turnId))
    const hidden = hiddenCalls(records)
    const unreported = calls.filter(
      (call) =>
        // A turn of this process may have started it meanwhile.
        isBackground(call) &&
        !parent.background.has(call.callId) &&
        !turns.has(reportId(call.callId)) &&
        !hidden.has(call.callId),
    )
    // Only now, when nothing here can fail any more: a parent that cannot be resumed is let go of with its children.
    for (const call of unreported) {
      const { callId } = call
      const report = this.reopen(parent, call).catch((error: unknown) =>
        this.tell({ parent, callId }, `could not be resumed: ${messageOf(error)}`),
      )
      this.goOn({ parent, callId }, report)
    }
  }

  private async reopen(parent: AgentEntry, { callId, envelope }: CallRecord): Promise<string | undefined> {
    const data = envelope?.type === "output" ? (envelope.data as { session_id: string }) : undefined
    const { entry, manifest } = await this.open(parent, data!.session_id, callId)
    const work: Work = { parent, child: entry, callId, turnId: turnOf(callId) }
    await this.begin(work, manifest.name, () => this.agents.resume(entry))
    return this.report(work)
  }

  private async begin(work: Work, agent: string, start: () => Promise<unknown>): Promise<void> {
    const { parent, child, callId } = work
    parent.opened.inner.emit({ type: "child-start", call: callId, child: child.agent.id, agent })
    try {
      await start()
    } catch (error) {
      this.ended(work, { reason: "failed", text: "", steps: 0, usage: noUsage, message: messageOf(error) })
      // A session has one owner: kept here, it could not be opened again.
      await this.leave(work)
      throw error
    }
  }

  /** Work that its call does not wait for. The parent, if it is a subagent, ends after it has read the report. */
  private goOn({ parent, callId }: Pick<Work, "parent" | "callId">, report: Promise<string | undefined>): void {
    const read = report.then((turn) => (turn === undefined ? undefined : parent.agent.result(turn)))
    parent.background.set(callId, read)
    const ended = bestEffort("a closed engine reports when the session is resumed", read)
    void ended.then(() => parent.background.delete(callId))
  }

  private async open(parent: AgentEntry, name: string, callId: string): Promise<OpenChild> {
    if (parent.depth >= maxDepth) {
      throw new ToolError("denied", `Cannot start "${name}": agents start agents ${maxDepth} levels deep at the most`, {
        hint: "Do the work yourself",
      })
    }
    const earlier = name.startsWith("ses_") ? await this.earlier(parent, name) : undefined
    const manifest = (await this.agents.manifests()).named(earlier?.agent ?? name)
    if (manifest.mode === "primary") {
      throw new ToolError("denied", `Cannot start "${manifest.name}": it talks with a person and works for no agent`, {
        hint: `Start one of ${(await this.list()).map((each) => each.name).join(", ")}`,
      })
    }
    const { request, missing } = childRequest(parent, manifest, callId)
    if (manifest.model !== undefined && !maySayModel(manifest, parent.setting)) {
      const message = `The agent "${manifest.name}" works with the model of the one that starts it: the folder that names another is not trusted; to trust it: haft trust`
      parent.opened.inner.emit({ type: "error", message })
    }
    // After a crash the same call finds the session that it made.
    const store = await parent.setting.opener?.store()
    const id = earlier?.id ?? (await store?.session(String(request.record.id)))?.id
    // What is left is known when the work begins: whoever goes on with it finds that on record.
    const begun = id === undefined ? undefined : startOf(await store!.records(id), turnOf(callId))
    const limits = begun ? begun.limits : parent.agent.limitsLeft
    const options = { ...request.options, ...(id !== undefined && { session: id }), ...(limits && { limits }) }
    const entry = await this.agents.openEntry({ ...request, options })
    parent.children.add(entry.agent.id)
    entry.opened.inner.listen((event) => parent.opened.inner.forward(event))
    return { entry, manifest, missing, limits }
  }

  /** A session that an agent of this conversation left. */
  private async earlier(parent: AgentEntry, id: string): Promise<{ readonly id: string; readonly agent: string }> {
    const found = await (await parent.setting.opener?.store())?.session(id)
    if (found?.metadata.parent === parent.agent.id) return { id: found.id, agent: found.agent }
    throw new ToolError("not_found", `Cannot go on with "${id}": no agent of this conversation has that session`, {
      hint: "Start a new one by its name",
    })
  }

  private async finishOrAbort(signal: AbortSignal, work: Work): Promise<TurnOutcome> {
    // When the session is let go of, so is that of the subagent, and both go on later.
    const abort = () => void (work.parent.opened.inner.calls.isLeaving || this.abort(work))
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    try {
      return await this.finish(work)
    } finally {
      signal.removeEventListener("abort", abort)
    }
  }

  private async finish(work: Work): Promise<TurnOutcome> {
    try {
      const outcome = await lastOutcome(work)
      this.ended(work, outcome)
      return outcome
    } finally {
      await this.leave(work)
    }
  }

  private ended({ parent, child, callId }: Work, outcome: TurnOutcome): void {
    parent.opened.inner.emit({ type: "child-end", call: callId, child: child.agent.id, outcome })
  }

  private abort({ child }: Work): void {
    void bestEffort("a turn that ended needs no abort", this.agents.abortEntry(child))
  }

  private async leave({ parent, child }: Work): Promise<void> {
    const { id } = child.agent
    parent.children.delete(id)
    await this.agents.leave(id)
  }

  /** Exactly one report: the same turn is never started twice. */
  private async report(work: Work): Promise<string | undefined> {
    const { parent } = work
    const stop = parent.opened.inner.listen((event) => {
      if (event.session !== parent.agent.id || event.type !== "turn-end" || event.outcome.reason !== "aborted") return
      this.abort(work)
    })
    const outcome = await this.finish(work).finally(stop)
    if (outcome.reason === "aborted" && outcome.message === abortedWithParent) return undefined
    const early = outcome.reason === "done" ? "" : ` (ended early: ${outcome.message ?? outcome.reason})`
    return this.tell(work, `has ended${early}. Its last words:\n${outcome.text || "(none)"}`, outcome.usage)
  }

  /** The id of the turn in which the parent reads the report; undefined when it is told nothing any more. */
  private async tell(
    { parent, callId }: Pick<Work, "parent" | "callId">,
    words: string,
    usage?: Usage,
  ): Promise<string | undefined> {
    if (parent.isAborted) return undefined
    const text = `The agent that the call ${callId} started in the background ${words}`
    return parent.agent.start({ text, trigger: "task", ...(usage && { usage }) }, { turnId: reportId(callId) })
  }
}

/** How a subagent ended: with its turn, or with that in which it read the last report of what it started in the background. */
async function lastOutcome({ child, turnId }: Work): Promise<TurnOutcome> {
  let outcome = await child.agent.result(turnId)
  while (child.background.size > 0 && !child.isAborted) {
    await Promise.race(child.background.values())
    outcome = (await child.agent.newestResult) ?? outcome
  }
  const used = await bestEffort("what the last turn used is known without them", usedIn({ child, turnId }))
  const whole = { ...outcome, ...used }
  return child.isAborted && whole.reason === "done" ? { ...whole, reason: "aborted" } : whole
}

/** What the turns of a work used together, from their records: an earlier process may have begun it. */
async function usedIn({ child, turnId }: Pick<Work, "child" | "turnId">): Promise<Used> {
  const records = await child.journal.records(child.agent.id)
  const first = records.findIndex((record) => record.kind === "start" && record.turnId === turnId)
  const ends = records.slice(Math.max(0, first)).filter(({ kind }) => kind === "end")
  const outcomes = await Promise.all(ends.map((end) => child.agent.result(end.turnId)))
  return {
    steps: outcomes.reduce((sum, { steps }) => sum + steps, 0),
    usage: outcomes.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
  }
}

type Used = Pick<TurnOutcome, "steps" | "usage">

/** What a turn was begun with; undefined when it was not. */
function startOf(records: readonly TurnRecord[], turnId: string): TurnInput | undefined {
  const start = records.find((record) => record.kind === "start" && record.turnId === turnId)
  return start?.kind === "start" ? (start.input as unknown as TurnInput) : undefined
}

/** The calls of turns that a rewind has hidden. */
function hiddenCalls(records: readonly TurnRecord[]): ReadonlySet<string> {
  const turns = hiddenTurns(records)
  const calls = records.flatMap((record) => {
    if (record.kind !== "step" || !turns.has(record.turnId)) return []
    return ((record.value as { readonly calls?: readonly { readonly id: string }[] } | null)?.calls ?? []).map(
      ({ id }) => id,
    )
  })
  return new Set(calls)
}

interface OpenChild {
  readonly entry: AgentEntry
  readonly manifest: AgentManifest
  readonly missing: readonly string[]
  /** Of the turn that the call starts. */
  readonly limits: TurnLimits | undefined
}

interface Work {
  readonly parent: AgentEntry
  readonly child: AgentEntry
  readonly callId: string
  readonly turnId: string
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function turnOf(callId: string): string {
  return `turn_${callId.slice("call_".length)}`
}

function reportId(callId: string): string {
  return `turn_report_${callId.slice("call_".length)}`
}

function isBackground({ tool, envelope, copyOf }: CallRecord): boolean {
  // The subagent of a copied call was started by the session that it was copied from, and reports there.
  if (tool !== "task" || envelope?.type !== "output" || copyOf !== undefined) return false
  const data = envelope.data as { readonly session_id?: unknown; readonly output?: unknown }
  return typeof data.session_id === "string" && data.output === undefined
}
