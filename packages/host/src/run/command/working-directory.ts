import { realpath, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isInside, ToolError } from "@haft/contract"

/** Where the commands of a session may start. */
export interface Workplace {
  readonly directory: string
  readonly roots: readonly string[]
  readonly sessionFolder: string
}

/** The directory that a command starts in, links followed: inside a root or the session's scratch space. */
export async function workingDirectory(asked: string | undefined, place: Workplace): Promise<string> {
  if (asked === undefined) return place.directory
  const spelled = resolve(place.directory, asked)
  const resolved = await realpath(spelled).catch(() => undefined)
  if (resolved === undefined || !(await stat(resolved)).isDirectory()) {
    const reason = resolved === undefined ? "it does not exist" : "it is not a directory"
    throw new ToolError("not_found", `Cannot run a command in "${asked}": ${reason}; name a directory in the workspace`)
  }
  const allowed = [...place.roots, join(place.sessionFolder, "scratch")]
  if (allowed.some((root) => isInside(resolved, root))) return resolved
  throw new ToolError(
    "denied",
    `Cannot run a command in "${asked}": it lies outside the workspace; use a directory inside it`,
  )
}
