import { join, sep } from "node:path"
import { ToolError } from "@haft/contract"
import { errnoOf, isMissing } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "./assert-same-root.js"
import { type HeldDirectory, type Place, type RootSet, retarget, type Target } from "./walk.js"

/**
 * Finds the entry that a path names and holds its directory, which the caller closes. Unlike `find` it does not follow
 * the last part: a link is found itself, not what it points to.
 */
export function* findEntry(target: Target, roots: RootSet): Program<Place> {
  const { walk } = target.root
  const name = target.parts.at(-1)
  if (name === undefined) return yield* walk.find(target, roots)
  const { action, shown } = target
  // Of a name directly below the root nothing is left, not even a separator.
  const above = target.below.slice(0, Math.max(0, target.below.length - name.length - sep.length))
  const parent = yield* walk.find(retarget({ root: target.root, below: above }, target), roots)
  const path = join(parent.path, name)
  if (!parent.facts) return { ...parent, rest: [...parent.rest, name], path }
  let directory: HeldDirectory | undefined
  try {
    if (!parent.facts.isDirectory()) {
      throw new ToolError("not_found", `Cannot ${action} "${shown}": "${parent.path}" is not a directory`)
    }
    directory = parent.name === "." ? parent.directory : yield* walk.enter(parent.directory, parent.name)
    if (directory !== parent.directory) parent.directory.close()
    return { root: parent.root, directory, name, rest: [], path, facts: yield* lstat(directory.entry(name)) }
  } catch (error) {
    parent.directory.close()
    directory?.close()
    // Between two calls the parent became something else: somebody is changing the tree.
    if (isMissing(error) || errnoOf(error) === "ELOOP") throw unsteadyPath(target)
    throw error
  }
}
