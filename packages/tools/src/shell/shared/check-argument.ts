import { ToolError } from "@haft/contract"

// The longest argument that Linux takes, its closing NUL not counted.
const maxArgumentBytes = 131_071

/** Refuses text that could not reach a program exactly as it was judged. */
export function checkArgument(text: string, what: "command" | "argument"): void {
  if (text.includes("\0")) throw unfit(what, "it holds a NUL character")
  if (!text.isWellFormed()) throw unfit(what, "it holds half of a character")
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxArgumentBytes) throw tooLong(bytes, maxArgumentBytes)
}

/** The failure of a command that the system would not take for its length. */
export function tooLong(bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot run a command of ${bytes} bytes: this system takes ${maxBytes} at the most; write it to a file and run that`,
  )
}

function unfit(what: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot run the ${what}: ${reason}; leave that out`)
}
