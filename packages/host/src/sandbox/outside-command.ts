import type { Wrapped } from "./backend.js"
import type { Limits } from "./limits/limits.js"

/** Lowers the limits of the process before the wall is built in its place. */
export function outsideCommand({ file, args }: Wrapped, limits: Limits): Pick<Wrapped, "file" | "args"> {
  const blocks = Math.floor(limits.fileBytes / 512)
  // A hard limit below ours is kept: it cannot be raised, and is as good.
  const script = `ulimit -c 0; ulimit -n ${limits.openFiles} 2>/dev/null; ulimit -f ${blocks} 2>/dev/null\nexec "$@"`
  return { file: "/bin/sh", args: ["-c", script, "sh", file, ...args] }
}
