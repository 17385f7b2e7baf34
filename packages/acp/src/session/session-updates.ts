import {
  type AgentContext,
  methods,
  type PlanEntry,
  type SessionUpdate,
  type ToolCallContent,
} from "@agentclientprotocol/sdk/unstable"
import { EventQueue } from "@haft/agent"
import {
  bestEffort,
  type CallRecord,
  type Mode,
  type SessionEvent,
  type Todo,
  type TurnOutcome,
  type TurnRecord,
} from "@haft/contract"
import { type CallUpdateOptions, CallUpdates } from "./call-updates.js"
import { replayed } from "./replay.js"

/** How the updates of a session are sent. */
export interface SessionUpdatesOptions extends Omit<CallUpdateOptions, "send"> {
  /** The mode is another one now: the person chose it, gave an answer, or approved a plan. */
  readonly onMode: () => Promise<void>
}

/** Sends what happens in a session to the editor, in order. A turn counts as ended when all before its end was sent. */
export class SessionUpdates {
  readonly calls: CallUpdates
  private readonly client: AgentContext
  private readonly options: SessionUpdatesOptions
  private readonly queue = new EventQueue()
  private readonly waiting = new Map<string, (outcome: TurnOutcome) => void>()
  private readonly children = new Set<string>()
  /** Replies and calls that the editor has already, by `turn/step` and by id. */
  private readonly known = new Set<string>()
  private readonly streamed = new Map<string, string>()
  private mode: Mode | undefined

  constructor(options: SessionUpdatesOptions) {
    this.options = options
    this.client = options.client
    this.calls = new CallUpdates({
      ...options,
      send: (update) =>
        void bestEffort(
          "an editor that is gone sees no output",
          this.send({ sessionUpdate: "tool_call_update", ...update }),
        ),
    })
  }

  push(event: SessionEvent): void {
    this.queue.push(event)
  }

  /** Begins to send, after what an earlier process recorded: replayed, or only noted as known. */
  async begin(
    history: { readonly turns: readonly TurnRecord[]; readonly calls: readonly CallRecord[] },
    { replay }: { readonly replay: boolean },
  ): Promise<void> {
    for (const { key, updates } of replayed(history)) {
      this.known.add(key)
      if (!replay) continue
      for (const update of updates)
        await this.send(
          "callId" in update ? { sessionUpdate: "tool_call", ...(await this.calls.recorded(update)) } : update,
        )
    }
    this.mode = this.options.session().agent.session.mode
    void bestEffort("an editor that is gone gets no more", this.pump())
  }

  /** How a turn ends, once everything that happened in it was sent. */
  ended(turn: string): Promise<TurnOutcome> {
    return new Promise((resolve) => {
      this.waiting.set(turn, resolve)
    })
  }

  /** Says which mode holds, where it is another one than before. */
  async tellMode(): Promise<void> {
    const { mode } = this.options.session().agent.session
    if (mode === this.mode) return
    this.mode = mode
    await this.options.onMode()
  }

  /** Words that are not the model's. Diffs belong to a call in the protocol, so they come as one that has ended. */
  async say(words: string, diffs: readonly ToolCallContent[] = []): Promise<void> {
    await this.send({ sessionUpdate: "agent_message_chunk", content: text(words) })
    if (diffs.length === 0) return
    const toolCallId = this.options.session().agent.session.newId("call")
    const shown = { title: "Changes of this session", kind: "read", status: "completed" } as const
    await this.send({ sessionUpdate: "tool_call", toolCallId, ...shown, content: [...diffs] })
  }

  async send(update: SessionUpdate): Promise<void> {
    const sessionId = this.options.session().agent.id
    await this.client.notify(methods.client.session.update, { sessionId, update })
  }

  /** Sends no more. Who waits for a turn hears that it is not followed any longer. */
  end(): void {
    this.queue.end()
    for (const resolve of this.waiting.values()) resolve(unfollowed)
    this.waiting.clear()
  }

  private async pump(): Promise<void> {
    for await (const event of this.queue) await this.show(event)
  }

