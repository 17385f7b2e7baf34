import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges with counts: the model has just written the list and need not read it again. */
export const present: Present<typeof manifest> = ({ counts }) => {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status.replace("_", " ")}`)
  return [text(parts.length === 0 ? "Todo list cleared" : `Todo list saved: ${parts.join(", ")}`)]
}
