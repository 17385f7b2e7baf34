import {
  type Content,
  type Envelope,
  type LanguageItem,
  type SandboxedCall,
  type Speech,
  type ToolDefinition,
  ToolError,
  type ToolResult,
  text,
  type Usage,
} from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import type { SideOutputs } from "./context.js"
import type { Bounded } from "./truncate.js"

/** What every envelope of a call carries. */
export interface CallFacts {
  readonly callId: string
  readonly sessionId: string
  readonly startedMs: number
}

/** What a call left besides its output. */
interface Left extends Pick<SideOutputs, "attachments" | "state" | "usage"> {
  readonly problems: readonly LanguageItem[]
  /** What of the arguments was left out. */
  readonly notes: readonly string[]
}

/** The result of a call that gave an output. */
export function outputResult(bounded: Bounded, facts: CallFacts, left: Left): ToolResult {
  return new OutputResult(bounded, facts, left)
}

/**
 * A class although nothing changes: a getter in an object literal gives every single result a shape of its own, which
 * only a full garbage collection removes, and with it everything that the call held.
 */
class OutputResult implements ToolResult {
  readonly envelope: Envelope
  readonly attachments: ToolResult["attachments"]
  declare readonly state?: unknown
  private readonly bounded: Bounded
  private readonly left: Left
  declare readonly whole?: () => readonly Content[]
  private worded: readonly Content[] | undefined

  constructor(bounded: Bounded, facts: CallFacts, left: Left) {
    this.envelope = { type: "output", data: bounded.data, metadata: outputMetadata(bounded, facts, left) }
    this.attachments = left.attachments
    if (left.state !== undefined) this.state = left.state
    this.bounded = bounded
    this.left = left
    const { whole } = bounded
    if (whole !== undefined) this.whole = () => [...whole(), ...this.rest()]
  }

  get content(): readonly Content[] {
    if (this.worded === undefined) {
      const content = this.bounded.content()
      const rest = this.rest()
      this.worded = rest.length === 0 ? content : [...content, ...rest]
    }
    return this.worded
  }

  private rest(): readonly Content[] {
    const { problems, notes } = this.left
    if (this.attachments.length === 0 && problems.length === 0 && notes.length === 0) return noContent
    return [
      ...images(this.attachments),
      ...(problems.length > 0 ? [problemText(problems)] : []),
      ...(notes.length > 0 ? [text(notes.map((note) => `[Note: ${note}]`).join("\n"))] : []),
    ]
  }
}

const noContent: readonly Content[] = []

function outputMetadata(bounded: Bounded, facts: CallFacts, { problems, notes, usage }: Left): Envelope["metadata"] {
  const common = metadata(facts)
  const isPlain = bounded.outputPath === undefined && problems.length === 0 && notes.length === 0
  if (isPlain && usage === undefined) return common
  return {
    ...common,
    ...(bounded.truncated ? { truncated: true } : {}),
    ...(bounded.outputPath ? { output_path: bounded.outputPath } : {}),
    ...(problems.length > 0 ? { diagnostics: problems } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...(usage === undefined ? {} : { usage }),
  }
}

function images(attachments: ToolResult["attachments"]): readonly Content[] {
  return attachments
    .filter((attachment) => attachment.mediaType.startsWith("image/"))
    .map((attachment) => ({ type: "image", mediaType: attachment.mediaType, data: attachment.data }))
}

// What only a person can mend is no reason for a model to stop.
const forPersons = "Only a person can change that: go on without it, or tell them what is missing"

/** The result of a call that failed, for whatever reason, in words that the caller can act on. */
export function errorResult(thrown: unknown, facts: CallFacts, speech: Speech, usage?: Usage): ToolResult {
  const error = ToolError.is(thrown) ? thrown : defect(thrown)
  // An error of another copy of the contract may have plain words alone.
  const hint =
    (error.hintFor ? error.hintFor(speech) : error.hint) ?? (error.fix === undefined ? undefined : forPersons)
  const message = withoutMiddle(error.message)
  const details = error.fix === undefined ? error.details : { ...(error.details as object | undefined), fix: error.fix }
  const envelope: Envelope = {
    type: "error",
    error_text: message,
    metadata: {
      ...metadata(facts),
      error_code: error.code,
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
      ...(usage === undefined ? {} : { usage }),
    },
  }
  const words = hint === undefined ? message : `${message}\n${hint}`
  return { envelope, content: [text(words)], attachments: [] }
}

// A message quotes the value that it is about, which a model may have made as long as it likes.
const mostCharacters = 8_000
const headCharacters = 5_000
const tailCharacters = 2_000

/** A message that a model can read: of a very long one its beginning and its end, where the reason is. */
function withoutMiddle(message: string): string {
  if (message.length <= mostCharacters) return message
  const left = message.length - headCharacters - tailCharacters
  return `${message.slice(0, headCharacters)}[... ${left} characters left out ...]${message.slice(-tailCharacters)}`.toWellFormed()
}

function metadata(facts: CallFacts): { duration_ms: number; call_id: string; session_id: string } {
  return {
    duration_ms: Math.round(performance.now() - facts.startedMs),
    call_id: facts.callId,
    session_id: facts.sessionId,
  }
}

function defect(thrown: unknown): ToolError {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new ToolError("internal", `A defect of the tool: ${message || "it failed without saying why"}`, {
    cause: thrown,
  })
}

/**
 * What a language server that is already running finds wrong in the files that an edit wrote, and did not find before.
 * Never waits long and never fails: without an answer there is nothing to say.
 */
export function newProblems(
  { manifest }: ToolDefinition,
  session: CallSession,
  scope: SandboxedCall,
  sideOutputs: SideOutputs,
): readonly LanguageItem[] | Promise<readonly LanguageItem[]> {
  return manifest.kind === "edit" ? problemsAfter(session, scope, sideOutputs) : []
}

async function problemsAfter(
  session: CallSession,
  scope: SandboxedCall,
  sideOutputs: SideOutputs,
): Promise<readonly LanguageItem[]> {
  const written = sideOutputs.effects.flatMap((effect) => (effect.kind === "fs.write" ? [effect.path] : []))
  const servers = session.ports.languages(scope)
  const answers = await Promise.all(written.map((path) => servers.afterWrite(path)))
  return answers.flatMap((items) => items ?? [])
}

/** The problems as a model reads them. */
function problemText(problems: readonly LanguageItem[]): Content {
  const lines = problems.map(({ path, line, character, severity, text: words }) => {
    return `${path}:${line}:${character}: ${severity ?? "problem"}: ${words}`
  })
  return text(`New problems found by the language server:\n${lines.join("\n")}`)
}
