import { askDigest } from "@haft/agent"
import {
  type ApiAnswerRequest,
  type ApiAsk,
  type AskAnswer,
  type AskRequest,
  type Person,
  type Question,
  type SessionEvent,
  ToolError,
} from "@haft/contract"
import { hashOf } from "@haft/runtime"

type Answers = readonly (readonly string[])[]

interface Pending {
  readonly ask: ApiAsk
  readonly settle: (answer: AskAnswer | Answers | ToolError) => void
}

interface Answered {
  /** Absent when the call ended before anybody answered. */
  readonly by: string | undefined
  readonly answer: string
  readonly at: number
}

// Enough for everybody who may still have an old question on the screen.
const rememberedAnswers = 1000

/**
 * The questions of all sessions that wait for a person; answered from any page, and the first answer wins. A page that goes
 * away takes nothing with it. A question has the same id when its turn goes on after a restart.
 */
export class Inbox implements Person {
  private readonly pending = new Map<string, Pending>()
  private readonly answered = new Map<string, Answered>()
  private readonly listeners = new Set<() => void>()
  /** The sessions of calls that run: a question names only its call. */
  private readonly sessions = new Map<string, string>()

  hear(event: SessionEvent): void {
    if (event.type === "tool-call") this.sessions.set(event.call, event.session)
    else if (event.type === "tool-end") this.sessions.delete(event.call)
  }

  ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer> {
    const { sessionId: session, callId: call } = request
    const id = hashOf({ session, call, ask: askDigest(request) }).slice(0, 32)
    return this.wait({ id, session, call, since: Date.now(), kind: "ask", request }, signal) as Promise<AskAnswer>
  }

  question(questions: readonly Question[], signal: AbortSignal, callId: string): Promise<Answers> {
    const session = this.sessions.get(callId) ?? ""
    const id = hashOf({ session, callId, questions }).slice(0, 32)
    const ask: ApiAsk = { id, session, call: callId, since: Date.now(), kind: "question", questions }
    return this.wait(ask, signal) as Promise<Answers>
  }

  /** What waits, oldest first. */
  list(): readonly ApiAsk[] {
    return [...this.pending.values()].map(({ ask }) => ask)
  }

  answer(id: string, given: ApiAnswerRequest): void {
    const pending = this.pending.get(id)
    if (!pending) throw this.gone(id)
    const answer =
      pending.ask.kind === "ask" ? askAnswer(given, pending.ask.request) : questionAnswers(given, pending.ask.questions)
    this.pending.delete(id)
    this.remember(id, { by: given.from ?? "another page", answer: given.answer ?? "answers", at: Date.now() })
    pending.settle(answer)
    this.tell()
  }

  /** Calls back after every change; gives what ends that. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private wait(ask: ApiAsk, signal: AbortSignal): Promise<AskAnswer | Answers> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (this.pending.get(ask.id)?.settle !== settle) return
        this.pending.delete(ask.id)
        this.remember(ask.id, { by: undefined, answer: "none", at: Date.now() })
        this.tell()
        reject(new ToolError("cancelled", "Cannot go on with the question: the call ended before it was answered"))
      }
      const settle = (answer: AskAnswer | Answers | ToolError) => {
        signal.removeEventListener("abort", abort)
        if (answer instanceof ToolError) reject(answer)
        else resolve(answer)
      }
      signal.addEventListener("abort", abort, { once: true })
      this.answered.delete(ask.id)
      this.pending.set(ask.id, { ask, settle })
      if (signal.aborted) abort()
      else this.tell()
    })
  }

  private gone(id: string): ToolError {
    const answered = this.answered.get(id)
    if (!answered) {
      return new ToolError("not_found", "Cannot answer: nothing waits under this id", {
        hint: "See what waits: GET /api/asks",
      })
    }
    const { by: answeredBy, answer, at } = answered
    if (answeredBy === undefined) {
      return new ToolError("conflict", "Cannot answer: the call ended before anybody did", { details: { at } })
    }
    return new ToolError("conflict", `Cannot answer: it was answered first by ${answeredBy} (${answer})`, {
      hint: "The first answer counts; nothing is left to do",
      details: { answeredBy, answer, at },
    })
  }

  private remember(id: string, answered: Answered): void {
    this.answered.set(id, answered)
    const [oldest] = this.answered.keys()
    if (this.answered.size > rememberedAnswers && oldest !== undefined) this.answered.delete(oldest)
  }

  private tell(): void {
    for (const listener of this.listeners) listener()
  }
}

function askAnswer({ answer, reason, args, rule, answers }: ApiAnswerRequest, { offers }: AskRequest): AskAnswer {
  if (answers !== undefined || answer === undefined) throw wrong("it is a permission: give `answer`")
  if (!offers.includes(answer)) throw wrong(`"${answer}" is not offered; offered are ${offers.join(", ")}`)
  if (answer === "edit") {
    if (args === undefined) throw wrong("`edit` needs `args`")
    return { answer, arguments: args }
  }
  if (args !== undefined) throw wrong('`args` belong to the answer "edit"')
  if (answer === "reject") return { answer, ...(reason !== undefined && { reason }) }
  if (answer === "session" || answer === "project") return { answer, ...(rule !== undefined && { rule }) }
  return { answer }
}

function questionAnswers(
  { answer, reason, answers }: ApiAnswerRequest,
  questions: readonly Question[],
): Answers | ToolError {
  if (answer === "reject") {
    return new ToolError("denied", `The person declined to answer${reason ? `: ${reason}` : ""}`)
  }
  if (answers === undefined) throw wrong("it is a question: give `answers`, one list of texts for each question")
  if (answers.length !== questions.length) {
    throw wrong(`it has ${questions.length} questions and got ${answers.length} answers`)
  }
  const several = questions.findIndex((each, index) => !each.multi_select && answers[index]!.length > 1)
  if (several !== -1) throw wrong(`question ${several + 1} takes one answer`)
  return answers
}

function wrong(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot use this answer: ${reason}`)
}
