import { sep } from "node:path"
import type { Root, RootSet, Target } from "./walk.js"

/** Finds the innermost of some roots that a path lies in; compares by parts, never by string prefix. */
export function createRootSet(roots: () => readonly Root[]): RootSet {
  return {
    target(absolute, purpose) {
      let found: Root | undefined
      let foundBase = ""
      for (const root of roots()) {
        const base = liesIn(root.path, absolute) ? root.path : liesIn(root.spelled, absolute) ? root.spelled : undefined
        if (base === undefined || (found && base.length <= foundBase.length)) continue
        found = root
        foundBase = base
      }
      return found && new RootTarget(found, partsBelow(foundBase, absolute), purpose)
    },
  }
}

class RootTarget implements Target {
  readonly root: Root
  readonly parts: readonly string[]
  private readonly purpose: Purpose

  constructor(root: Root, parts: readonly string[], purpose: Purpose) {
    this.root = root
    this.parts = parts
    this.purpose = purpose
  }

  get action(): string {
    return this.purpose.action
  }

  /** Only messages need it, so it is only made for them. */
  get shown(): string {
    return this.purpose.shown
  }
}

type Purpose = Pick<Target, "action" | "shown">

/** Whether a normalised path is a directory or lies below it. */
export function liesIn(directory: string, absolute: string): boolean {
  if (!absolute.startsWith(directory)) return false
  return absolute.length === directory.length || directory.endsWith(sep) || absolute[directory.length] === sep
}

/** The parts of a normalised path below a directory that it lies in. */
function partsBelow(directory: string, absolute: string): readonly string[] {
  const below = absolute.slice(directory.endsWith(sep) ? directory.length : directory.length + 1)
  return below === "" ? [] : below.split(sep)
}
