import { ToolError } from "@haft/contract"

/** The error of an aborted call: the reason itself where it is one of ours. */
export function cancelled({ reason }: AbortSignal): ToolError {
  if (ToolError.is(reason)) return reason
  return new ToolError("cancelled", "Cannot finish the command: the call was cancelled", { cause: reason })
}
