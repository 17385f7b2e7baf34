import { readFileSync, realpathSync, statSync } from "node:fs"
import { absolutePath, type FileSession } from "../file-session.js"
import { drive } from "../system/program.js"
import { resolvePlaces } from "../walk/resolve-links.js"

// Files such as package.json and Makefile; a larger one is no script that a person could look through.
const maxBytes = 1024 * 1024

/**
 * The text of a small file inside the roots; undefined when nothing is there or `admits` refuses it, null when it cannot be read.
 * Only what the judge compares, never what a call returns: a link is followed, because the program that runs the script follows
 * it too, as long as it points to a place inside.
 */
export function peek(
  session: FileSession,
  path: string,
  admits: (resolved: string) => boolean = () => true,
): string | null | undefined {
  try {
    const absolute = absolutePath(session, path, "look at")
    const { temporary } = session
    const place = temporary
      ? (drive(resolvePlaces(absolute, temporary.placeOf), false) as string)
      : realpathSync(absolute)
    const resolved = temporary?.nameOf(place) ?? place
    if (!session.roots.target(resolved, { action: "look at", shown: path })) return null
    if (!admits(absolute) || !admits(resolved)) return undefined
    const facts = statSync(place)
    return facts.isFile() && facts.size <= maxBytes ? readFileSync(place, "utf8") : null
  } catch (error) {
    return isMissing(error) ? undefined : null
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === "ENOENT" || code === "ENOTDIR"
}
