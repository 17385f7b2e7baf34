import {
  type Answer,
  type AskAnswer,
  type AskRequest,
  type ErrorCode,
  type Json,
  type Person,
  type Question,
  type StepScope,
  ToolError,
} from "@haft/contract"
import { hashOf } from "@haft/runtime"

/** Gives an answer to a wait of the turn that runs; the first answer wins. */
export type GiveAnswer = (name: string, value: Json) => void

/**
 * The person of a session with an agent: every ask and every question is a durable wait of the step that its call runs in,
 * answered from any door. A door that was given, for instance the terminal, is asked as well.
 */
export class TurnPerson implements Person {
  private readonly scopes = new Map<string, { readonly scope: StepScope; readonly give: GiveAnswer }>()
  private readonly door: Person | undefined
  private readonly onQuestion: (callId: string, name: string, questions: readonly Question[]) => void

  constructor(
    door: Person | undefined,
    onQuestion: (callId: string, name: string, questions: readonly Question[]) => void,
  ) {
    this.door = door
    this.onQuestion = onQuestion
  }

  /** From now on waits of this call belong to this step; gives what ends that. */
  enter(callId: string, scope: StepScope, give: GiveAnswer): () => void {
    this.scopes.set(callId, { scope, give })
    return () => void this.scopes.delete(callId)
  }

  async ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer> {
    const ask = { kind: "ask", request } as unknown as Json
    return this.wait<AskAnswer>(
      request.callId,
      waitName(request.callId, askDigest(request)),
      ask,
      signal,
      (door, closed) => door.ask(request, closed),
    )
  }

  async question(
    questions: readonly Question[],
    signal: AbortSignal,
    callId: string,
  ): Promise<readonly (readonly string[])[]> {
    const ask = { kind: "question", callId, questions } as unknown as Json
    const name = waitName(callId, hashOf(ask))
    this.onQuestion(callId, name, questions)
    const given = await this.wait<readonly (readonly string[])[] | Refusal>(callId, name, ask, signal, (door, closed) =>
      door.question(questions, closed, callId).catch(refusalOf),
    )
    if (isRefusal(given)) throw new ToolError(given.refused.code, given.refused.message)
    return given
  }

  private async wait<T>(
    callId: string,
    name: string,
    ask: Json,
    signal: AbortSignal,
    put: (door: Person, closed: AbortSignal) => Promise<unknown>,
  ): Promise<T> {
    const entered = this.scopes.get(callId)
    // A call that a person made beside the turns: the door alone is asked.
    if (!entered && this.door) return put(this.door, signal) as Promise<T>
    if (!entered) throw new ToolError("unavailable", "Cannot ask a person: the call belongs to no turn")
    const closed = new AbortController()
    if (this.door) this.knock(put(this.door, AbortSignal.any([signal, closed.signal])), name, entered.give)
    try {
      return answerValue(await entered.scope.wait<Json>(name, { ask, signal })) as T
    } finally {
      closed.abort()
    }
  }

  /** What a door answers is one answer among others; a door that fails rejects, unless somebody else was first. */
  private knock(answer: Promise<unknown>, name: string, give: GiveAnswer): void {
    answer.then(
      (value) => give(name, value as Json),
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        give(name, { answer: "reject", reason: `the question could not be put to a person (${why})` })
      },
    )
  }
}

/** How a door says that nobody there answers a question: the call then fails with these words. */
interface Refusal {
  readonly refused: { readonly code: ErrorCode; readonly message: string }
}

function refusalOf(error: unknown): Refusal {
  if (ToolError.is(error)) return { refused: { code: error.code, message: error.message } }
  throw error
}

function isRefusal(given: unknown): given is Refusal {
  return typeof given === "object" && given !== null && "refused" in given
}

/** The same request has the same name in every attempt; another preview is another request, which an old answer does not fit. */
function waitName(callId: string, digest: string): string {
  return `${callId}:${digest.slice(0, 16)}`
}

/** What a request asks, as a hash: how long the rungs took is no part of it. */
export function askDigest({ ladder, ...request }: AskRequest): string {
  return hashOf({ ...request, ladder: { ...ladder, rungs: ladder.rungs.map(({ ms: _, ...rung }) => rung) } })
}

function answerValue(answer: Answer<Json>): Json {
  if (answer.state === "answered") return answer.value
  throw new ToolError("cancelled", "Cannot go on with the question: nobody answered it before the turn ended")
}
