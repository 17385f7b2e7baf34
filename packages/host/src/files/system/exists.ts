import { lstatSync } from "node:fs"
import { bestEffort } from "@haft/contract"

/**
 * Whether there is an entry of this name; a link counts, wherever it leads. What this user may not look at counts as
 * missing. Where links are to be followed, `existsSync` of Node answers.
 */
export function exists(path: string): boolean {
  return (
    bestEffort("what cannot be looked at counts as missing", () => lstatSync(path, { throwIfNoEntry: false })) !==
    undefined
  )
}
