import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `clipboard_read` promises; in a session without a display, where nothing was copied yet. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "nothing was copied", input: {}, output: { text: "" } },
  { name: "no display: the buffer of the session", input: {}, output: { source: "session" } },
  { name: "reading twice changes nothing", input: {}, output: { text: "", source: "session" } },
]
