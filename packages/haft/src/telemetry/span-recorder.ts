import type { Compaction, Envelope, SessionEvent, Usage } from "@haft/contract"
import { names, providerOf } from "./names.js"
import { type AttributeValue, newSpanId, type Span } from "./otlp-exporter.js"

/** What is known of the agent of a session. */
export interface AgentFacts {
  readonly agent: string
  readonly model: string
  readonly provider: string
}

/** What spans are made with. */
export interface SpanOptions {
  readonly add: (span: Span) => void
  /** The attribute that names the provider of a model. */
  readonly providerName: string
  /** Writes arguments and results as texts without secrets; absent where they are not wanted. */
  readonly content?: (value: unknown) => string
}

/** A span that has begun. */
interface Open {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly startedAt: number
  readonly attributes: Record<string, AttributeValue | undefined>
}

interface OpenTurn extends Open {
  compaction: Open | undefined
  /** When the model began to work on the next reply. */
  askedAt: number
  steps: number
}

interface OpenCall extends Open {
  readonly session: string
  wait: Open | undefined
  waitedMs: number
  wasAsked: boolean
}

type StartedCall = Pick<Extract<SessionEvent, { type: "tool-call" }>, "session" | "call" | "tool" | "arguments" | "at">

/** Makes spans of the events of sessions: a turn with its replies, calls and waits for a person below it. */
export class SpanRecorder {
  private readonly options: SpanOptions
  private readonly agents = new Map<string, AgentFacts>()
  private readonly turns = new Map<string, OpenTurn>()
  private readonly calls = new Map<string, OpenCall>()
  /** The call that a session works for. */
  private readonly startedBy = new Map<string, Open>()

  constructor(options: SpanOptions) {
    this.options = options
  }

  /** Tells who works in a session, before its first turn. */
  describe(session: string, facts: AgentFacts): void {
    this.agents.set(session, { ...facts, provider: providerOf(facts.provider) })
  }

  /** The session is closed. */
  forget(session: string): void {
    this.agents.delete(session)
    this.turns.delete(session)
    this.startedBy.delete(session)
    for (const [id, call] of this.calls) if (call.session === session) this.calls.delete(id)
  }

  hear(event: SessionEvent): void {
    if (event.type === "turn-start") this.startTurn(event)
    else if (event.type === "reply") this.endReply(event)
    else if (event.type === "compaction-start") this.startCompaction(event)
    else if (event.type === "compaction-end") this.endCompaction(event.session, event.at, event)
    else if (event.type === "turn-end") this.endTurn(event)
    else if (event.type === "tool-call") this.startCall(event)
    else if (event.type === "ask" || event.type === "question") this.startWait(event)
    else if (event.type === "answer") this.endWait(event.call, event.at, event.answer)
    else if (event.type === "tool-end") this.endCall(event)
    else if (event.type === "child-start") this.startChild(event)
  }

  private startChild({ call, child }: Extract<SessionEvent, { type: "child-start" }>): void {
    const open = this.calls.get(call)
    if (open) this.startedBy.set(child, open)
  }

  private startTurn({ session, turn, at }: Extract<SessionEvent, { type: "turn-start" }>): void {
    const { agent = "haft", model, provider } = this.agents.get(session) ?? {}
    const attributes = {
      [names.operation]: "invoke_agent",
      [names.agentName]: agent,
      [names.conversation]: session,
      [names.requestModel]: model,
      [this.options.providerName]: provider,
      [names.turn]: turn,
    }
    const open = opened(`invoke_agent ${agent}`, at, this.startedBy.get(session), attributes)
    this.turns.set(session, { ...open, compaction: undefined, askedAt: at, steps: 0 })
  }

  private startCompaction({ session, step, at }: Extract<SessionEvent, { type: "compaction-start" }>): void {
    const turn = this.turns.get(session)
    if (!turn) return
    turn.compaction = opened("compact_conversation", at, turn, { [names.conversation]: session, [names.step]: step })
  }

  /** What a compaction takes is not the time of the reply that it makes room for. */
  private endCompaction(session: string, at: number, done: Compaction | undefined): void {
    const turn = this.turns.get(session)
    if (!turn?.compaction) return
    const { usage } = done ?? {}
    Object.assign(turn.compaction.attributes, {
      [names.leftOut]: done?.leftOut,
      [names.inputTokens]: usage && readTokens(usage),
      [names.outputTokens]: usage?.outputTokens,
      [names.cost]: usage?.cost,
    })
    this.end(turn.compaction, at, "internal", done ? undefined : "error")
    turn.compaction = undefined
    turn.askedAt = at
  }

  private endReply({ session, step, usage, at }: Extract<SessionEvent, { type: "reply" }>): void {
    const turn = this.turns.get(session)
    if (!turn) return
    const attributes = {
      [names.step]: step,
      [names.inputTokens]: readTokens(usage),
      [names.outputTokens]: usage.outputTokens,
      [names.cost]: usage.cost,
    }
    this.end(this.chat(turn, session, attributes), at, "client")
    turn.askedAt = at
    turn.steps = step
  }

