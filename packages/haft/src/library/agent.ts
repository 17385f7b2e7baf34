import type {
  Dialect,
  OpenWait,
  Person,
  SendOptions,
  SessionEvent,
  TurnInput,
  TurnLimits,
  TurnOutcome,
} from "@haft/contract"

/** A model of an AI SDK provider: `LanguageModelV3` or `LanguageModelV4` as far as it must be known here. */
export interface ProviderModel {
  readonly specificationVersion: "v3" | "v4"
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<unknown>
}

/** How an agent is made. */
export interface AgentOptions {
  /** A model of any AI SDK provider, or `PROVIDER:NAME`, or `script:FILE`. */
  readonly model: ProviderModel | string
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
  /** Tokens that the model reads at the most; by default what Haft knows of it. A longer conversation is made shorter in time. */
  readonly contextTokens?: number
  /** Writes the summary of a conversation that gets too long: a cheaper model, say. The model itself by default. */
  readonly summaryModel?: ProviderModel | string
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
  /**
   * What happens until nothing works for the agent any more: the turns in which it reads reports of work in the background.
   * Ends at once where there is none.
   */
  rest(options?: { readonly signal?: AbortSignal }): AsyncIterableIterator<SessionEvent>
  /** The asks and questions that wait for an answer. */
  waits(): Promise<readonly OpenWait[]>
  /** Answers one of them by its name; the first answer wins, from whichever place it comes. */
  answer(wait: string, value: unknown): Promise<"taken" | "unknown" | "already">
  /** Aborts the turn that runs and those that wait, with everything that they started. */
  abort(reason?: string): Promise<boolean>
  /** Goes on with turns that an earlier process left open; resolves to their ids. */
  resume(): Promise<readonly string[]>
  /** Lets go of the session: it can be opened again by its id. */
  close(): Promise<void>
}
