import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges; the model wrote the message itself. */
export const present: Present<typeof manifest> = ({ attachments }) => {
  const count = attachments.length === 1 ? "1 file" : `${attachments.length} files`
  return [text(attachments.length === 0 ? "Message sent" : `Message sent with ${count}`)]
}
