import { type Attachment, type BaseContext, ToolError } from "@haft/contract"
import type { CallToolResult, ContentBlock, PromptMessage, ReadResourceResult } from "@modelcontextprotocol/client"

/** What a call of a server gives. */
export interface ServerOutput {
  readonly server: string
  readonly text: string
  /** The structured content, where it is not too large to add to the text. */
  readonly structured?: unknown
  /** Addresses that the server names; nobody follows them. */
  readonly links?: { uri: string; name: string }[]
}

// What a result may hold besides its text.
const maxStructured = 100_000
const maxAttached = 8 * 1024 * 1024

/** The output of a call. A result that the server calls an error is one, with the server's words. */
export function outputOf(
  server: string,
  tool: string,
  { content = [], structuredContent, isError }: CallToolResult,
  { attach }: Pick<BaseContext, "attach">,
): ServerOutput {
  const parts = new ContentReader(attach)
  const texts = content.map((block) => parts.read(block))
  const written = structuredContent === undefined ? undefined : JSON.stringify(structuredContent)
  const text = texts.join("\n").trim() || written || ""
  if (isError) {
    throw new ToolError(
      "backend",
      `The tool "${tool}" of the MCP server "${server}" failed: ${shortened(text) || "it does not say why"}`,
      {
        hint: "Change the arguments as it says, or go on without it",
      },
    )
  }
  return {
    server,
    text: text || "[No output]",
    ...(written !== undefined && written.length <= maxStructured && { structured: structuredContent }),
    ...(parts.links.length > 0 && { links: parts.links }),
  }
}

/** The output of reading a resource. */
export function resourceOutput(
  server: string,
  contents: ReadResourceResult["contents"],
  { attach }: Pick<BaseContext, "attach">,
): ServerOutput {
  const parts = new ContentReader(attach)
  const text = contents.map((resource) => parts.read({ type: "resource", resource })).join("\n")
  return { server, text: text || "[No content]" }
}

/** A prompt in words: who says what. */
export function promptOutput(
  server: string,
  messages: readonly PromptMessage[],
  { attach }: Pick<BaseContext, "attach">,
): ServerOutput {
  const parts = new ContentReader(attach)
  return {
    server,
    text: messages.map(({ role, content }) => `${role}: ${parts.read(content)}`).join("\n\n") || "[Empty prompt]",
  }
}

/** Makes text of content; pictures and the like are attached, as far as there is room. */
class ContentReader {
  readonly links: { uri: string; name: string }[] = []
  private attached = 0

  constructor(private readonly attach: (attachment: Attachment) => void) {}

  read(block: ContentBlock): string {
    switch (block.type) {
      case "text":
        return block.text
      case "image":
      case "audio":
        return this.take(block.mimeType, block.data)
      case "resource_link":
        this.links.push({ uri: block.uri, name: block.name })
        return `[Link: ${block.name} ${block.uri}]`
      case "resource": {
        const { resource } = block
        if ("text" in resource) return resource.text
        return this.take(resource.mimeType ?? "application/octet-stream", resource.blob, resource.uri)
      }
      default:
        return `[Content of a kind that is not known: ${String((block as { type?: unknown }).type).slice(0, 40)}]`
    }
  }

  private take(mediaType: string, data: string, name?: string): string {
    const bytes = Math.floor((data.length * 3) / 4)
    if (this.attached + bytes > maxAttached) return `[${mediaType}, ${bytes} bytes, left out: too large]`
    this.attached += bytes
    this.attach({ mediaType, data, ...(name !== undefined && { name }) })
    return `[${mediaType}, ${bytes} bytes, attached]`
  }
}

const longestError = 4000

function shortened(text: string): string {
  return text.length > longestError ? `${text.slice(0, longestError)}...` : text
}
