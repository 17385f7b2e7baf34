import type { Wrapped } from "./backend.js"
import { lowerLimits, type ShellLimits } from "./lower-limits.js"

/** Lowers the limits of the process before the wall is built in its place, where the wall does not do so inside. */
export function outsideCommand(
  { file, args, lowersLimits }: Wrapped,
  limits: ShellLimits,
): Pick<Wrapped, "file" | "args"> {
  if (lowersLimits) return { file, args }
  return { file: "/bin/sh", args: ["-c", `${lowerLimits(limits)}\nexec "$@"`, "sh", file, ...args] }
}
