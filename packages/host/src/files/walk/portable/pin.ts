import { constants, type Stats } from "node:fs"
import { ToolError } from "@haft/contract"
import { closeQuietly, fstat, lstat, open, realpath } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import type { HeldDirectory, Pinned, RootSet, Target } from "../walk.js"
import { find } from "./find.js"

// Windows knows neither of these flags; undefined counts as no flag there.
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Remembers what a path resolves to; on opening it must still be the same thing at the same place. */
export function* pin(target: Target, roots: RootSet): Program<Pinned | undefined> {
  const { facts, path } = yield* find(target, roots)
  return facts && pinned(path, facts)
}

/** Remembers an entry of a held directory, also a link itself; undefined when nothing is there. */
export function* pinEntry(directory: HeldDirectory, name: string): Program<Pinned | undefined> {
  const path = directory.entry(name)
  const facts = yield* lstat(path)
  return facts && pinned(path, facts)
}

function pinned(path: string, facts: Stats): Pinned {
  return { path, facts, self: path, openForReading: () => openSame(path, facts), close: () => undefined }
}

function* openSame(path: string, facts: Stats): Program<number> {
  const descriptor = yield* open(path, readFlags)
  try {
    const opened = yield* fstat(descriptor)
    const same = opened.ino === facts.ino && opened.dev === facts.dev
    if (same && (yield* realpath(path)) === path) return descriptor
    throw new ToolError("conflict", `Cannot open "${path}": its path is being changed; try again`)
  } catch (error) {
    closeQuietly(descriptor)
    throw error
  }
}
