import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type ElicitationContentValue,
  methods,
  type PermissionOption,
  type RequestPermissionRequest,
} from "@agentclientprotocol/sdk/unstable"
import {
  type AskAnswer,
  type AskRequest,
  canonicalJson,
  nobodyAnswers,
  type Person,
  type Question,
  ToolError,
} from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { type AskContext, permissionRequest, rejectAlways } from "./permission.js"
import { formAnswers, questionForm } from "./question-form.js"

/** What the person of an editor's session needs. */
export interface EditorPersonOptions {
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  /** Known once the session is open: a turn that goes on may ask before. */
  readonly context: () => Promise<Omit<AskContext, "canEdit">>
  /** The editor ended the turn instead of answering. */
  readonly cancel: () => void
}

/** The person at an editor: asks are permission requests, questions are forms. */
export class EditorPerson implements Person {
  private readonly options: EditorPersonOptions
  private hasForms: boolean

  constructor(options: EditorPersonOptions) {
    this.options = options
    // Only a client that names forms has them.
    this.hasForms = options.capabilities.elicitation?.form != null
  }

  async ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer> {
    const { client, context } = this.options
    for (;;) {
      const asked = permissionRequest(request, { ...(await context()), canEdit: this.hasForms })
      const { outcome } = await client.request(methods.client.session.requestPermission, asked, cancelledBy(signal))
      if (outcome.outcome === "cancelled") return this.cancelled()
      if (outcome.optionId === rejectAlways) return this.rejectedAlways(request)
      const answer = answerOf(outcome.optionId, request)
      if (answer !== "edit") return answer
      const edited = await this.editedArguments(request, signal)
      if (edited !== undefined) return { answer: "edit", arguments: edited }
    }
  }

  async question(
    questions: readonly Question[],
    signal: AbortSignal,
    callId: string,
  ): Promise<readonly (readonly string[])[]> {
    const answers = this.hasForms ? await this.byForm(questions, signal, callId) : "no forms"
    if (answers !== "no forms") return answers
    const [only, ...more] = questions
    if (only?.options?.length && more.length === 0 && !only.multi_select) return this.byChoice(only, signal, callId)
    throw new ToolError("unavailable", nobodyAnswers)
  }

  /** Refuses calls like this one for the rest of the session: a rule that only narrows. */
  private async rejectedAlways({ proposal }: AskRequest): Promise<AskAnswer> {
    const { session } = await this.options.context()
    if (proposal) await session.addSessionRule({ ...proposal.rule, action: "deny" })
    return { answer: "reject", reason: "the person refuses calls like this one in this session" }
  }

  private cancelled(): AskAnswer {
    this.options.cancel()
    return { answer: "reject", reason: "the person cancelled the turn" }
  }

  private async byForm(questions: readonly Question[], signal: AbortSignal, callId: string) {
    const message = questions.map(({ question }) => question).join("\n")
    const content = await this.form({ message, callId, signal, requestedSchema: questionForm(questions) })
    if (content === "no forms") return content
    const answers = content && formAnswers(questions, content)
    if (answers) return answers
    throw declined()
  }

  /** A question with choices as a permission request whose options are the choices. */
  private async byChoice({ question, options = [] }: Question, signal: AbortSignal, callId: string) {
    const { client, context } = this.options
    const choices = options.map(({ label }, index): PermissionOption => {
      return { optionId: choiceId(index), name: visibleLine(label, 500), kind: "allow_once" }
    })
    const request: RequestPermissionRequest = {
      sessionId: (await context()).sessionId,
      toolCall: { toolCallId: callId, title: visibleLine(question, 1000), kind: "other", status: "in_progress" },
      options: [...choices, { optionId: "decline", name: "Decline to answer", kind: "reject_once" }],
    }
    const { outcome } = await client.request(methods.client.session.requestPermission, request, cancelledBy(signal))
    if (outcome.outcome === "cancelled") this.options.cancel()
    const chosen = outcome.outcome === "selected" && options.find((_, index) => choiceId(index) === outcome.optionId)
    if (chosen) return [[chosen.label]]
    throw declined()
  }

  /** The arguments as the person wants them; undefined where they left them alone. */
  private async editedArguments({ callId, arguments: current }: AskRequest, signal: AbortSignal): Promise<unknown> {
    let text = JSON.stringify(current, null, 2)
    let problem = ""
    for (;;) {
      const field = { type: "string" as const, title: "Arguments", description: "JSON", default: text }
      const message = `Edit the arguments of this call${problem}`
      const requestedSchema = { type: "object" as const, properties: { arguments: field }, required: ["arguments"] }
      const content = await this.form({ message, callId, signal, requestedSchema })
      if (content === "no forms" || typeof content?.arguments !== "string") return undefined
      text = content.arguments
      try {
        const edited = JSON.parse(text) as unknown
        return canonicalJson(edited) === canonicalJson(current) ? undefined : edited
      } catch (error) {
        problem = `: this is no JSON (${(error as Error).message})`
      }
    }
  }

  /** What the person wrote into a form; undefined where they left it. An editor that cannot show it is not asked again. */
  private async form({
    message,
    callId,
    signal,
    requestedSchema,
  }: FormRequest): Promise<FormContent | undefined | "no forms"> {
    const { client, context } = this.options
    const scope = { sessionId: (await context()).sessionId, toolCallId: callId }
    const request: CreateElicitationRequest = { mode: "form", message, requestedSchema, ...scope }
    try {
      const answer = await client.request(methods.client.elicitation.create, request, cancelledBy(signal))
      return answer.action === "accept"
        ? (((answer as { content?: FormContent }).content ?? {}) as FormContent)
        : undefined
    } catch {
      signal.throwIfAborted()
      this.hasForms = false
      return "no forms"
    }
  }
}

type FormContent = Readonly<Record<string, ElicitationContentValue>>

interface FormRequest {
  readonly message: string
  readonly callId: string
  readonly signal: AbortSignal
  readonly requestedSchema: ReturnType<typeof questionForm>
}

/** The answer of an option. One that was not offered allows nothing. */
function answerOf(optionId: string, { offers, proposal }: AskRequest): AskAnswer | "edit" {
  const answer = offers.find((offer) => offer === optionId)
  const rule = proposal && { rule: proposal.rule }
  if (answer === "edit") return "edit"
  if (answer === "session" || answer === "project") return { answer, ...rule }
  return answer === "once" || answer === "accept-edits" ? { answer } : { answer: "reject" }
}

function choiceId(index: number): string {
  return `choice_${index + 1}`
}

function declined(): ToolError {
  return new ToolError("denied", "Cannot go on with the question: the person declined to answer")
}

/** A request that is given up together with what asks. */
function cancelledBy(signal: AbortSignal) {
  return { cancellationSignal: signal, stopWaitingOnCancel: true }
}
