import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable"
import { type PromptFile, ToolError, type TurnInput } from "@haft/contract"

/** A prompt of an editor as the agent takes it: links are named, texts are put in, pictures go beside. */
export function promptInput(blocks: readonly ContentBlock[]): TurnInput {
  const texts: string[] = []
  const files: PromptFile[] = []
  for (const block of blocks) {
    const taken = take(block)
    if (typeof taken === "string") texts.push(taken)
    else files.push(taken)
  }
  return { text: texts.join("\n\n"), ...(files.length > 0 && { files }) }
}

function take(block: ContentBlock): string | PromptFile {
  switch (block.type) {
    case "text":
      return block.text
    case "resource_link":
      return `[${block.title ?? block.name}](${pathOf(block.uri)})`
    case "image":
      return { name: block.uri ? basename(pathOf(block.uri)) : "image", mediaType: block.mimeType, data: block.data }
    case "resource": {
      const { resource } = block
      const path = pathOf(resource.uri)
      if ("text" in resource) return `File ${path}:\n\n${resource.text}`
      return { name: basename(path), mediaType: resource.mimeType ?? "application/octet-stream", data: resource.blob }
    }
    default:
      throw new ToolError(
        "invalid_args",
        `Cannot send a part of type "${block.type}": only text, links, resources and images are taken`,
      )
  }
}

/** The path of a file; other addresses stay what they are. */
function pathOf(uri: string): string {
  if (!uri.startsWith("file:")) return uri
  try {
    return fileURLToPath(uri)
  } catch {
    return uri
  }
}
