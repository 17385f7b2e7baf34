import { ToolError } from "@haft/contract"
import { recordOf, textOf } from "./values.js"

// Codes of the protocol: the document changed meanwhile; the server called the work off and wants to be asked again.
const transientCodes = [-32801, -32802]
const methodNotFound = -32601
const maxWords = 500

/** The error of a request that a server refused. */
export function refusal(name: string, error: unknown): ToolError {
  const { code, message } = recordOf(error) ?? {}
  const words = textOf(message, maxWords) ?? "no reason given"
  const details = { code }
  if (code === methodNotFound) {
    return new ToolError("unsupported", `Cannot ask the language server "${name}": it does not know this request`, {
      details,
    })
  }
  return new ToolError("backend", `Cannot ask the language server "${name}": ${words}`, { details })
}

/** Whether the same request is worth another try. */
export function isTransient(error: unknown): boolean {
  if (!ToolError.is(error) || error.code !== "backend") return false
  const code = recordOf(error.details)?.code
  return typeof code === "number" && transientCodes.includes(code)
}
