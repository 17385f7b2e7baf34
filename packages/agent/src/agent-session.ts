import type { LanguageModelV3 } from "@ai-sdk/provider"
import {
  bestEffort,
  type CallRecord,
  type Dialect,
  type Engine,
  type Json,
  type OpenWait,
  type Person,
  type PromptFile,
  type SendOptions,
  type SessionEvent,
  ToolError,
  type TurnInput,
  type TurnLimits,
  type TurnOutcome,
  type TurnPort,
  type TurnResult,
} from "@haft/contract"
import type { CallSession } from "@haft/runtime"
import { EventQueue } from "./event-queue.js"
import { cacheKey, type ModelClock } from "./model/index.js"
import type { Conversation } from "./turn/conversation.js"
import { TurnPerson } from "./turn/person.js"
import { conversationOf } from "./turn/recorded-conversation.js"
import { recordedOutcome } from "./turn/recorded-outcome.js"
import type { ModelHost } from "./turn/reply.js"
import { runTurn, type TurnHost } from "./turn/turn.js"
import { TurnState } from "./turn/turn-state.js"

/** What an agent's session is made of; chosen by the composition root. */
export interface AgentSessionOptions {
  readonly engine: Engine
  /** Opens the tools; with the given person asks and questions are durable waits. */
  readonly open: (person: Person) => Promise<CallSession>
  readonly model: LanguageModelV3
  readonly clock: ModelClock
  /** From 0 up to 1; spreads retries. */
  readonly random: () => number
  readonly newTurnId: () => string
  readonly systemPrompt: () => Promise<string>
  readonly dialect?: Dialect
  /** A door that is asked besides all others. */
  readonly door?: Person
  readonly limits?: TurnLimits
  readonly contextTokens?: number
  readonly summaryModel?: LanguageModelV3
  readonly settings?: ModelHost["settings"]
  /** Calls that the journal has of this session already. */
  readonly recordedCalls: () => Promise<readonly CallRecord[]>
}

/** A conversation with a model that has tools: messages become turns, one after another. */
export class AgentSession {
  readonly session: CallSession
  private readonly options: AgentSessionOptions
  private readonly person: TurnPerson | undefined
  private readonly outcomes = new Map<string, Promise<TurnOutcome>>()
  private readonly running = new Set<string>()
  /** The turn that was begun last. */
  private latest: string | undefined
  private turn: TurnState | undefined
  private calls: Promise<ReadonlyMap<string, CallRecord>> | undefined
  private conversation: Conversation | undefined
  private model: Pick<AgentSessionOptions, "model" | "contextTokens">

  private constructor(options: AgentSessionOptions, session: CallSession, person: TurnPerson | undefined) {
    this.options = options
    this.session = session
    this.person = person
    this.model = options
  }

  static async open(options: AgentSessionOptions): Promise<AgentSession> {
    let session: CallSession | undefined
    const person = new TurnPerson(options.door, (call, name, questions) =>
      session?.emit({ type: "question", call, wait: name, questions }),
    )
    session = await options.open(person)
    return new AgentSession(options, session, session.person === "headless" ? undefined : person)
  }

  get id(): string {
    return this.session.id
  }

  /** What is left of the limits of the turn that runs; undefined where there is none. */
  get limitsLeft(): TurnLimits | undefined {
    return this.turn?.limitsLeft(this.session.now())
  }

  /** An id for a turn that is about to be started. */
  newTurnId(): string {
    return this.options.newTurnId()
  }

  /** Sends a message; resolves to what happens until its turn ends. A message during a turn waits for the end of that one. */
  async send(
    message: string | TurnInput,
    { signal, turnId }: SendOptions = {},
  ): Promise<AsyncIterableIterator<SessionEvent>> {
    // A message that is refused takes nothing from the next one.
    const input = inputOf(message)
    const turn = turnId ?? this.newTurnId()
    const queue = new EventQueue(() => stop())
    for (const event of this.session.takeUnheard()) queue.push(event)
    const stop = this.session.listen((event) => {
      queue.push(event)
      if (event.type === "turn-end" && event.turn === turn) finish()
    })
    // Also for a reader that takes the last event and does not ask for more.
    const finish = () => {
      stop()
      queue.end()
    }
    // Nothing happens any more in a turn that has ended.
    if (this.outcomes.has(turn) && !this.running.has(turn)) finish()
    else {
      await this.start(input, { turnId: turn, ...(signal && { signal }) }).catch((error: unknown) => {
        stop()
        throw error
      })
      // A turn that cannot go on in this process has no end, and its result says why.
      void this.outcomes.get(turn)?.catch(finish)
    }
    return queue
  }

