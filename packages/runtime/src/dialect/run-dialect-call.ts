import type { Dialect, Projection, ToolResult } from "@haft/contract"
import type { CallRequest } from "../call/call-request.js"
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
  const parsed = row?.input.safeParse(request.arguments ?? {})
  const input = parsed?.success ? parsed.data : request.arguments
  return { result, projection: request.dialect.project(result, row, input) }
}
