import {
  type CallRecord,
  type Envelope,
  type Ladder,
  type RecordedAnswer,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from "@haft/contract"
import type { RecentCall } from "@haft/guard"
import type { CallSession } from "../session/call-session.js"
import { type CallRequest, hashOf, recordable } from "./call-request.js"
import type { SideOutputs } from "./context.js"

const unjudged: Ladder = { verdict: "deny", reason: "the call failed before it was judged", rungs: [], findings: [] }

/** What is known of a call so far; filled in on its way and written to the journal. */
export class CallDraft {
  readonly callId: string
  readonly sideOutputs: SideOutputs = {
    attachments: [],
    effects: [],
    ended: false,
    state: undefined,
    usage: undefined,
    sidecar: undefined,
  }
  readonly startedMs = performance.now()
  private readonly startedAt: number
  private readonly request: CallRequest
  private readonly session: CallSession
  private tool: ToolDefinition | undefined
  private input: unknown
  private inputHash: string | undefined
  private ladder = unjudged
  private answers: readonly RecordedAnswer[] | undefined
  private recordId: string | undefined
  private hasBegun = false

  constructor(request: CallRequest, session: CallSession) {
    this.request = request
    this.session = session
    this.callId = request.callId ?? session.newId("call")
    this.startedAt = session.now()
  }

  resolved(tool: ToolDefinition): void {
    this.tool = tool
    this.session.emit({
      type: "tool-call",
      call: this.callId,
      tool: tool.manifest.id,
      arguments: this.request.arguments,
    })
  }

  judged(ladder: Ladder, input: Readonly<Record<string, unknown>>, argumentsHash: string): void {
    this.ladder = ladder
    this.input = input
    this.inputHash = argumentsHash
  }

  answered(answer: Omit<RecordedAnswer, "at">): void {
    this.answers = [...(this.answers ?? []), { ...answer, at: this.session.now() }]
  }

  /** Before the work of a tool that must not run twice. */
  begin(): Promise<void> | undefined {
    this.hasBegun = true
    this.session.emit({ type: "tool-start", call: this.callId, tool: this.toolId })
    return this.tool?.manifest.retry === "never" ? this.session.journal?.begin(this.toRecord()) : undefined
  }

  /** At the end of every call: journal, watchdog's memory and event. */
  async settle(result: ToolResult): Promise<ToolResult> {
    const settled = withUnrecorded(result, await this.write(result))
    this.session.recent.add(this.toolId, this.argumentsHash(), settled.envelope)
    if (this.request.fromModel && this.tool) this.session.tainted.add(this.callId, this.tool, settled)
    this.session.emit({ type: "tool-end", call: this.callId, tool: this.toolId, envelope: settled.envelope })
    return settled
  }

  /** Why the record could not be written; the call has happened, so its result must not be lost with the record. */
  private write(result: ToolResult): Promise<string | undefined> | undefined {
    this.sideOutputs.ended = true
    // The turn goes on when the session is opened again, and makes this call then.
    const canBeMadeAgain = !this.hasBegun || (this.tool?.manifest.retry === "safe" && result.envelope.type === "error")
    if (this.request.fromModel && canBeMadeAgain && this.session.calls.isLeaving) return undefined
    return this.session.journal?.settle(this.toRecord(result)).then(() => undefined, wordsOf)
  }

  private get toolId(): string {
    return this.tool?.manifest.id ?? this.name
  }

  /** A name that is no string was refused; the journal and the events still need one. */
  private get name(): string {
    return typeof this.request.name === "string" ? this.request.name : `(${typeof this.request.name})`
  }

  private argumentsHash(): string {
    this.inputHash ??= hashOf(this.rawArguments())
    return this.inputHash
  }

  /** What the caller sent. A value that is no JSON, such as a circle, failed validation and cannot be written down. */
  private rawArguments(): unknown {
    if (this.input !== undefined) return this.request.arguments
    try {
      return JSON.parse(JSON.stringify(recordable(this.request.arguments)) ?? "null")
    } catch {
      return null
    }
  }

  private toRecord(result?: ToolResult): CallRecord {
    this.recordId ??= this.session.newId("prt")
    return {
      id: this.recordId,
      callId: this.callId,
      sessionId: this.session.id,
      tool: this.toolId,
      name: this.name,
      ...(this.request.principal ? { principal: this.request.principal.name } : {}),
      rawArguments: this.rawArguments(),
      arguments: this.input ?? null,
      argumentsHash: this.argumentsHash(),
      ladder: this.ladder,
      ...(this.answers ? { answers: this.answers } : {}),
      effects: this.sideOutputs.effects,
      ...(result ? { envelope: result.envelope } : {}),
      ...(result?.state === undefined ? {} : { state: result.state }),
      ...(result === undefined || this.request.callId === undefined ? {} : { text: textOf(result) }),
      startedAt: this.startedAt,
      endedAt: result ? this.session.now() : null,
    }
  }
}

function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n")
}

function wordsOf(error: unknown): string {
  if (ToolError.is(error) && error.hint !== undefined) return `${error.message}; ${error.hint}`
  return error instanceof Error ? error.message : String(error)
}

function withUnrecorded(result: ToolResult, unrecorded: string | undefined): ToolResult {
  if (unrecorded === undefined) return result
  const metadata = { ...result.envelope.metadata, unrecorded }
  const { content, attachments, state, whole } = result
  return {
    envelope: { ...result.envelope, metadata },
    content,
    attachments,
    ...(whole === undefined ? {} : { whole }),
    ...(state === undefined ? {} : { state }),
  }
}

// Enough to notice a loop; each entry holds on to an output.
const kept = 8

/** The last calls of a session, for the watchdog. */
export class RecentCalls {
  private calls: readonly RecentCall[] = []

  list(): readonly RecentCall[] {
    return this.calls
  }

  add(tool: string, argumentsHash: string, envelope: Envelope): void {
    const calls = this.calls.slice(1 - kept)
    calls.push(new EndedCall(tool, argumentsHash, envelope))
    this.calls = calls
  }
}

class EndedCall implements RecentCall {
  readonly tool: string
  readonly argumentsHash: string
  private readonly envelope: Envelope
  private hash: string | undefined

  constructor(tool: string, argumentsHash: string, envelope: Envelope) {
    this.tool = tool
    this.argumentsHash = argumentsHash
    this.envelope = envelope
  }

  /** Hashed only when somebody compares it: most calls are never repeated. */
  get resultHash(): string {
    this.hash ??= hashOf(this.envelope.type === "output" ? this.envelope.data : this.envelope.error_text)
    return this.hash
  }
}
