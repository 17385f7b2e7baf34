import { type Conversation, nobodyAnswers, type Question, ToolError, type UserMessage } from "@haft/contract"
import type { ContextRequest } from "../call/context.js"

type Call = Pick<ContextRequest, "session" | "signal" | "callId" | "person" | "onEvent">

/** The conversation as one call sees it: its waits end with the call. */
export class CallConversation implements Conversation {
  private readonly call: Call

  constructor(call: Call) {
    this.call = call
  }

  get hasPerson(): boolean {
    return this.call.person !== "headless"
  }

  get outputSchema(): Conversation["outputSchema"] {
    return this.call.session.finalOutput?.schema
  }

  checkOutput(value: unknown): readonly string[] {
    return this.call.session.finalOutput?.problems(value) ?? []
  }

  tell(message: UserMessage): void {
    this.call.onEvent?.({ type: "message", ...message })
    this.call.session.emit({ type: "message", ...message })
  }

  async question(questions: readonly Question[]): Promise<readonly (readonly string[])[]> {
    const { person, callId } = this.call
    if (person === "headless") throw new ToolError("unavailable", nobodyAnswers)
    const { signal } = this.call.signal
    try {
      const answers: unknown = await person.question(questions, signal, callId)
      if (isAnswers(answers)) return answers
    } catch (error) {
      signal.throwIfAborted()
      if (ToolError.is(error)) throw error
      const why = error instanceof Error ? error.message : String(error)
      throw new ToolError("denied", `Cannot go on with the question: it could not be put to a person (${why})`)
    }
    throw new ToolError("denied", "Cannot go on with the question: the answer could not be understood")
  }

  async reviewPlan(plan: string): Promise<{ readonly approved: boolean; readonly reason?: string }> {
    if (!this.hasPerson) return { approved: false, reason: "nobody is here to approve it" }
    const question: Question = {
      header: "Plan",
      question: `${plan}\n\nCarry out this plan?`,
      options: [
        { label: approve, description: "Leave mode plan; every step is still judged" },
        { label: keepPlanning, description: "Or write what should be different" },
      ],
    }
    const answer = (await this.question([question]))[0]?.[0]
    if (answer !== approve) {
      return { approved: false, ...(answer === undefined || answer === keepPlanning ? {} : { reason: answer }) }
    }
    const { session } = this.call
    if (session.mode === "plan") session.setMode("ask")
    return { approved: true }
  }
}

function isAnswers(answers: unknown): answers is readonly (readonly string[])[] {
  const isList = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string")
  return Array.isArray(answers) && answers.every(isList)
}

const approve = "Carry it out"
const keepPlanning = "Keep planning"
