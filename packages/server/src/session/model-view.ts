import { estimateTokens, imageTokens } from "@haft/agent"
import type { ApiModelView, Content, Envelope, ToolResult } from "@haft/contract"

/** What a model reads of a result, with its cost and what the limit left out. */
export function modelView({ content, envelope, whole }: ToolResult): ApiModelView {
  const characters = whole && lengthOf(whole()) - lengthOf(content)
  return viewOf(content, envelope, characters)
}

/** The same from a record, which has the words alone. */
export function recordedView(text: string, envelope: Envelope | undefined): ApiModelView {
  return viewOf([{ type: "text", text }], envelope, undefined)
}

function viewOf(content: readonly Content[], envelope: Envelope | undefined, more: number | undefined): ApiModelView {
  const { truncated = false, output_path: path } = envelope?.metadata ?? {}
  const isCut = truncated || (more !== undefined && more > 0)
  return {
    content,
    tokens: tokensOf(content),
    ...(isCut && {
      leftOut: { ...(more !== undefined && more > 0 && { characters: more }), ...(path !== undefined && { path }) },
    }),
  }
}

function lengthOf(content: readonly Content[]): number {
  return content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0)
}

function tokensOf(content: readonly Content[]): number {
  return content.reduce((sum, part) => sum + (part.type === "text" ? estimateTokens(part.text) : imageTokens), 0)
}
