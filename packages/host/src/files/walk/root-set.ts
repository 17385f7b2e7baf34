import { sep } from "node:path"
import type { Root, RootSet } from "./walk.js"

/** Finds the innermost of some roots that a path lies in; compares by parts, never by string prefix. */
export function createRootSet(roots: () => readonly Root[]): RootSet {
  return {
    target(absolute, purpose) {
      let found: { readonly root: Root; readonly base: string } | undefined
      for (const root of roots()) {
        const base = liesIn(root.path, absolute) ? root.path : liesIn(root.spelled, absolute) ? root.spelled : undefined
        if (base !== undefined && (!found || base.length > found.base.length)) found = { root, base }
      }
      if (!found) return undefined
      return {
        root: found.root,
        parts: partsBelow(found.base, absolute)!,
        action: purpose.action,
        // Only messages need it, so it is only made for them.
        get shown() {
          return purpose.shown
        },
      }
    },
  }
}

/** Whether a normalised path is a directory or lies below it. */
export function liesIn(directory: string, absolute: string): boolean {
  if (!absolute.startsWith(directory)) return false
  return absolute.length === directory.length || directory.endsWith(sep) || absolute[directory.length] === sep
}

/** The parts of a normalised path below a directory; undefined when it lies elsewhere. */
function partsBelow(directory: string, absolute: string): readonly string[] | undefined {
  if (!liesIn(directory, absolute)) return undefined
  const below = absolute.slice(directory.endsWith(sep) ? directory.length : directory.length + 1)
  return below === "" ? [] : below.split(sep)
}
