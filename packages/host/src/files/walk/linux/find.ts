import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { errnoOf, isMissing } from "../../system/errno.js"
import { lstat, readlink } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import { unsteadyPath } from "../assert-same-root.js"
import { type FoundLink, followLinks } from "../follow-link.js"
import type { HeldDirectory, Place, RootSet, Target } from "../walk.js"
import { enter, holdDirectly } from "./hold.js"

/** Finds the entry that a path resolves to and holds its directory. */
export function* find(target: Target, roots: RootSet): Program<Place> {
  return (yield* findDirectly(target)) ?? (yield* followLinks(target, roots, walkToLink))
}

/** The quick way for a path without links: undefined when there is one, or when anything is unusual. */
function* findDirectly({ root, parts }: Target): Program<Place | undefined> {
  const name = parts.at(-1) ?? "."
  let directory: HeldDirectory | undefined
  try {
    if (parts.length <= 1) {
      if (!(yield* root.held.isInPlace())) return undefined
      directory = borrowed(root.held)
    } else directory = yield* holdDirectly(root.held, parts.slice(0, -1))
    if (!directory) return undefined
    const facts = yield* lstat(directory.entry(name))
    if (!facts?.isSymbolicLink()) return place(root, directory, { name, rest: [], facts })
  } catch (error) {
    if (!errnoOf(error)) throw error
  }
  directory?.close()
  return undefined
}

/** The careful way: every part is opened below the one before, never through a link. */
function* walkToLink(target: Target): Program<Place | FoundLink> {
  const { root, parts } = target
  let directory = borrowed(root.held)
  try {
    for (const [index, name] of parts.entries()) {
      const rest = parts.slice(index + 1)
      const facts = yield* lstat(directory.entry(name))
      if (facts?.isSymbolicLink()) {
        const text = yield* readlink(directory.entry(name))
        const link = { path: join(directory.path, name), text, rest }
        directory.close()
        return link
      }
      if (!facts || rest.length === 0) return place(root, directory, { name, rest, facts })
      if (!facts.isDirectory()) throw notADirectory(target, index)
      const next = yield* enter(directory, name)
      directory.close()
      directory = next
    }
    return place(root, directory, { name: ".", rest: [], facts: yield* lstat(directory.entry(".")) })
  } catch (error) {
    directory.close()
    // Between two calls the entry became something else: somebody is changing the tree.
    if (isMissing(error) || errnoOf(error) === "EINVAL" || errnoOf(error) === "ELOOP") throw unsteadyPath(target)
    throw error
  }
}

function place(
  root: Target["root"],
  directory: HeldDirectory,
  { name, rest, facts }: Pick<Place, "name" | "rest" | "facts">,
): Place {
  return {
    root,
    directory,
    name,
    rest,
    facts,
    path: name === "." ? directory.path : join(directory.path, name, ...rest),
  }
}

function borrowed(directory: HeldDirectory): HeldDirectory {
  return new BorrowedDirectory(directory)
}

/** The root's own directory: it lives as long as the session and no longer, so closing the place does not close it. */
class BorrowedDirectory implements HeldDirectory {
  readonly path: string
  private readonly lender: HeldDirectory

  constructor(lender: HeldDirectory) {
    this.path = lender.path
    this.lender = lender
  }

  get self(): string {
    return this.lender.self
  }

  entry(name: string): string {
    return this.lender.entry(name)
  }

  isInPlace(): Program<boolean> {
    return this.lender.isInPlace()
  }

  close(): void {}
}

function notADirectory(target: Target, index: number): ToolError {
  const part = join(target.root.path, ...target.parts.slice(0, index + 1))
  return new ToolError("not_found", `Cannot ${target.action} "${target.shown}": "${part}" is not a directory`)
}
