import type { CallView, Compaction, SessionEvent, Todo, TurnOutcome, Usage } from "@haft/contract"
import { endedCall } from "@haft/faces"

/** One row of a conversation. */
export type Entry =
  | { readonly kind: "person"; readonly key: string; readonly text: string; readonly at: number }
  | { readonly kind: "text"; readonly key: string; readonly text: string }
  | { readonly kind: "thinking"; readonly key: string; readonly text: string }
  | { readonly kind: "call"; readonly key: string; readonly call: string }
  /** The conversation is being made shorter; with `done` it was. */
  | { readonly kind: "compaction"; readonly key: string; readonly done?: Compaction }
  | { readonly kind: "message"; readonly key: string; readonly text: string }
  | { readonly kind: "end"; readonly key: string; readonly outcome: TurnOutcome }
  | { readonly kind: "error"; readonly key: string; readonly text: string }

/** A session that a call started. */
export interface Child {
  readonly id: string
  readonly call: string
  readonly agent: string
  readonly outcome?: TurnOutcome
}

// Older calls keep what their row shows; the timeline has the rest.
const maxWholeCalls = 400
const maxOutput = 200_000
const maxShownArgument = 200

/** What the page knows of one session, from its events. It changes in place: `version` says that it did. */
export class SessionStore {
  version = 0
  readonly entries: Entry[] = []
  readonly calls = new Map<string, CallView>()
  readonly children = new Map<string, Child>()
  todos: readonly Todo[] = []
  usage: Usage | undefined
  /** The turn that runs now. */
  turn: string | undefined
  private readonly places = new Map<string, number>()
  private readonly whole: string[] = []

  constructor(readonly session: string) {}

  /** Takes the next event. */
  apply(event: SessionEvent): void {
    const take = this.takers[event.type] as ((event: SessionEvent) => void) | undefined
    take?.(event)
    this.version += 1
  }

  /** The calls in the order in which they began. */
  callList(): readonly CallView[] {
    return [...this.calls.values()]
  }

  private readonly takers: Takers = {
    "turn-start": ({ turn, text, at }) => {
      this.turn = turn
      this.put({ kind: "person", key: `turn:${turn}`, text, at })
    },
    "text-delta": ({ turn, step, delta }) => this.extend("text", `text:${turn}:${step}`, delta),
    "reasoning-delta": ({ turn, step, delta }) => this.extend("thinking", `thinking:${turn}:${step}`, delta),
    "compaction-start": ({ turn, step }) => this.put({ kind: "compaction", key: `compaction:${turn}:${step}` }),
    "compaction-end": ({ turn, step, leftOut, summary, usage }) => {
      if (usage) this.spend(usage)
      const done = { leftOut, ...(summary !== undefined && { summary }) }
      this.put({ kind: "compaction", key: `compaction:${turn}:${step}`, done })
    },
    "reply-restart": ({ turn, step }) => {
      this.remove(`text:${turn}:${step}`, `thinking:${turn}:${step}`)
      this.dropUnwritten(turn)
    },
    reply: ({ turn, step, text, usage }) => {
      this.spend(usage)
      if (text !== "") this.put({ kind: "text", key: `text:${turn}:${step}`, text })
    },
    "turn-end": ({ turn, outcome }) => {
      this.turn = undefined
      this.dropUnwritten(turn)
      this.put({ kind: "end", key: `end:${turn}`, outcome })
    },
    todo: ({ todos }) => {
      this.todos = todos
    },
    message: ({ message }) => this.put({ kind: "message", key: `message:${this.entries.length}`, text: message }),
    error: ({ message }) => this.put({ kind: "error", key: `error:${this.entries.length}`, text: message }),
    "child-start": ({ call, child, agent }) => {
      this.children.set(child, { id: child, call, agent })
    },
    "child-end": ({ call, child, outcome }) => {
      this.children.set(child, { agent: "", ...this.children.get(child), id: child, call, outcome })
    },
    "tool-input-start": ({ call, tool, turn, at }) =>
      this.change(call, at, { tool, messageId: turn, phase: "args-streaming", argumentsText: "" }),
    "tool-input-delta": ({ call, delta, at }) =>
      this.change(call, at, { argumentsText: (this.calls.get(call)?.argumentsText ?? "") + delta }),
    "tool-call": ({ call, tool, arguments: args, at }) =>
      this.change(call, at, { tool, arguments: args, argumentsText: undefined, phase: "pending" }),
    ask: ({ call, request, at }) =>
      this.change(call, at, {
        tool: request.tool,
        arguments: request.arguments,
        request,
        phase: "awaiting-approval",
      }),
    question: ({ call, questions, at }) => this.change(call, at, { phase: "awaiting-approval", questions }),
    answer: ({ call, at }) => this.change(call, at, { phase: "pending", ...answered }),
    "tool-start": ({ call, tool, at }) => this.change(call, at, { tool, phase: "running", ...answered }),
    "tool-output-delta": ({ call, delta, at }) =>
      this.change(call, at, { output: ((this.calls.get(call)?.output ?? "") + delta).slice(-maxOutput) }),
    "tool-end": ({ call, tool, envelope, at }) => {
      this.change(call, at, { tool, ...endedCall(envelope), ...answered, endedAt: at })
      this.keepWhole(call)
    },
  }

