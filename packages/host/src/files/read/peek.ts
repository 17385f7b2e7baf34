import { readFileSync, statSync } from "node:fs"
import { absolutePath, type FileSession } from "../file-session.js"
import { drive } from "../system/program.js"
import { resolvePlaces } from "../walk/resolve-links.js"

// Files such as package.json and Makefile; a larger one is no recipe that a person could look through.
const maxBytes = 1024 * 1024

/**
 * The text of a small file inside the roots; undefined when there is none. Only what the judge compares, never what a
 * call returns: a link is followed, because the program that runs the recipe follows it too.
 */
export function peek(session: FileSession, path: string): string | undefined {
  try {
    const absolute = absolutePath(session, path, "look at")
    if (!session.roots.target(absolute, { action: "look at", shown: path })) return undefined
    const { temporary } = session
    const place = temporary ? (drive(resolvePlaces(absolute, temporary.placeOf), false) as string) : absolute
    const facts = statSync(place)
    return facts.isFile() && facts.size <= maxBytes ? readFileSync(place, "utf8") : undefined
  } catch {
    return undefined
  }
}
