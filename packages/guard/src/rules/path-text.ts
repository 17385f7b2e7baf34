import { isInside } from "../path/is-inside.js"
import { partsOf } from "../path/parts.js"
import type { Variables } from "../variables.js"
import { hasWildcard } from "./pattern/glob.js"

/** A path as a rule would name exactly it; undefined when its own name reads as a wildcard. */
export function pathText(path: string, variables: Variables): string | undefined {
  if (hasWildcard(path)) return undefined
  const [root, ...more] = variables.workspace
  // With several roots a relative pattern would hold below each of them.
  if (root === undefined || more.length > 0 || path === root || !isInside(path, root)) return path
  const relative = path.slice(root === "/" ? 1 : root.length + 1)
  return /^[~{!@]/.test(relative) ? path : relative
}

/** A pattern for all that lies in a folder; undefined for the top of a workspace, which would say too much. */
export function folderText(folder: string, variables: Variables): string | undefined {
  if (folder === "/" || variables.workspace.includes(folder)) return undefined
  const text = pathText(folder, variables)
  return text === undefined ? undefined : `${text}/**`
}

/** The deepest folder that holds all of the paths. */
export function commonFolder(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map((path) => partsOf(path).slice(0, -1))
  const differs = first.findIndex((part, index) => rest.some((other) => other[index] !== part))
  return `/${(differs < 0 ? first : first.slice(0, differs)).join("/")}`
}
