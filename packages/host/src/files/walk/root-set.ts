import { sep } from "node:path"
import type { Root, RootSet } from "./walk.js"

/** Finds the innermost of some roots that a path lies in; compares by parts, never by string prefix. */
export function createRootSet(roots: () => readonly Root[]): RootSet {
  return {
    target(absolute, { action, shown }) {
      let best: { readonly root: Root; readonly parts: readonly string[]; readonly depth: number } | undefined
      for (const root of roots()) {
        for (const base of root.spelled === root.path ? [root.path] : [root.path, root.spelled]) {
          const parts = partsBelow(base, absolute)
          if (parts && (!best || base.length > best.depth)) best = { root, parts, depth: base.length }
        }
      }
      return best && { root: best.root, parts: best.parts, action, shown }
    },
  }
}

/** The parts of a normalised path below a directory; undefined when it lies elsewhere. */
export function partsBelow(directory: string, absolute: string): readonly string[] | undefined {
  if (absolute === directory) return []
  const base = directory.endsWith(sep) ? directory : directory + sep
  return absolute.startsWith(base) ? absolute.slice(base.length).split(sep) : undefined
}
