import type { ApiTimelineCall, CallView } from "@haft/contract"
import { endedCall } from "@haft/faces"

/** A call of the journal as faces draw it. */
export function recordedCall(call: ApiTimelineCall): CallView {
  const { callId, tool, name, envelope, state, model, startedAt, endedAt } = call
  return {
    id: callId,
    tool,
    ...(name !== tool && { name }),
    arguments: call.arguments,
    ...(envelope ? endedCall(envelope) : { phase: "running" as const }),
    model,
    ...(state !== undefined && { details: state }),
    startedAt,
    ...(endedAt !== null && { endedAt }),
    replayed: true,
  }
}

/** Whether a person was asked about it, or it did not end well. */
export function isNotable({ answers, envelope, ladder }: ApiTimelineCall): boolean {
  return (answers?.length ?? 0) > 0 || envelope?.type === "error" || ladder.verdict !== "allow"
}
