import { randomUUID } from "node:crypto"
import {
  type AskAnswer,
  type AskRequest,
  bestEffort,
  Cancellation,
  type Person,
  type Question,
  ToolError,
} from "@haft/contract"
import type { CallToolResult, ElicitRequestFormParams } from "@modelcontextprotocol/server"
import { askAnswer, askForm, type FormAnswer, questionAnswers, questionForm } from "./forms.js"
import { LiveOutput } from "./progress.js"

/** A question of a call that waits for the person at the client. */
export interface OpenQuestion {
  /** The name under which the client answers it; another one for each question of a call. */
  readonly key: string
  readonly form: ElicitRequestFormParams
}

/** What a call has reached, for the client that waits for it. */
export type Step =
  | { readonly at: "ended"; readonly result: CallToolResult }
  | { readonly at: "asks"; readonly question: OpenQuestion }

interface Waiting extends OpenQuestion {
  readonly answer: (answer: FormAnswer) => void
}

// As long as the state that a client sends back is valid.
export const answerMs = 600_000

/**
 * A call from its first request to its result. In the revision of 2026 a question ends the request, and the answer comes with
 * another one: the call itself waits here meanwhile, with everything that was shown.
 */
export class OpenCall implements Person {
  /** Aborts when the client cancels, goes away or never answers. */
  readonly signal = new Cancellation()
  private name: string | undefined
  private printed: LiveOutput | undefined
  private result: CallToolResult | undefined
  private waiting: Waiting | undefined
  private asked = 0
  private lastQuestion: Promise<unknown> = Promise.resolve()
  private readonly watchers: (() => void)[] = []

  constructor(private readonly askWords: (request: AskRequest) => Promise<string>) {}

  /** Made at first use: most calls are never named. */
  get id(): string {
    this.name ??= randomUUID()
    return this.name
  }

  get output(): LiveOutput {
    this.printed ??= new LiveOutput()
    return this.printed
  }

  abort(reason?: unknown): void {
    this.signal.abort(reason)
  }

  /** Cancels the call when this request is cancelled; gives what ends that. */
  follow(request: AbortSignal): () => void {
    const abort = () => this.abort()
    if (request.aborted) abort()
    request.addEventListener("abort", abort, { once: true })
    return () => request.removeEventListener("abort", abort)
  }

  end(result: CallToolResult): void {
    this.result = result
    this.changed()
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    while (this.result === undefined) await this.change()
  }

  /** Resolves with the result, or with the question that must be answered first. */
  next(): Promise<Step> {
    return new Promise((resolve) => this.onStep(resolve))
  }

  /** Tells once, when it has ended or asks. */
  onStep(tell: (step: Step) => void): void {
    const { step } = this
    if (step) tell(step)
    else this.watchers.push(() => this.onStep(tell))
  }

  /** What it has reached; undefined while it works. */
  get step(): Step | undefined {
    if (this.result) return { at: "ended", result: this.result }
    return this.waiting && { at: "asks", question: this.waiting }
  }

  /** Answers the question of that name; false when it is not open any more. */
  answer(key: string, answer: FormAnswer): boolean {
    if (this.waiting?.key !== key) return false
    const { waiting } = this
    this.waiting = undefined
    waiting.answer(answer)
    return true
  }

  async ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer> {
    const form = askForm(request, await this.askWords(request))
    return askAnswer(await this.put("permission", form, signal))
  }

  async question(questions: readonly Question[], signal: AbortSignal): Promise<readonly (readonly string[])[]> {
    return questionAnswers(questions, await this.put("question", questionForm(questions), signal))
  }

  /** One question at a time: a client answers what the last result asked. */
  private put(kind: string, form: ElicitRequestFormParams, signal: AbortSignal): Promise<FormAnswer> {
    const turn = this.lastQuestion.then(() => this.wait(`${kind}_${++this.asked}`, form, signal))
    this.lastQuestion = bestEffort("the caller gets the failure; the next question only waits", turn)
    return turn
  }

  private async wait(key: string, form: ElicitRequestFormParams, signal: AbortSignal): Promise<FormAnswer> {
    signal.throwIfAborted()
    let timer: NodeJS.Timeout | undefined
    let stop: () => void = () => undefined
    try {
      return await new Promise<FormAnswer>((resolve, reject) => {
        stop = () => reject(signal.reason)
        signal.addEventListener("abort", stop, { once: true })
        const late = () => reject(new ToolError("timeout", "Nobody answered in time"))
        timer = setTimeout(late, answerMs).unref()
        this.waiting = { key, form, answer: resolve }
        this.changed()
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener("abort", stop)
      this.waiting = undefined
    }
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.watchers.push(resolve))
  }

  private changed(): void {
    for (const wake of this.watchers.splice(0)) wake()
  }
}
