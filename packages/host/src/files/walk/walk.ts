import type { Stats } from "node:fs"
import { sep } from "node:path"
import { isInside } from "@haft/contract"
import type { Program } from "../system/program.js"

/** A directory tree that a session may reach. Its identity is fixed when it is opened. */
export interface Root {
  /** Absolute, links followed. */
  readonly path: string
  /** Absolute, as the opener wrote it: paths below it are understood too. */
  readonly spelled: string
  readonly device: number
  readonly inode: number
  /** True on file systems whose calls may take as long as a network does. */
  readonly remote: boolean
  readonly walk: Walk
  readonly held: HeldDirectory
  close(): void
}

/** A directory that stays the same directory whatever happens to its path. */
export interface HeldDirectory {
  readonly path: string
  /** A path for system calls about the directory itself, also as working directory of a child process. */
  readonly self: string
  /** A path for system calls about an entry; the last part is never followed unless the call does it. */
  entry(name: string): string
  /** Whether the directory is still at `path`. */
  isInPlace(): Program<boolean>
  close(): void
}

/** What somebody wants to do with a path below a root. */
export interface Target {
  readonly root: Root
  /** The normalised path below the root; empty for the root itself. */
  readonly below: string
  /** The names in `below`, without `.` and `..`; made when they are asked for. */
  readonly parts: readonly string[]
  /** A verb for messages: read, write, list, search. */
  readonly action: string
  /** The path as people know it; made when it is asked for, so only messages should ask. */
  readonly shown: string
}

/** The absolute path that a target means if no part of it is a link. */
export function pathOf({ root, below }: Pick<Target, "root" | "below">): string {
  if (below === "") return root.path
  return root.path.endsWith(sep) ? root.path + below : root.path + sep + below
}

/** Where a path leads: an entry of a held directory, whether it exists or not. */
export interface Place {
  readonly root: Root
  readonly directory: HeldDirectory
  /** `.` for a root itself. */
  readonly name: string
  /** Parts below `name` that do not exist either. */
  readonly rest: readonly string[]
  /** Absolute, links followed. */
  readonly path: string
  /** Undefined when nothing is there. */
  readonly facts: Stats | undefined
}

/** A file, directory or other thing that is held without having been opened. */
export interface Pinned {
  readonly path: string
  readonly facts: Stats
  /** A path for system calls about the thing itself. */
  readonly self: string
  /** Opens exactly the thing that is held, never something that took its place. */
  openForReading(): Program<number>
  close(): void
}

/** The roots of a session as far as a walk needs them. */
export interface RootSet {
  /** The root that holds an absolute path, undefined for a path outside all of them. */
  target(absolute: string, purpose: Pick<Target, "action" | "shown">): Target | undefined
}

/** How a platform walks a path so that links never lead out of the roots. */
export interface Walk {
  holdRoot(path: string): HeldDirectory
  /** Holds a directory inside a held one; throws when the entry is a link or no directory. */
  enter(directory: HeldDirectory, name: string): Program<HeldDirectory>
  /** Holds an entry of a held directory, also a link itself; undefined when nothing is there. */
  pinEntry(directory: HeldDirectory, name: string): Program<Pinned | undefined>
  /** Finds the entry that a path resolves to and holds its directory; the caller closes that. */
  find(target: Target, roots: RootSet): Program<Place>
  /** Holds what a path resolves to; undefined when nothing is there. */
  pin(target: Target, roots: RootSet): Program<Pinned | undefined>
  /** Short cuts for the most usual cases on a local file system, where a platform has them. */
  readonly quick?: {
    /** Holds what a path without links names; "elsewhere" when it has links, undefined when anything else is unusual. */
    hold(target: Target): QuickHold | "elsewhere" | undefined
    look(absolute: string): { readonly resolved: string; readonly facts: Stats } | undefined
  }
}

/** A file, directory or other thing at the very path that was asked for; held until it is closed. */
export interface QuickHold {
  readonly path: string
  readonly facts: Stats
  /** All bytes of a regular file. */
  read(): Buffer
  /** Opens exactly what is held and gives the descriptor, which the caller closes. */
  openForReading(): number
  close(): void
}

/** Links that one path may go through, as in Linux. */
export const maxLinks = 40

/** Finds the innermost root that holds a path; compares by parts, never by string prefix. */
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

/** The part of a normalised path below a directory. */
function pathBelow(directory: string, absolute: string): string {
  return absolute.slice(directory.endsWith(sep) ? directory.length : directory.length + 1)
}
