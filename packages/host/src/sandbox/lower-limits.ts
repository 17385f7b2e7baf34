import type { Limits } from "./limits/limits.js"

/** The limits that a shell can set for itself and all that it starts. */
export type ShellLimits = Pick<Limits, "openFiles" | "fileBytes">

/** Text for a shell that lowers its limits. A hard limit below ours is kept: it cannot be raised, and is as good. */
export function lowerLimits({ openFiles, fileBytes }: ShellLimits): string {
  return `ulimit -c 0; ulimit -n ${openFiles} 2>/dev/null; ulimit -f ${Math.floor(fileBytes / 512)} 2>/dev/null`
}
