import { isInside } from "@haft/contract"
import { join } from "node:path"

/** The temporary folders of a machine, which a session has as one folder of its own. */
export const temporaryFolders = ["/tmp", "/var/tmp"] as const

/** Where the temporary folders of a session really lie, and what of the machine's stays what it is. */
export interface SessionTemporary {
  /** The folder that stands for all of them. */
  readonly folder: string
  /** Whether a path of a tool or a command means the session's folder. */
  holds(absolute: string): boolean
  /** Where such a path lies; every other path lies where it says. */
  placeOf(absolute: string): string
  /** A path in the folder as tools and commands name it; undefined for every other path. */
  nameOf(path: string): string | undefined
}

/**
 * The temporary folders of a session. Workspaces and other places that lie in one of the machine's stay what they are, and
 * so does all that is beside them: who works in `/tmp/a/project` means the machine by `../notes`.
 */
export function sessionTemporary(folder: string, kept: readonly string[]): SessionTemporary {
  const whole = temporaryFolders.filter((name) => kept.includes(name))
  const tops = temporaryFolders.flatMap((name) =>
    kept.flatMap((path) =>
      path !== name && isInside(path, name) ? [join(name, path.slice(name.length + 1).split("/")[0]!)] : [],
    ),
  )
  const around = (absolute: string) =>
    temporaryFolders.find((name) => isInside(absolute, name) && !whole.includes(name))
  const holds = (absolute: string) => around(absolute) !== undefined && !tops.some((top) => isInside(absolute, top))
  return {
    folder,
    holds,
    placeOf: (absolute) => (holds(absolute) ? folder + absolute.slice(around(absolute)!.length) : absolute),
    nameOf: (path) => (isInside(path, folder) ? temporaryFolders[0] + path.slice(folder.length) : undefined),
  }
}