  /** Starts a turn; resolves to its id when the message is on disk. */
  async start(message: string | TurnInput, { signal, turnId }: SendOptions = {}): Promise<string> {
    const input = inputOf(message)
    const turn = turnId ?? this.newTurnId()
    await this.options.engine.start(this.id, turn, input as unknown as Json)
    this.follow(turn)
    const abort = () =>
      void bestEffort("a turn that cannot be recorded any more has stopped", this.abort(turn, reasonOf(signal)))
    if (signal?.aborted) abort()
    else if (signal) {
      signal.addEventListener("abort", abort, { once: true })
      // A signal may outlive many turns.
      const ended = bestEffort("an engine that closes leaves its turns open", this.result(turn))
      void ended.then(() => signal.removeEventListener("abort", abort))
    }
    return turn
  }

  /** Asks this model from the next turn on. */
  useModel(model: Pick<AgentSessionOptions, "model" | "contextTokens">): void {
    this.model = model
  }

  /** Goes on with the turns that an earlier process left open. */
  async resume(): Promise<readonly string[]> {
    const turns = await this.options.engine.resume(this.id)
    for (const turn of turns) this.follow(turn)
    return turns
  }

  /** How a turn ends. */
  async result(turnId: string): Promise<TurnOutcome> {
    const known = this.outcomes.get(turnId)
    return known ?? this.outcomeOf(turnId, await this.options.engine.result(this.id, turnId))
  }

  /** How the turns end that run or wait to run. */
  get runningResults(): readonly Promise<TurnOutcome>[] {
    return [...this.running].map((turn) => this.outcomes.get(turn)!)
  }

  /** How the turn ends that was started last; undefined when there is none. */
  get newestResult(): Promise<TurnOutcome> | undefined {
    return [...this.outcomes.values()].at(-1)
  }

  /** The asks and questions that nobody has answered. */
  waits(): Promise<readonly OpenWait[]> {
    return this.options.engine.waits(this.id)
  }

  /** Answers an ask or a question by the name of its wait; the first answer wins. */
  async answer(name: string, value: Json): Promise<"taken" | "unknown" | "already"> {
    const wait = (await this.waits()).find((each) => each.name === name)
    if (!wait) return "unknown"
    return this.options.engine.answer(this.id, wait.turnId, name, value)
  }

  /** Aborts a turn with everything that it started; false when it has ended. */
  abort(turnId: string, reason?: string): Promise<boolean> {
    return this.options.engine.abort(this.id, turnId, reason)
  }

  /** Aborts all turns that have not ended. */
  async abortAll(reason?: string): Promise<boolean> {
    const stopped = await Promise.all([...this.running].map((turn) => this.abort(turn, reason)))
    return stopped.some((each) => each)
  }

  /** Goes on behind this turn: those after it are hidden from the model. */
  async rewind(turnId: string): Promise<void> {
    await this.options.engine.rewind(this.id, turnId)
    this.conversation = undefined
  }

  /** The turn itself, for the engine. */
  async run(port: TurnPort, input: TurnInput): Promise<TurnOutcome> {
    const before = this.endBefore(port.turnId)
    if (before) await before
    this.session.emit({ type: "turn-start", turn: port.turnId, text: input.text })
    const conversation = this.conversation ?? (await this.earlier(port.turnId))
    // Another attempt begins with the record: what this one leaves half done must not be seen by it. Without a journal there
    // is none, and the results of calls are nowhere else.
    this.conversation = this.session.journal ? undefined : conversation
    this.turn = new TurnState(input.limits ?? this.options.limits ?? {})
    this.turn.spend(input.usage)
    try {
      const outcome = await runTurn(port, input, conversation, this.turn, this.host())
      this.conversation = conversation
      return outcome
    } finally {
      this.turn = undefined
    }
  }