  private spend(usage: Usage): void {
    this.usage = this.usage ? added(this.usage, usage) : usage
  }

  private change(id: string, at: number, changes: Changes): void {
    const before = this.calls.get(id)
    const merged = { tool: "", phase: "pending", startedAt: at, ...before, ...changes, id }
    // What was taken away is absent, as in a call that never had it.
    this.calls.set(id, Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as never)
    if (!before) this.put({ kind: "call", key: `call:${id}`, call: id })
  }

  private keepWhole(id: string): void {
    this.whole.push(id)
    if (this.whole.length <= maxWholeCalls) return
    const oldest = this.whole.shift()!
    const { data: _data, output: _output, model: _model, ...row } = this.calls.get(oldest)!
    this.calls.set(oldest, { ...row, arguments: shortened(row.arguments) })
  }

  private put(entry: Entry): void {
    const place = this.places.get(entry.key) ?? this.entries.length
    this.places.set(entry.key, place)
    this.entries[place] = entry
  }

  /** Calls whose arguments did not come to their end: the reply broke off. */
  private dropUnwritten(turn: string): void {
    const dropped = [...this.calls.values()].filter(
      ({ phase, messageId }) => phase === "args-streaming" && messageId === turn,
    )
    if (dropped.length === 0) return
    for (const { id } of dropped) this.calls.delete(id)
    this.remove(...dropped.map(({ id }) => `call:${id}`))
  }

  private remove(...keys: readonly string[]): void {
    const kept = this.entries.filter(({ key }) => !keys.includes(key))
    if (kept.length === this.entries.length) return
    this.entries.splice(0, this.entries.length, ...kept)
    this.places.clear()
    for (const [at, { key }] of kept.entries()) this.places.set(key, at)
  }

  private extend(kind: "text" | "thinking", key: string, delta: string): void {
    const before = this.entries[this.places.get(key) ?? -1]
    this.put({ kind, key, text: (before?.kind === kind ? before.text : "") + delta })
  }
}

/** Arguments as far as a row shows them; a file that was written is one. */
function shortened(args: unknown): unknown {
  if (typeof args !== "object" || args === null) return args
  const short = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === "string" ? value.slice(0, maxShownArgument) : undefined,
  ])
  return Object.fromEntries(short)
}

type Takers = {
  readonly [Type in SessionEvent["type"]]?: (event: Extract<SessionEvent, { type: Type }>) => void
}
type Changes = { [Key in keyof CallView]?: CallView[Key] | undefined }

const answered = { request: undefined, questions: undefined }

function added(one: Usage, other: Usage): Usage {
  const cost = one.cost === undefined && other.cost === undefined ? undefined : (one.cost ?? 0) + (other.cost ?? 0)
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    ...(cost !== undefined && { cost }),
  }
}
