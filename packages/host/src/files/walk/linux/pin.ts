import type { Stats } from "node:fs"
import { join } from "node:path"
import { errnoOf, isMissing } from "../../system/errno.js"
import { closeQuietly, fstat, open, readlink } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import { unsteadyPath } from "../assert-same-root.js"
import { type HeldDirectory, type Pinned, pathOf, type RootSet, type Target } from "../walk.js"
import { find } from "./find.js"
import { pinFlags, readFlags } from "./hold.js"

/** Holds what a path resolves to; undefined when nothing is there. */
export function* pin(target: Target, roots: RootSet): Program<Pinned | undefined> {
  return (yield* pinDirectly(target)) ?? (yield* pinPartByPart(target, roots))
}

/** The quick way for a path without links: the kernel looks it up at once and then tells where it ended. */
function* pinDirectly(target: Target): Program<Pinned | undefined> {
  const path = pathOf(target)
  let descriptor: number | undefined
  try {
    descriptor = yield* open(target.root.held.entry(target.below), pinFlags)
    if ((yield* readlink(`/proc/self/fd/${descriptor}`)) === path) {
      const facts = yield* fstat(descriptor)
      if (!facts.isSymbolicLink()) return pinned(descriptor, path, facts)
    }
  } catch (error) {
    if (!errnoOf(error)) throw error
  }
  if (descriptor !== undefined) closeQuietly(descriptor)
  return undefined
}

function* pinPartByPart(target: Target, roots: RootSet): Program<Pinned | undefined> {
  const { directory, name, facts } = yield* find(target, roots)
  try {
    const found = facts && (yield* pinEntry(directory, name))
    if (!found?.facts.isSymbolicLink()) return found
    found.close()
    throw unsteadyPath(target)
  } finally {
    directory.close()
  }
}

/** Holds an entry of a held directory, also a link itself; undefined when nothing is there. */
export function* pinEntry(directory: HeldDirectory, name: string): Program<Pinned | undefined> {
  let descriptor: number
  try {
    descriptor = yield* open(directory.entry(name), pinFlags)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  return pinned(descriptor, join(directory.path, name), yield* fstat(descriptor))
}

function pinned(descriptor: number, path: string, facts: Stats): Pinned {
  const self = `/proc/self/fd/${descriptor}`
  let closed = false
  return {
    path,
    facts,
    self,
    openForReading: () => open(self, readFlags),
    close() {
      if (!closed) closeQuietly(descriptor)
      closed = true
    },
  }
}
