import type { Wrapped } from "./backend.js"
import type { Limiter } from "./limits/limiter.js"

/** A program with its arguments. */
export interface Started {
  readonly file: string
  readonly args: readonly string[]
}

/** How the process outside the wall is put together. */
export interface OutsideOptions {
  readonly limiter: Limiter
  /** Somebody else puts the process into its control groups. */
  readonly joinsLater: boolean
}

/** Joins the control groups and lowers the limits of the process before the wall is built in its place. */
export function outsideCommand({ file, args }: Wrapped, { limiter, joinsLater }: OutsideOptions): Started {
  const { limits } = limiter
  const joins = joinsLater ? [] : limiter.joins
  const script = [
    ...joins.map(() => `echo $$ > "$1" || { echo "${joinFailed}" >&2; exit 125; }; shift`),
    // A hard limit below ours is kept: it cannot be raised, and is as good.
    `ulimit -c 0; ulimit -n ${limits.openFiles} 2>/dev/null; ulimit -f ${Math.floor(limits.fileBytes / 512)}`,
    'exec "$@"',
  ].join("\n")
  return { file: "/bin/sh", args: ["-c", script, "sh", ...joins, file, ...args] }
}

/** What is said when the limits could not be put in place. */
export const joinFailed = "haft: the control group of the session is gone"
