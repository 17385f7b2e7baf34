import type { Envelope, ErrorCode, StopReason } from "@haft/contract"

/** What the command line exits with; scripts rely on it. */
export const exitCodes = {
  ok: 0,
  defect: 1,
  usage: 2,
  notConfigured: 3,
  toolError: 5,
  denied: 6,
  checkFailed: 7,
  modelFailed: 8,
  limitReached: 9,
  timeout: 124,
  interrupted: 130,
} as const

/** The exit code for a failure. A tool that does not exist is a mistake in the command line, not a failure of a tool. */
export function exitCodeOf(code: ErrorCode, details?: unknown): number {
  const isUnknownTool = typeof details === "object" && details !== null && "unknown_tool" in details
  return isUnknownTool ? exitCodes.usage : (codes[code] ?? exitCodes.toolError)
}

/** The exit code for the end of a call. A command that failed is still an output, unless its code is passed through. */
export function exitCodeOfEnvelope(envelope: Envelope, propagate: boolean): number {
  if (envelope.type === "error")
    return exitCodeOf(envelope.metadata.error_code ?? "internal", envelope.metadata.details)
  const data = (envelope.data ?? {}) as { readonly timed_out?: unknown; readonly exit_code?: unknown }
  if (data.timed_out === true) return exitCodes.timeout
  return propagate && typeof data.exit_code === "number" ? data.exit_code : exitCodes.ok
}

/** The exit code for the end of an agent's turn. Calls that failed or were refused are part of a turn that is done. */
export function exitCodeOfTurn(reason: StopReason): number {
  return turnCodes[reason]
}

const turnCodes: Readonly<Record<StopReason, number>> = {
  done: exitCodes.ok,
  aborted: exitCodes.interrupted,
  limit: exitCodes.limitReached,
  length: exitCodes.limitReached,
  refused: exitCodes.modelFailed,
  "model-error": exitCodes.modelFailed,
  loop: exitCodes.modelFailed,
  failed: exitCodes.defect,
}

const codes: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_args: exitCodes.usage,
  not_configured: exitCodes.notConfigured,
  denied: exitCodes.denied,
  timeout: exitCodes.timeout,
  cancelled: exitCodes.interrupted,
  internal: exitCodes.defect,
}
