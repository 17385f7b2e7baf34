import type { AgentSession } from "@haft/agent"
import {
  bestEffort,
  type Json,
  type OpenWait,
  type SendOptions,
  type SessionEvent,
  ToolError,
  type TurnInput,
  type TurnOutcome,
} from "@haft/contract"
import { createId } from "@haft/store"
import type { Agent } from "./agent.js"

/** An agent whose session is open. */
export interface OpenAgent {
  readonly agent: AgentSession
  /** What happens until no turn runs and no work in the background is left. */
  rest(signal: AbortSignal | undefined): AsyncIterator<SessionEvent>
  waits(): Promise<readonly OpenWait[]>
  answer(wait: string, value: Json): Promise<"taken" | "unknown" | "already">
  abort(turn: string, reason?: string): Promise<boolean>
  /** Aborts every turn of the session, and of those that work for it. */
  abortAll(reason?: string): Promise<boolean>
  /** Asks another model from the next turn on. */
  useModel(model: string): Promise<void>
  close(): Promise<void>
}

/** An agent that opens its session at first use, once. */
export class LazyAgent implements Agent {
  private readonly make: () => Promise<OpenAgent>
  private opened: Promise<OpenAgent> | undefined
  private turn: string | undefined

  constructor(make: () => Promise<OpenAgent>) {
    this.make = make
  }

  async session(): Promise<string> {
    return (await this.ready()).agent.id
  }

  send(message: string | TurnInput, options: SendOptions = {}): AsyncIterableIterator<SessionEvent> {
    return new SentEvents(async () => {
      const { agent } = await this.ready()
      this.turn = options.turnId ?? createId("turn")
      return agent.send(message, { ...options, turnId: this.turn })
    })
  }

  rest({ signal }: { readonly signal?: AbortSignal } = {}): AsyncIterableIterator<SessionEvent> {
    return new SentEvents(async () => (await this.ready()).rest(signal))
  }

  get result(): Promise<TurnOutcome> {
    if (this.turn === undefined || !this.opened) {
      return Promise.reject(new ToolError("invalid_args", "There is no result: no message was sent"))
    }
    const turn = this.turn
    return this.opened.then(({ agent }) => agent.result(turn))
  }

  async waits(): Promise<readonly OpenWait[]> {
    return (await this.ready()).waits()
  }

  async answer(wait: string, value: unknown): Promise<"taken" | "unknown" | "already"> {
    return (await this.ready()).answer(wait, value as Json)
  }

  async abort(reason?: string): Promise<boolean> {
    return this.opened ? (await this.opened).abortAll(reason) : false
  }

  async resume(): Promise<readonly string[]> {
    return (await this.ready()).agent.resume()
  }

  async close(): Promise<void> {
    await (await this.opened)?.close()
  }

  private ready(): Promise<OpenAgent> {
    this.opened ??= this.make().catch((error: unknown) => {
      // A key that was missing may be there at the next message.
      this.opened = undefined
      throw error
    })
    return this.opened
  }
}

/** Events that begin with the first read: then the message is sent, or the session opened. */
class SentEvents implements AsyncIterableIterator<SessionEvent> {
  private readonly send: () => Promise<AsyncIterator<SessionEvent>>
  private sending: Promise<AsyncIterator<SessionEvent>> | undefined
  private events: AsyncIterator<SessionEvent> | undefined
  private isLeft = false

  constructor(send: () => Promise<AsyncIterator<SessionEvent>>) {
    this.send = send
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<SessionEvent> {
    return this
  }

  next(): Promise<IteratorResult<SessionEvent>> {
    return this.events?.next() ?? this.first()
  }

  async return(): Promise<IteratorResult<SessionEvent>> {
    this.isLeft = true
    const sent = this.sending && bestEffort("the read that sent the message says why it could not", this.sending)
    await (await sent)?.return?.()
    return { value: undefined, done: true }
  }

  private async first(): Promise<IteratorResult<SessionEvent>> {
    // A reader that left before its first read has sent nothing.
    if (this.isLeft && !this.sending) return { value: undefined, done: true }
    this.sending ??= this.send()
    this.events = await this.sending
    return this.events.next()
  }
}
