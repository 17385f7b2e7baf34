import { ToolError } from "@haft/contract"
import * as z from "zod"

/** How long a command runs when the call does not say. */
export const defaultTimeoutMs = 120_000
/** The longest that a call may ask for. */
export const maxTimeoutMs = 600_000

/** The time limit argument of a command. */
export const timeoutSchema = z.int().min(1).max(maxTimeoutMs).default(defaultTimeoutMs)

/** The time limit of the tool: the port ends a command in time, and what was printed until then must still be returned. */
export const callTimeoutMs = maxTimeoutMs + 30_000

/** The failure of a command that the system would not take for its length. */
export function tooLong(bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot run a command of ${bytes} bytes: this system takes ${maxBytes} at the most; write it to a file and run that`,
  )
}
