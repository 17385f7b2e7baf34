import { type Execute, type FileReader, type MessageAttachment, ToolError } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Looks at every attachment first: a message whose files are missing is not sent. */
export const execute: Execute<typeof manifest> = async ({ message, status, attachments }, { conversation, files }) => {
  const found: MessageAttachment[] = []
  for (const path of attachments) found.push(await attachmentOf(path, files))
  conversation.tell({ message, status, attachments: found })
  return { sent_at: new Date().toISOString(), attachments: found }
}

async function attachmentOf(path: string, files: FileReader): Promise<MessageAttachment> {
  const facts = await files.stat(path)
  if (facts === undefined) {
    throw new ToolError("not_found", `Cannot attach "${path}": there is no such file; nothing was sent`, {
      hint: { say: "Find it with {tool:glob|ls}" },
    })
  }
  if (facts.kind !== "file") {
    throw new ToolError("unsupported", `Cannot attach "${path}": it is a directory; attach its files one by one`)
  }
  return { path: facts.path, size: facts.size, is_image: imageEnding.test(facts.path) }
}

const imageEnding = /\.(?:png|jpe?g|gif|webp|bmp|svg|avif|ico|tiff?)$/i
