import {
  type CallView,
  type FaceArguments,
  type FaceProps,
  type InspectorProps,
  type Locale,
  type PlaceholderProps,
  type PortalProps,
  parsePartialJson,
  type RenderProps,
  type StreamingProps,
  type ToolWords,
} from "@haft/contract"
import type { FaceTool } from "./face-tool.js"

/** What every face of this call is given. */
export function faceProps(call: CallView, tool: FaceTool, locale: Locale): FaceProps {
  return {
    identifier: tool.id,
    apiName: call.name ?? call.tool,
    kind: tool.kind,
    locale,
    words: toolWords(tool, locale),
    messageId: call.messageId ?? call.id,
    toolCallId: call.id,
  }
}

/** The words of a tool; one without any is called by its title. */
function toolWords({ title, messages }: FaceTool, locale: Locale): ToolWords {
  return messages?.[locale] ?? { title, loading: title, done: title }
}

/** The arguments, whatever the model sent; while they stream in, as far as they came. */
export function callArguments({ phase, arguments: whole, argumentsText = "" }: CallView): FaceArguments {
  return phase === "args-streaming" ? parsePartialJson(argumentsText) : asArguments(whole)
}

function asArguments(value: unknown): FaceArguments {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as FaceArguments) : {}
}

/** Whether the call has not ended yet. */
function isOpen({ phase }: CallView): boolean {
  return ["args-streaming", "pending", "awaiting-approval", "running"].includes(phase)
}

export function inspectorProps(call: CallView, base: FaceProps): InspectorProps {
  const isStreaming = call.phase === "args-streaming"
  const args = callArguments(call)
  return {
    ...base,
    ...(isStreaming ? { args: {}, partialArgs: args, isArgumentsStreaming: true } : { args }),
    // A call that waits for an answer does nothing yet, and must not say that it does.
    isLoading: isOpen(call) && call.phase !== "awaiting-approval",
    pluginState: call.data,
    details: call.details,
    ...(call.metadata && { metadata: call.metadata }),
    ...(!isOpen(call) && { result: { content: modelText(call) ?? null, ...(call.error && { error: call.error }) } }),
  }
}

export function placeholderProps(call: CallView, base: FaceProps): PlaceholderProps {
  return { ...base, args: callArguments(call) }
}

export function streamingProps(call: CallView, base: FaceProps): StreamingProps {
  return {
    ...base,
    args: callArguments(call),
    ...(call.phase === "args-streaming" && { isArgumentsStreaming: true }),
    ...(call.output !== undefined && { output: call.output }),
    ...(call.startedAt !== undefined && { startedAt: call.startedAt }),
  }
}

export function renderProps(call: CallView, base: FaceProps): RenderProps {
  return { ...base, args: callArguments(call), content: modelText(call) ?? "", pluginState: call.data, ...ended(call) }
}

export function portalProps(call: CallView, base: FaceProps): PortalProps {
  return {
    ...base,
    arguments: callArguments(call),
    state: call.data,
    content: modelText(call) ?? "",
    ...ended(call),
  }
}

/** The words among what the model read; undefined when it read nothing of the call. */
function modelText({ model }: CallView): string | undefined {
  return model?.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")
}

function ended({ error, details, attachments, metadata }: CallView) {
  return {
    details,
    ...(error && { pluginError: error }),
    ...(attachments && { attachments }),
    ...(metadata && { metadata }),
  }
}
