import { type Content, canonicalJson, type Envelope, ToolError, type ToolResult } from "@haft/contract"
import { jsonSchema, type ToolSet } from "ai"
import type { Session } from "./library/session.js"

/** How the tools of a session are handed to the AI SDK. */
export interface AiToolsOptions {
  /**
   * Who answers where a call must be asked about: `sdk`, the default, makes it an approval request of the AI SDK; `person` leaves it
   * to the person of the Haft.
   */
  readonly approval?: "sdk" | "person"
}

/** What a call gives to the program: pieces of output while it runs, then everything. */
export type AiToolOutput =
  | { readonly type: "running"; readonly output: string }
  | (Envelope & { readonly content: readonly Content[] })

/** The tools of a session, ready for `generateText`, `streamText` and agents of the AI SDK. */
export interface AiTools {
  /** With AI SDK 6 this is all that is needed; a call that must be asked about says so by `needsApproval`. */
  readonly tools: ToolSet
  /** For the option `toolApproval` of AI SDK 7: the same decision, with the reason for the person who approves. */
  readonly toolApproval: (options: { readonly toolCall: AiToolCall }) => Promise<AiApproval>
}

/** A call as the AI SDK names it. */
export interface AiToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

/** Whether a call needs a person, in the words of AI SDK 7. */
export type AiApproval =
  | { readonly type: "not-applicable" }
  | { readonly type: "user-approval"; readonly reason: string }

/** Makes a tool set of a session: every call takes the same guarded path as any other, and is in the journal. */
export function aiTools(session: Session, { approval = "sdk" }: AiToolsOptions = {}): AiTools {
  const approvals = new Approvals(session, approval)
  const offered = session.tools({ format: "mcp" })
  const tools: ToolSet = Object.fromEntries(
    offered.map(({ name, title, description, inputSchema, annotations }) => [
      name,
      {
        description,
        metadata: { title, readOnly: annotations.readOnlyHint },
        // Not validated there: what models get wrong is mended, or answered in words that a model can act on.
        inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
        needsApproval: async (input: unknown, { toolCallId }: { readonly toolCallId: string }) =>
          (await approvals.decide({ toolCallId, toolName: name, input })).type === "user-approval",
        execute: (input: unknown, { toolCallId, abortSignal }: ExecuteOptions) =>
          run(session, { toolCallId, toolName: name, input }, { approvals, abortSignal }),
        toModelOutput: ({ output }: { readonly output: unknown }) => modelOutput(output as AiToolOutput),
      },
    ]),
  )
  return { tools, toolApproval: ({ toolCall }) => approvals.decide(toolCall) }
}

interface ExecuteOptions {
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal | undefined
}

// Enough for calls that wait for somebody; an approval that is older is asked for again.
const maxAsked = 1000

/** The calls that a person was asked about here. An approval holds for the very call that was shown. */
class Approvals {
  private readonly session: Session
  private readonly approval: NonNullable<AiToolsOptions["approval"]>
  private readonly asked = new Map<string, string>()

  constructor(session: Session, approval: NonNullable<AiToolsOptions["approval"]>) {
    this.session = session
    this.approval = approval
  }

  async decide(call: AiToolCall): Promise<AiApproval> {
    const reason = this.approval === "sdk" ? await this.whyAsked(call) : undefined
    if (reason === undefined) return { type: "not-applicable" }
    this.asked.set(call.toolCallId, fingerprint(call))
    if (this.asked.size > maxAsked) this.asked.delete(this.asked.keys().next().value!)
    return { type: "user-approval", reason }
  }

  /** Whether this call was asked about here, and is run now because somebody approved it. Holds once. */
  take(call: AiToolCall): boolean {
    const isAsked = this.asked.get(call.toolCallId) === fingerprint(call)
    this.asked.delete(call.toolCallId)
    return isAsked
  }

  /** Undefined for what is allowed, and for what is refused or cannot be judged: then the call itself says why. */
  private async whyAsked({ toolName, input }: AiToolCall): Promise<string | undefined> {
    try {
      const { ladder } = await this.session.explain(toolName, input)
      const isForPerson = ladder.verdict === "ask" || ladder.rungs.at(-1)?.rung === "person"
      return isForPerson && ladder.verdict !== "allow" ? ladder.reason : undefined
    } catch (error) {
      if (ToolError.is(error)) return undefined
      throw error
    }
  }
}

function fingerprint({ toolName, input }: AiToolCall): string {
  return canonicalJson([toolName, input])
}

// What a reader of preliminary results is shown of a long output.
const maxShown = 16_000

/** Runs a call; what it prints meanwhile are preliminary results, and the last value is the result. */
async function* run(
  session: Session,
  call: AiToolCall,
  { approvals, abortSignal }: { readonly approvals: Approvals; readonly abortSignal: AbortSignal | undefined },
): AsyncGenerator<AiToolOutput> {
  let output = ""
  let wake: () => void = () => undefined
  const options = {
    fromModel: true,
    ...(abortSignal && { signal: abortSignal }),
    ...(approvals.take(call) && { answer: "once" as const }),
    onOutput(delta: string) {
      output = (output + delta).slice(-maxShown)
      wake()
    },
  }
  let ended: ToolResult | undefined
  const running = session.result(call.toolName, call.input, options).then((result) => {
    ended = result
  })
  for (let shown = ""; !ended; ) {
    const more = new Promise<void>((resolve) => {
      wake = resolve
    })
    await Promise.race([running, more])
    if (ended || output === shown) continue
    shown = output
    yield { type: "running", output }
  }
  const { envelope, content } = ended
  yield { ...envelope, content }
}

/** What the model reads of a result. */
function modelOutput(output: AiToolOutput) {
  if (output.type === "running") return { type: "text" as const, value: output.output }
  const text = output.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  if (output.type === "error") return { type: "error-text" as const, value: text }
  const images = output.content.flatMap((part) =>
    part.type === "image" ? [{ type: "image-data" as const, data: part.data, mediaType: part.mediaType }] : [],
  )
  if (images.length === 0) return { type: "text" as const, value: text }
  return { type: "content" as const, value: [{ type: "text" as const, text }, ...images] }
}
