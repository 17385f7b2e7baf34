import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The text itself, with a note where it is not the clipboard that the user sees. */
export const present: Present<typeof manifest> = ({ text: content, source }) => {
  const session = source === "session"
  if (content === "") return [text(`[The clipboard holds no text${session ? `; ${ownBuffer}` : ""}]`)]
  return [text(session ? `${content}\n[${ownBuffer}]` : content)]
}

const ownBuffer = "this machine has no display: it is a buffer of this session, not the user's clipboard"
