import { isInside } from "@haft/contract"
import { sep } from "node:path"
import type { Root, RootSet, Target } from "./walk.js"

/** Finds the innermost of some roots that a path lies in; compares by parts, never by string prefix. */
export function createRootSet(roots: () => readonly Root[]): RootSet {
  return {
    target(absolute, purpose) {
      let found: Root | undefined
      let foundBase = ""
      for (const root of roots()) {
        const base = isInside(absolute, root.path)
          ? root.path
          : isInside(absolute, root.spelled)
            ? root.spelled
            : undefined
        if (base === undefined || (found && base.length <= foundBase.length)) continue
        found = root
        foundBase = base
      }
      return found && new RootTarget(found, pathBelow(foundBase, absolute), purpose)
    },
  }
}

class RootTarget implements Target {
  readonly root: Root
  readonly below: string
  private readonly purpose: Purpose

  constructor(root: Root, below: string, purpose: Purpose) {
    this.root = root
    this.below = below
    this.purpose = purpose
  }

  /** Only a walk part by part needs them. */
  get parts(): readonly string[] {
    return this.below === "" ? [] : this.below.split(sep)
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

/** A place below a root, and what it is wanted for. */
export function retarget({ root, below }: Pick<Target, "root" | "below">, purpose: Purpose): Target {
  return new RootTarget(root, below, purpose)
}

/** What a normalised path has more than a directory that it lies in. */
function pathBelow(directory: string, absolute: string): string {
  return absolute.slice(directory.endsWith(sep) ? directory.length : directory.length + 1)
}
