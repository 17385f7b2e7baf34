import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** What the person decided, and what follows from it. */
export const present: Present<typeof manifest> = ({ approved, reason }) => {
  const said = reason === undefined ? "" : `: ${reason}`
  return [
    text(
      approved
        ? `The plan is approved${said}. Plan mode has ended; begin with the first step`
        : `The plan is not approved${said}. Plan mode goes on; revise the plan`,
    ),
  ]
}
