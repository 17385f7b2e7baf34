import type { Wrapped } from "./backend.js"
import { waitUntilAdmitted } from "./limits/admission-gate.js"
import { lowerLimits, type ShellLimits } from "./lower-limits.js"

/**
 * Lowers the limits of the process before the sandbox is built in its place, where the sandbox does not do so inside. With a
 * descriptor it also waits there until it is admitted.
 */
export function outsideCommand(
  { file, args, lowersLimits }: Wrapped,
  limits: ShellLimits,
  waitsAt: number | undefined,
): Pick<Wrapped, "file" | "args"> {
  if (lowersLimits) return { file, args }
  const wait = waitsAt === undefined ? [] : [waitUntilAdmitted(waitsAt), `exec ${waitsAt}>&-`]
  const script = [lowerLimits(limits), ...wait, 'exec "$@"'].join("\n")
  return { file: "/bin/sh", args: ["-c", script, "sh", file, ...args] }
}
