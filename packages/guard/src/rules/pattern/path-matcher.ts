import { partsOf } from "../../path.js"
import { compileGlob, type GlobTest } from "./glob.js"
import type { PathPart } from "./path-pattern.js"

/**
 * The cheapest way to compare a pattern with a path. `below` says that what is in a matching folder matches too.
 * `folder` is absolute or, for names, what the folder of a matching path must end with.
 */
export type PathMatcher =
  | { readonly by: "everything" }
  | { readonly by: "path"; readonly path: string; readonly below: boolean }
  | { readonly by: "name"; readonly name: string; readonly folder: string; readonly below: boolean }
  | { readonly by: "glob"; readonly glob: string }
  | { readonly by: "parts"; readonly test: (path: string) => boolean }

/** Chooses the comparison for the parts of a pattern. */
export function pathMatcher(parts: readonly PathPart[]): PathMatcher {
  const [first, second] = parts
  const anywhere = first?.type === "any"
  const below = parts.length > 1 && parts.at(-1)!.type === "any"
  const fixed = parts.slice(anywhere ? 1 : 0, below ? -1 : undefined)
  if (anywhere && parts.length === 1) return { by: "everything" }
  if (fixed.every((part) => part.type === "name")) {
    if (!anywhere) return { by: "path", path: pathOf(fixed), below }
    const folder = fixed.length > 1 ? pathOf(fixed.slice(0, -1)) : ""
    return { by: "name", name: fixed.at(-1)!.text, folder, below }
  }
  if (anywhere && parts.length === 2) return { by: "glob", glob: second!.text }
  const compiled = compileParts(parts)
  return { by: "parts", test: (path) => matchesParts(compiled, partsOf(path)) }
}

/** Whether a pattern matches a path, for the rare comparisons that no table serves. */
export function matchesPath(parts: readonly PathPart[], path: string): boolean {
  return matchesParts(compileParts(parts), partsOf(path))
}

/** An absolute path of names. */
export function pathOf(parts: readonly PathPart[]): string {
  return `/${parts.map((part) => part.text).join("/")}`
}

type PartTest = GlobTest | "any"

function compileParts(parts: readonly PathPart[]): readonly PartTest[] {
  return parts.map((part) => {
    if (part.type === "any") return "any"
    // A folder's own name may hold a star that means itself.
    return part.type === "glob" ? compileGlob(part.text) : (text) => text === part.text
  })
}

/** Like a glob over characters, with `**` as the star: one remembered star, no exponential case. */
function matchesParts(pattern: readonly PartTest[], path: readonly string[]): boolean {
  let at = 0
  let position = 0
  let star = -1
  let resume = 0
  while (position < path.length) {
    const test = pattern[at]
    if (test === "any") {
      star = at
      at += 1
      resume = position
    } else if (test?.(path[position]!)) {
      at += 1
      position += 1
    } else if (star >= 0) {
      at = star + 1
      resume += 1
      position = resume
    } else {
      return false
    }
  }
  while (pattern[at] === "any") at += 1
  return at === pattern.length
}
