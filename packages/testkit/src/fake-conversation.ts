import { type Conversation, nobodyAnswers, type Question, ToolError, type UserMessage } from "@haft/contract"

/** What a test says about the person at the other end. */
export interface FakeConversationOptions {
  /** Answers for each call of `question`, in order; without them nobody is there. */
  readonly answers?: readonly (readonly (readonly string[])[])[]
  readonly plan?: { readonly approved: boolean; readonly reason?: string }
  readonly outputSchema?: Readonly<Record<string, unknown>>
  /** Stands for the check against the schema; by default everything fits. */
  readonly checkOutput?: (value: unknown) => readonly string[]
}

/** A conversation that is answered from a list, with the messages and questions that it got. */
export interface FakeConversation extends Conversation {
  readonly messages: readonly UserMessage[]
  readonly asked: readonly (readonly Question[])[]
  readonly plans: readonly string[]
}

/** A conversation whose person answers from a list. */
export function fakeConversation(options: FakeConversationOptions = {}): FakeConversation {
  const messages: UserMessage[] = []
  const asked: (readonly Question[])[] = []
  const plans: string[] = []
  return {
    messages,
    asked,
    plans,
    hasPerson: options.answers !== undefined || options.plan !== undefined,
    outputSchema: options.outputSchema,
    checkOutput: options.checkOutput ?? (() => []),
    tell: (message) => void messages.push(message),
    async question(questions) {
      asked.push(questions)
      const answers = options.answers?.[asked.length - 1]
      if (!answers) throw new ToolError("unavailable", nobodyAnswers)
      return answers
    },
    async reviewPlan(plan) {
      plans.push(plan)
      return options.plan ?? { approved: false, reason: "nobody is here to approve it" }
    },
  }
}
