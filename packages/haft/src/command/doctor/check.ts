import type { Environment, Places } from "../../config/places.js"

/** One thing that was looked at. */
export interface Check {
  readonly name: string
  /** `none`: not of use on this machine, and not missed. */
  readonly state: "ok" | "warn" | "fail" | "none"
  readonly found: string
  /** What to do about it. */
  readonly fix?: string
  /** What was tried for it, each with its outcome. */
  readonly probes?: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
}

/** What the checks look at. */
export interface DoctorRequest {
  readonly env: Environment
  readonly places: Places
  readonly roots: readonly string[]
  /** Ends what a check has started. */
  readonly signal?: AbortSignal
}

/** Where programs are looked for. */
export function searchPathOf({ env }: DoctorRequest): string {
  return env.PATH ?? process.env.PATH ?? ""
}

/** What ends a wait, as options take it. */
export function signalOf({ signal }: DoctorRequest): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {}
}

/** The message and hint of a failure as a check. */
export function failed(name: string, error: unknown, state: Check["state"] = "fail"): Check {
  const { message, hint } = error as { message?: string; hint?: string }
  return { name, state, found: message ?? String(error), ...(hint ? { fix: hint } : {}) }
}