  private host(): TurnHost {
    const { clock, random, dialect, summaryModel, settings, systemPrompt } = this.options
    const { model, contextTokens } = this.model
    return {
      session: this.session,
      person: this.person,
      dialect,
      model,
      clock,
      random,
      contextTokens,
      systemPrompt,
      recorded: async (callId) => (await this.recordedCalls()).get(callId),
      give: (turnId, name, value) =>
        void bestEffort(
          "an answer for a turn that has ended is not needed",
          this.options.engine.answer(this.id, turnId, name, value),
        ),
      ...(summaryModel && { summaryModel }),
      settings: { ...settings, providerOptions: { ...settings?.providerOptions, ...cacheKey(this.id) } },
    }
  }

  private async earlier(turnId: string): Promise<Conversation> {
    const records = await this.options.engine.history(this.id)
    this.calls = undefined
    const calls = await this.recordedCalls()
    this.session.offer.recall(calls.values(), this.options.dialect)
    return conversationOf(records, { before: turnId, calls })
  }

  private recordedCalls(): Promise<ReadonlyMap<string, CallRecord>> {
    this.calls ??= this.options.recordedCalls().then((calls) => new Map(calls.map((call) => [call.callId, call])))
    return this.calls
  }

  private follow(turn: string): void {
    if (this.outcomes.has(turn)) return
    const outcome = this.end(turn)
    this.outcomes.set(turn, outcome)
    this.running.add(turn)
    void bestEffort("an engine that closes leaves its turns open", outcome)
  }

  /** How a turn ends, once its listeners have been told. */
  private async end(turn: string): Promise<TurnOutcome> {
    let outcome: TurnOutcome
    try {
      outcome = await this.outcomeOf(turn, await this.options.engine.result(this.id, turn))
    } finally {
      this.running.delete(turn)
    }
    this.session.emit({ type: "turn-end", turn, outcome })
    // Messages behind a turn that failed are held back; somebody waits for those of this process.
    if (outcome.reason === "failed" && this.running.size > 0)
      void bestEffort("an engine that closes leaves its turns open", this.options.engine.resume(this.id))
    return outcome
  }

  private async outcomeOf(turn: string, result: TurnResult): Promise<TurnOutcome> {
    if (result.state === "done") return result.value as unknown as TurnOutcome
    const { engine, recordedCalls } = this.options
    const records = await bestEffort("the end of the turn is known without them", engine.history(this.id))
    const calls = await bestEffort("the end of the turn is known without them", recordedCalls())
    return recordedOutcome(turn, result, { records: records ?? [], calls: calls ?? [] })
  }

  /** The engine begins with a turn as soon as the one before is recorded, which may be before listeners know of its end. */
  private endBefore(turn: string): Promise<unknown> | undefined {
    const before = this.latest
    this.latest = turn
    if (before === undefined || before === turn || !this.running.has(before)) return undefined
    return bestEffort("an engine that closes leaves its turns open", this.outcomes.get(before)!)
  }
}

/** What a program sends may be anything; once it is on record, every later turn would meet it. */
function inputOf(message: string | TurnInput): TurnInput {
  const input: TurnInput = typeof message === "string" ? { text: message } : message
  if (!isInput(input)) {
    throw new ToolError("invalid_args", "Cannot send this message: it must be a string or { text, files }", {
      hint: 'A file is { name: "a.png", mediaType: "image/png", data } with its content as base64',
    })
  }
  if (input.text.trim() === "" && (input.files ?? []).length === 0) {
    throw new ToolError("invalid_args", "Cannot send an empty message", { hint: "Say what should be done" })
  }
  return input
}

function isInput(input: Partial<TurnInput> | undefined): boolean {
  const { text, files = [] } = input ?? {}
  const isText = (value: unknown) => typeof value === "string"
  const isFile = (file: Partial<PromptFile>) => [file?.name, file?.mediaType, file?.data].every(isText)
  return isText(text) && Array.isArray(files) && files.every(isFile)
}

function reasonOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason
  // Without a reason of its own a signal has one that says nothing.
  const isOwn = reason instanceof Error && reason.name !== "AbortError"
  return isOwn ? reason.message : "the caller aborted the turn"
}
