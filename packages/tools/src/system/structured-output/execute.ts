import { type Execute, ToolError } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Gives the object back when it fits what the host asked for. */
export const execute: Execute<typeof manifest> = async (input, { conversation }) => {
  if (Object.keys(input).length === 0) {
    throw new ToolError("invalid_args", "Cannot end with an empty object: it needs at least one field", {
      hint: "Put the result into the arguments themselves",
    })
  }
  const problems = conversation.checkOutput(input)
  if (problems.length > 0) {
    const shown = problems.slice(0, maxShown)
    const more = problems.length > maxShown ? `; and ${problems.length - maxShown} more` : ""
    throw new ToolError("invalid_args", `Cannot end with this object: ${shown.join("; ")}${more}`, {
      hint: "Correct these and call again",
      details: { problems: shown },
    })
  }
  return input
}

// Enough to correct an object; a wrong list of a thousand items has a thousand problems.
const maxShown = 10
