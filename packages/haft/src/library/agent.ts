import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { AgentSession, SendOptions, TurnInput, TurnLimits } from "@haft/agent"
import {
  type Dialect,
  type Json,
  type OpenWait,
  type Person,
  type SessionEvent,
  ToolError,
  type TurnOutcome,
} from "@haft/contract"
import { createId } from "@haft/store"

/** How an agent is made. */
export interface AgentOptions {
  /** A model of any AI SDK provider, or `PROVIDER:NAME`, or `script:FILE`. */
  readonly model: LanguageModelV3 | string
  /** The address of the provider, where it is not its own. */
  readonly baseUrl?: string
  /** An earlier session to go on with; its open turns are resumed. */
  readonly session?: string
  /** Comes first in the system prompt: who the agent is. */
  readonly instructions?: string
  /** Who answers asks and questions; the person of the Haft by default. With `events` they wait for `answer`. */
  readonly person?: "headless" | "events" | Person
  readonly dialect?: Dialect | string
  readonly limits?: TurnLimits
  /** Tokens that the model reads at the most; with it a long conversation is made shorter in time. */
  readonly contextTokens?: number
  /** Writes the replies of the model to this new file, which `script:FILE` replays; secrets are taken out. */
  readonly record?: string
}

/** A model with the tools of a Haft. Its session opens with the first message. */
export interface Agent {
  /** The id of its session. */
  session(): Promise<string>
  /** Sends a message and gives what happens until its turn ends. A reader that stops reading does not stop the turn. */
  send(message: string | TurnInput, options?: SendOptions): AsyncIterable<SessionEvent>
  /** How the turn of the last message ended. */
  readonly result: Promise<TurnOutcome>
  /** The asks and questions that wait for an answer. */
  waits(): Promise<readonly OpenWait[]>
  /** Answers one of them by its name; the first answer wins, from whichever place it comes. */
  answer(wait: string, value: unknown): Promise<"taken" | "unknown" | "already">
  /** Aborts the turn that runs, with everything that it started. */
  abort(reason?: string): Promise<boolean>
  /** Goes on with turns that an earlier process left open; resolves to their ids. */
  resume(): Promise<readonly string[]>
  /** Lets go of the session: it can be opened again by its id. */
  close(): Promise<void>
}

/** An agent whose session is open. */
export interface OpenAgent {
  readonly agent: AgentSession
  waits(): Promise<readonly OpenWait[]>
  answer(wait: string, value: Json): Promise<"taken" | "unknown" | "already">
  abort(turn: string, reason?: string): Promise<boolean>
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

  async *send(message: string | TurnInput, options: SendOptions = {}): AsyncGenerator<SessionEvent> {
    const { agent } = await this.ready()
    this.turn = options.turnId ?? createId("turn")
    yield* agent.send(message, { ...options, turnId: this.turn })
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
    if (this.turn === undefined || !this.opened) return false
    return (await this.opened).abort(this.turn, reason)
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