  private chat(turn: OpenTurn, session: string, attributes: Open["attributes"]): Open {
    const { model = "model", provider } = this.agents.get(session) ?? {}
    return opened(`chat ${model}`, turn.askedAt, turn, {
      [names.operation]: "chat",
      [names.requestModel]: model,
      [this.options.providerName]: provider,
      [names.conversation]: session,
      ...attributes,
    })
  }

  private endTurn({ session, outcome, at }: Extract<SessionEvent, { type: "turn-end" }>): void {
    const turn = this.turns.get(session)
    if (!turn) return
    const isCompacting = turn.compaction !== undefined
    this.endCompaction(session, at, undefined)
    this.turns.delete(session)
    for (const [id, call] of this.calls) if (call.session === session) this.abandon(id, call, at)
    const { reason, usage } = outcome
    const failed = reason === "done" ? undefined : reason
    // A model that failed gave no reply that would have ended its span.
    if (reason === "model-error" && !isCompacting) {
      // Not its words: what a provider says may quote what was sent.
      const chat = this.chat(turn, session, { [names.step]: turn.steps + 1, [names.errorType]: reason })
      this.end(chat, at, "client", reason)
    }
    Object.assign(turn.attributes, {
      [names.stopReason]: reason,
      [names.errorType]: failed,
      [names.inputTokens]: readTokens(usage),
      [names.outputTokens]: usage.outputTokens,
      [names.cost]: usage.cost,
    })
    this.end(turn, at, "internal", failed && reason)
  }

  private startCall({ session, call, tool, arguments: input, at }: StartedCall): void {
    const open = opened(`execute_tool ${tool}`, at, this.turns.get(session), {
      [names.operation]: "execute_tool",
      [names.toolName]: tool,
      [names.toolCall]: call,
      [names.toolType]: "function",
      [names.conversation]: session,
      [names.toolArguments]: this.options.content?.(input),
    })
    this.calls.set(call, { ...open, session, wait: undefined, waitedMs: 0, wasAsked: false })
  }

  /** A person's time is not the tool's. */
  private startWait({ type, call: id, at }: Extract<SessionEvent, { type: "ask" | "question" }>): void {
    const call = this.calls.get(id)
    if (!call || call.wait) return
    call.wait = opened("wait_for_person", at, call, { [names.waitKind]: type, [names.toolCall]: id })
    call.wasAsked ||= type === "ask"
  }

  private endWait(id: string, at: number, answer: string | undefined): void {
    const call = this.calls.get(id)
    if (!call?.wait) return
    call.waitedMs += Math.max(0, at - call.wait.startedAt)
    call.wait.attributes[names.answer] = answer
    this.end(call.wait, at, "internal")
    call.wait = undefined
  }

  private endCall({ call: id, tool, envelope, session, at }: Extract<SessionEvent, { type: "tool-end" }>): void {
    this.endWait(id, at, undefined)
    // A call of a tool that there is not only ends.
    if (!this.calls.has(id)) {
      this.startCall({ session, call: id, tool, arguments: undefined, at: at - envelope.metadata.duration_ms })
    }
    const call = this.calls.get(id)!
    this.calls.delete(id)
    // The name that a model used may have been another; only now it is known which tool it means.
    Object.assign(call.attributes, { [names.toolName]: tool }, this.endOf(call, envelope))
    const error = envelope.type === "error" ? (envelope.metadata.error_code ?? "error") : undefined
    this.end({ ...call, name: `execute_tool ${tool}` }, at, "internal", error)
    const turn = this.turns.get(session)
    if (turn) turn.askedAt = at
  }

  private endOf(call: OpenCall, envelope: Envelope): Open["attributes"] {
    const code = envelope.type === "error" ? (envelope.metadata.error_code ?? "error") : undefined
    const verdict = code === "denied" ? "deny" : call.wasAsked ? "ask" : "allow"
    return {
      [names.errorType]: code,
      [names.verdict]: verdict,
      [names.waitMs]: call.wasAsked ? Math.round(call.waitedMs) : undefined,
      [names.truncated]: envelope.type === "output" ? envelope.metadata.truncated : undefined,
      [names.toolResult]: this.options.content?.(envelope.type === "output" ? envelope.data : envelope.error_text),
    }
  }

  private abandon(id: string, call: OpenCall, at: number): void {
    this.endWait(id, at, undefined)
    this.calls.delete(id)
    call.attributes[names.errorType] = "aborted"
    this.end(call, at, "internal", "aborted")
  }

  private end(open: Open, endedAt: number, kind: Span["kind"], error?: string): void {
    const { traceId, spanId, parentId, name, startedAt, attributes } = open
    this.options.add({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, error })
  }
}

function readTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens
}

function opened(name: string, at: number, parent: Open | undefined, attributes: Open["attributes"]): Open {
  const traceId = parent?.traceId ?? newSpanId(16)
  return { traceId, spanId: newSpanId(8), parentId: parent?.spanId, name, startedAt: at, attributes }
}
