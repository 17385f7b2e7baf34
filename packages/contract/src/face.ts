import type { Attachment, EnvelopeMetadata } from "./envelope.js"
import type { ApiModelView } from "./http/tool.js"
import type { ToolKind, ToolMessages, ToolWords } from "./manifest.js"
import type { AskAnswer, AskRequest, Question } from "./port/person.js"

/** The languages that Haft speaks to people. */
export const locales = ["en", "zh-CN"] as const satisfies readonly (keyof ToolMessages)[]
export type Locale = (typeof locales)[number]

/** Arguments as far as they are known; nothing is promised about their shape before they were checked. */
export type FaceArguments = Readonly<Record<string, unknown>>

/** Where a call is. Each phase has the faces that draw it. */
export const callPhases = [
  "args-streaming",
  "pending",
  "awaiting-approval",
  "running",
  "ok",
  "error",
  "denied",
  "aborted",
] as const

/** One of the phases of a call as people see it. */
export type CallPhase = (typeof callPhases)[number]

/** A failed call: a stable code, and words for people. */
export interface FaceError {
  /** One of the error codes, or that of a foreign tool. */
  readonly type: string
  readonly message: string
  readonly hint?: string
  /** Data about the failure. */
  readonly body?: unknown
}

/** What every face is given. */
export interface FaceProps {
  /** Id of the tool: permanent, it is in journals. */
  readonly identifier: string
  /** The name under which the model called it. */
  readonly apiName: string
  readonly kind: ToolKind
  readonly locale: Locale
  /** The words of the tool in that language. */
  readonly words: ToolWords
  /** The message or turn that the call belongs to; the call itself where there is none. */
  readonly messageId: string
  readonly toolCallId: string
}

/** The header of a call. Required; drawn in every phase, while arguments stream in too. */
export interface InspectorProps extends FaceProps {
  /** Empty until the arguments are complete. */
  readonly args: FaceArguments
  /** What is known of the arguments while they stream in. */
  readonly partialArgs?: FaceArguments
  readonly isArgumentsStreaming?: boolean
  /** True until the call has ended. */
  readonly isLoading?: boolean
  /** The data of the envelope. */
  readonly pluginState?: unknown
  /** `content` is what the model read; absent until the call has ended. */
  readonly result?: { readonly content: string | null; readonly error?: FaceError }
  /** For faces only: for instance the hunks of an edit. */
  readonly details?: unknown
  readonly metadata?: EnvelopeMetadata
}

/** Shown where the result will be. It looks like the result, and says nothing that is not known. */
export interface PlaceholderProps extends FaceProps {
  readonly args?: FaceArguments
}

/** What a running call has given so far, or arguments that are worth reading while they stream in. */
export interface StreamingProps extends FaceProps {
  readonly args: FaceArguments
  readonly isArgumentsStreaming?: boolean
  /** The output so far, its head left out when it is long. */
  readonly output?: string
  /** Milliseconds since 1970. */
  readonly startedAt?: number
}

/** What a person does in an intervention that is more than yes or no, such as a question. */
export type InteractionAction =
  | { readonly type: "submit"; readonly payload: unknown }
  | { readonly type: "skip"; readonly payload?: unknown; readonly reason?: string }
  | { readonly type: "cancel"; readonly payload?: unknown }

/** What a person is shown before a call runs. The buttons that answer are drawn around it. */
export interface InterventionProps extends FaceProps {
  readonly args: FaceArguments
  /** `approval`: the answer runs the call. `custom`: the face itself asks and answers. */
  readonly interactionMode?: "approval" | "custom"
  /** Other arguments than the model's; checked and judged again before the call runs. Awaited before an approval. */
  readonly onArgsChange?: (args: FaceArguments) => void | Promise<void>
  readonly onInteractionAction?: (action: InteractionAction) => void | Promise<void>
  /** Runs the callback before an approval, for instance to save a draft; a throw keeps the approval back. Returns what unregisters it. */
  readonly registerBeforeApprove?: (id: string, callback: () => void | Promise<void>) => () => void
  /** What is asked, with ladder, preview and proposal. */
  readonly request?: AskRequest
  readonly questions?: readonly Question[]
}

/** The result of a call, also one that failed. Null without anything to show. */
export interface RenderProps extends FaceProps {
  readonly args: FaceArguments
  /** What the model read. */
  readonly content: string
  readonly pluginState?: unknown
  readonly pluginError?: FaceError
  readonly details?: unknown
  readonly attachments?: readonly Attachment[]
  readonly metadata?: EnvelopeMetadata
}

/** A call on the whole page. */
export interface PortalProps extends FaceProps {
  readonly arguments: FaceArguments
  /** The data of the envelope; undefined when there is none. */
  readonly state: unknown
  readonly content?: string
  readonly pluginError?: FaceError
  readonly details?: unknown
  readonly attachments?: readonly Attachment[]
  readonly metadata?: EnvelopeMetadata
}

/** A component of React. Contract names no type of React, so that who only runs tools needs none. */
// biome-ignore lint/suspicious/noExplicitAny: what a component returns is the business of React.
export type Face<Props> = (props: Props) => any

/** The faces that a tool brings; the defaults draw the others. */
export interface ToolFaces {
  readonly Inspector?: Face<InspectorProps>
  readonly Placeholder?: Face<PlaceholderProps>
  readonly Streaming?: Face<StreamingProps>
  readonly Intervention?: Face<InterventionProps>
  readonly Render?: Face<RenderProps>
  readonly Portal?: Face<PortalProps>
}

/** A call with all that is known about it, as a page keeps it from events or from the journal. */
export interface CallView {
  readonly id: string
  /** Id of the tool. */
  readonly tool: string
  /** The name that the caller used, where that is another one. */
  readonly name?: string
  readonly messageId?: string
  readonly phase: CallPhase
  /** The JSON of the arguments as far as it came; only while they stream in. */
  readonly argumentsText?: string
  readonly arguments?: unknown
  /** The live output so far; who keeps it bounds it. */
  readonly output?: string
  readonly request?: AskRequest
  readonly questions?: readonly Question[]
  readonly data?: unknown
  readonly error?: FaceError
  readonly metadata?: EnvelopeMetadata
  /** Exactly what the model read, and what it missed. */
  readonly model?: ApiModelView
  readonly details?: unknown
  readonly attachments?: readonly Attachment[]
  /** Milliseconds since 1970. */
  readonly startedAt?: number
  readonly endedAt?: number
  /** From a recording: nothing ran. */
  readonly replayed?: boolean
}

/** What a person can do with a call; what is absent is not offered. */
export interface CallActions {
  readonly onAnswer?: (answer: AskAnswer) => void | Promise<void>
  readonly onInteraction?: (action: InteractionAction) => void | Promise<void>
  readonly onStop?: () => void
  /** Opens the call on the whole page. */
  readonly onOpen?: () => void
}
