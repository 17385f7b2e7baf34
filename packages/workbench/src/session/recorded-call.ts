import type { ApiRecordedCall, ApiTimelineCall, CallView } from "@haft/contract"
import { endedCall, phaseOfEnd } from "@haft/faces"

/** A call of the journal as faces draw it. */
export function recordedCall(call: ApiRecordedCall): CallView {
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

/** How far a call of the timeline has come. */
export function rowPhase({ end }: ApiTimelineCall): CallView["phase"] {
  return end === undefined ? "running" : end === "output" ? "ok" : phaseOfEnd(end)
}

/** Whether a person was asked about it, or it did not end well. */
export function isNotable({ asked, end, verdict }: ApiTimelineCall): boolean {
  return asked === true || (end !== undefined && end !== "output") || verdict !== "allow"
}
