import type { Content, Projection, ToolResult, UserMessage } from "@haft/contract"
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server"
import type { HostResult } from "./host.js"

/** The key of our metadata in `_meta`. */
const envelopeKey = "haft/envelope"

/** What belongs to a result besides what the call gave. */
export interface ResultExtras {
  /** Where the whole of a long output is read. */
  readonly outputUri?: string | undefined
  /** What the tool had to say to the person. */
  readonly messages: readonly UserMessage[]
  /** What the person can do about a failure. */
  readonly personStep?: string | undefined
}

/** The end of a call as the protocol has it. A failure of the tool is a result, so that the model can act on it. */
export function callToolResult({ result, projection }: HostResult, extras: ResultExtras): CallToolResult {
  const { envelope } = result
  const structured = projection ? projection.value : envelope.type === "output" ? envelope.data : undefined
  const isError = projection ? !projection.success : envelope.type === "error"
  return {
    content: [
      ...(projection ? projectedContent(projection, result) : result.content.map(contentBlock)),
      ...(extras.outputUri === undefined ? [] : [outputLink(extras.outputUri)]),
      ...extras.messages.map(({ message }) => forPerson(message)),
      ...(extras.personStep === undefined ? [] : [forPerson(extras.personStep)]),
    ],
    ...(isObject(structured) && { structuredContent: structured }),
    ...(isError && { isError }),
    _meta: { [envelopeKey]: { type: envelope.type, ...envelope.metadata } },
  }
}

/** A failure of this server rather than of a tool, for the model. */
export function failure(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true }
}

function projectedContent({ text, value }: Projection, { content }: ToolResult): ContentBlock[] {
  const words = text === "" ? (typeof value === "string" ? value : JSON.stringify(value)) : text
  return [{ type: "text", text: words }, ...content.filter(({ type }) => type === "image").map(contentBlock)]
}

function contentBlock(part: Content): ContentBlock {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", data: part.data, mimeType: part.mediaType }
}

function outputLink(uri: string): ContentBlock {
  return {
    type: "resource_link",
    uri,
    name: "whole output",
    description: "The output of this call before it was cut",
    mimeType: "text/plain",
  }
}

function forPerson(text: string): ContentBlock {
  return { type: "text", text, annotations: { audience: ["user"] } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
