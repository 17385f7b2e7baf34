import { RequestError } from "@agentclientprotocol/sdk/unstable"
import { ToolError } from "@haft/contract"

const notFound = -32002

/** A failure as the protocol says it: what happened, and what to do about it. */
export function requestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  if (!ToolError.is(error)) {
    const words = error instanceof Error ? error.message : String(error)
    return RequestError.internalError({ code: "internal" }, words)
  }
  const { code, message, details } = error
  // A person reads it in the editor.
  const hint = error.fix ?? error.hint
  const data = { code, ...(hint !== undefined && { hint }), ...(details !== undefined && { details }) }
  return new RequestError(numbers[code] ?? -32603, hint === undefined ? message : `${message}. ${hint}`, data)
}

const numbers: Readonly<Record<string, number>> = {
  invalid_args: -32602,
  not_found: notFound,
  unsupported: -32602,
  cancelled: -32800,
}
