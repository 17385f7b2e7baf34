import type { AnyDialectTool, Dialect, Projection, ToolResult } from "@haft/contract"
import { type CallRequest, readArguments } from "../call/call-request.js"
import { runCall } from "../call/run-call.js"
import type { CallSession } from "../session/call-session.js"
import { findRow } from "./find-row.js"

/** The end of a call that was made in a dialect. */
export interface DialectResult {
  readonly result: ToolResult
  readonly projection: Projection
}

/** Runs a call by the name and the arguments of another system, and gives its result in that system's shape. */
export async function runDialectCall(
  request: CallRequest & { readonly dialect: Dialect },
  session: CallSession,
): Promise<DialectResult> {
  const result = await runCall(request, session)
  const row = findRow(request.dialect, request.name)
  const input = row === undefined ? request.arguments : argumentsOf(row, request)
  return { result, projection: request.dialect.project(result, row, input) }
}

/** The arguments as the call took them; as they came when it could not. */
function argumentsOf(row: AnyDialectTool, { name, arguments: given }: CallRequest): unknown {
  try {
    return readArguments({ name, schema: row.input }, given).input
  } catch {
    return given
  }
}
