import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `clipboard_write` promises; in a session without a display. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a line of text", input: { text: "npm run build" }, output: { ok: true, source: "session" } },
  { name: "an empty text clears it", input: { text: "" }, output: { ok: true } },
  { name: "a NUL character is no text", input: { text: "a\0b" }, fails: "invalid_args" },
]
