import type { CallView, Envelope, ErrorCode } from "@haft/contract"

/** How a call that has ended is shown: the parts of the view that its envelope decides. */
export function endedCall(envelope: Envelope): Pick<CallView, "phase" | "data" | "error" | "metadata"> {
  const { metadata } = envelope
  if (envelope.type === "output") return { phase: "ok", data: envelope.data, metadata }
  const { error_code: type = "internal", hint, details } = metadata
  return {
    phase: phaseOfEnd(type),
    error: { type, message: envelope.error_text, ...(hint !== undefined && { hint }), body: details },
    metadata,
  }
}

/** The phase of a call that ended with this error. */
export function phaseOfEnd(code: ErrorCode): CallView["phase"] {
  return phases[code] ?? "error"
}

const phases: Readonly<Partial<Record<ErrorCode, CallView["phase"]>>> = { denied: "denied", cancelled: "aborted" }