  private async show(event: SessionEvent): Promise<void> {
    if (event.type === "child-start") this.children.add(event.child)
    if (this.isKnown(event)) return
    const update = await this.updateOf(event)
    if (update) await this.send(update)
    await this.tellMode()
    if (event.type !== "turn-end" && event.type !== "reply-restart") return
    for (const dropped of this.calls.dropUnfinished(event.turn)) {
      await this.send({ sessionUpdate: "tool_call_update", ...dropped })
    }
    if (event.type === "reply-restart") return
    this.waiting.get(event.turn)?.(event.outcome)
    this.waiting.delete(event.turn)
  }

  /** What was replayed, and what a subagent says: that is for the agent which started it. Its calls are shown. */
  private isKnown(event: SessionEvent): boolean {
    if ("step" in event) return this.children.has(event.session) || this.known.has(`${event.turn}/${event.step}`)
    if ("call" in event) return this.known.has(event.call)
    return event.type === "todo" && this.children.has(event.session)
  }

  private async updateOf(event: SessionEvent): Promise<SessionUpdate | undefined> {
    switch (event.type) {
      case "text-delta": {
        const messageId = `${event.turn}/${event.step}`
        this.streamed.set(messageId, (this.streamed.get(messageId) ?? "") + event.delta)
        return { sessionUpdate: "agent_message_chunk", messageId, content: text(event.delta) }
      }
      case "reasoning-delta": {
        const messageId = `${event.turn}/${event.step}/reasoning`
        return { sessionUpdate: "agent_thought_chunk", messageId, content: text(event.delta) }
      }
      case "reply-restart":
        return this.startAgain(`${event.turn}/${event.step}`)
      case "reply":
        return this.settled(`${event.turn}/${event.step}`, event.text)
      case "tool-input-start": {
        const begun = this.calls.writing(event)
        return begun && { sessionUpdate: "tool_call", ...begun }
      }
      case "tool-input-delta": {
        const update = this.calls.wrote(event.call, event.delta)
        return update && { sessionUpdate: "tool_call_update", ...update }
      }
      case "tool-call": {
        const { isNew, call } = this.calls.begun(event)
        return isNew ? { sessionUpdate: "tool_call", ...call } : { sessionUpdate: "tool_call_update", ...call }
      }
      case "tool-start":
        return { sessionUpdate: "tool_call_update", ...(await this.calls.started(event.call, event.tool)) }
      case "tool-output-delta": {
        const update = this.calls.output(event.call, event.delta)
        return update && { sessionUpdate: "tool_call_update", ...update }
      }
      case "tool-end":
        return { sessionUpdate: "tool_call_update", ...(await this.calls.ended(event)) }
      case "todo":
        return { sessionUpdate: "plan", entries: planOf(event.todos) }
      case "message":
        return { sessionUpdate: "agent_message_chunk", content: text(messageText(event)) }
      case "error":
        return { sessionUpdate: "agent_message_chunk", content: text(`Note: ${event.message}\n`) }
      default:
        return undefined
    }
  }

  private startAgain(messageId: string): SessionUpdate | undefined {
    const hadText = this.streamed.delete(messageId)
    return hadText ? { sessionUpdate: "agent_message_chunk", messageId, content: text(begunAgain) } : undefined
  }

  /** A reply that was begun again has another text than its pieces: then all of it is sent once more. */
  private settled(messageId: string, whole: string): SessionUpdate | undefined {
    const before = this.streamed.get(messageId) ?? ""
    this.streamed.delete(messageId)
    if (whole === before) return undefined
    const rest = whole.startsWith(before) ? whole.slice(before.length) : `${begunAgain}${whole}`
    return { sessionUpdate: "agent_message_chunk", messageId, content: text(rest) }
  }
}

const begunAgain = "\n\n(the reply was begun again)\n\n"

const unfollowed: TurnOutcome = {
  reason: "aborted",
  text: "",
  steps: 0,
  usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  message: "the session was closed; its turn goes on when it is opened again",
}

function text(value: string) {
  return { type: "text" as const, text: value }
}

function messageText({ message, attachments }: Extract<SessionEvent, { type: "message" }>): string {
  return [message, ...attachments.map(({ path, size }) => `${path} (${size} bytes)`)].join("\n")
}

/** A list of things to do as a plan, whole each time. What was cancelled is left out; all are of one priority. */
function planOf(todos: readonly Todo[]): PlanEntry[] {
  return todos.flatMap(({ content, status }) =>
    status === "cancelled" ? [] : [{ content, status, priority: "medium" as const }],
  )
}
