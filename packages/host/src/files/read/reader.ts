import { type Dirent, readdirSync, type Stats } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import {
  type CallScope,
  type DirectoryEntry,
  type DirectoryListing,
  type FileContent,
  type FileFacts,
  type FileReader,
  ToolError,
} from "@haft/contract"
import { aim, assertActive, display, type FileSession, judge, perform } from "../file-session.js"
import { fileError } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import { atOnce, attempt, type Program, withinTurnBudget } from "../system/program.js"
import type { Pinned, RootSet, Target } from "../walk/walk.js"
import { assertRegular } from "./assert-regular.js"
import { factsOf } from "./facts-of.js"
import { missingPath } from "./near-names.js"
import { locate, openLooked, openPinned, openQuickly } from "./open-file.js"
import { readContent } from "./read-content.js"

/** Reads inside the grant of one call. */
export function createReader(session: FileSession, call: CallScope): FileReader {
  const begin = async (path: string, action: string): Promise<Target> => {
    const target = await aim(session, path, action)
    assertActive(call, target)
    return target
  }
  const withPinned = async <Result>(target: Target, use: (pinned: Pinned) => Program<Result>): Promise<Result> => {
    const found = await perform(target, () => pinAndUse(target, session.roots, use))
    if (found) return found.result
    throw await missingPath(session, call, target)
  }
  return {
    open: async (path) => {
      // What this turn has looked at is held until its end only; later it would be looked at again (row "1000 concurrent small reads").
      const looked = atOnce(() => openLooked(session, call, path))
      if (looked) return looked
      const target = await begin(path, "read")
      const quick = target.root.remote ? undefined : await withinTurnBudget(() => openQuickly(session, call, target))
      return quick ?? withPinned(target, (pinned) => openPinned(session, call, { pinned, target }))
    },
    readAll: async (path, { maxBytes }) => {
      const target = await begin(path, "read")
      return withPinned(target, (pinned) => readAll(session, call, { pinned, target, maxBytes }))
    },
    stat: async (path) => {
      const target = await begin(path, "look at")
      const pinned = await perform(target, () => target.root.walk.pin(target, session.roots))
      try {
        return pinned && statPinned(call, pinned, target)
      } finally {
        pinned?.close()
      }
    },
    list: async (path, options) => {
      const target = await begin(path, "list")
      const pinned = await perform(target, () => target.root.walk.pin(target, session.roots))
      if (!pinned) throw await missingPath(session, call, target)
      try {
        return await listDirectory(call, { pinned, target }, options)
      } finally {
        pinned.close()
      }
    },
    locate: (path) => locate(session, path),
    display: (path) => display(session, path),
  }
}

function* readAll(
  session: FileSession,
  call: CallScope,
  { pinned, target, maxBytes }: { readonly pinned: Pinned; readonly target: Target; readonly maxBytes: number },
): Program<FileContent> {
  judge(call, "fs.read", { path: pinned.path, target })
  const { content, identity } = yield* readContent(pinned, { target, maxBytes })
  call.observe({ kind: "fs.read", path: pinned.path })
  session.ledger.remember(pinned.path, { identity, bytes: content.bytes })
  return content
}

function statPinned(call: CallScope, { path, facts }: Pinned, target: Target): FileFacts {
  judge(call, "fs.read", { path, target })
  if (facts.isFile() || facts.isDirectory()) return factsOf(path, facts)
  throw new ToolError("unsupported", `Cannot look at "${target.shown}": it is neither a file nor a directory`)
}

function* pinAndUse<Result>(
  target: Target,
  roots: RootSet,
  use: (pinned: Pinned) => Program<Result>,
): Program<{ readonly result: Result } | undefined> {
  const pinned = yield* target.root.walk.pin(target, roots)
  if (!pinned) return undefined
  try {
    return { result: yield* use(pinned) }
  } finally {
    pinned.close()
  }
}

/** A directory whose own size is below this holds few enough entries to be listed on the spot. */
const smallDirectoryBytes = 64 * 1024
/** Entries that are looked at between two looks at the clock. */
const batchSize = 64

/** The entries of a pinned directory, sorted by name, that the grant admits. Closes nothing. */
async function listDirectory(
  call: CallScope,
  { pinned, target }: { readonly pinned: Pinned; readonly target: Target },
  { maxEntries }: { readonly maxEntries: number },
): Promise<DirectoryListing> {
  const { path, facts } = pinned
  judge(call, "fs.read", { path, target })
  if (!facts.isDirectory()) {
    throw new ToolError("unsupported", `Cannot ${target.action} "${target.shown}": it is not a directory`, {
      hint: { say: "Open it with {tool:read}" },
    })
  }
  const found = await readEntries(pinned, target)
  call.observe({ kind: "fs.read", path })
  const entries: DirectoryEntry[] = []
  let denied = 0
  let looked = 0
  while (looked < found.length && entries.length < maxEntries) {
    assertActive(call, target)
    await perform(target, describeBatch)
  }
  return { path, entries, complete: looked === found.length, denied }

  function* describeBatch(): Program<void> {
    for (
      const end = Math.min(found.length, looked + batchSize);
      looked < end && entries.length < maxEntries;
      looked++
    ) {
      const entry = found[looked]!
      if (call.grant.admits("fs.read", join(path, entry.name))) entries.push(yield* describe(pinned, entry))
      else denied++
    }
  }
}

async function readEntries(pinned: Pinned, target: Target): Promise<Dirent[]> {
  const options = { withFileTypes: true } as const
  const quick = !target.root.remote && pinned.facts.size <= smallDirectoryBytes
  try {
    const entries = quick ? readdirSync(pinned.self, options) : await readdir(pinned.self, options)
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    throw fileError(error, target.action, target.shown)
  }
}

function* describe(pinned: Pinned, entry: Dirent): Program<DirectoryEntry> {
  const facts = yield* attempt("gone meanwhile, or a name that is no UTF-8", lstat(`${pinned.self}/${entry.name}`))
  return { name: entry.name, type: typeOf(facts ?? entry), size: facts?.size ?? 0, mtimeMs: facts?.mtimeMs ?? 0 }
}

function typeOf(facts: Stats | Dirent): DirectoryEntry["type"] {
  if (facts.isSymbolicLink()) return "link"
  if (facts.isDirectory()) return "directory"
  return facts.isFile() ? "file" : "other"
}

/** A directory that stays the same directory until it is closed. */
export interface OpenDirectory {
  /** Absolute, links followed. */
  readonly path: string
  /** What a child process gets as its working directory. */
  readonly cwd: string
  /** The name inside the directory, when the opened path is a file. */
  readonly single?: string
  close(): void
}

/**
 * Holds the directory that a path resolves to, or the directory of the file. The grant judges what is found inside. Where
 * nothing is, a call gets near names that it may see.
 */
export async function openDirectory(session: FileSession, path: string, call?: CallScope): Promise<OpenDirectory> {
  const target = await aim(session, path, "search")
  const { walk } = target.root
  const place = await perform(target, () => walk.find(target, session.roots))
  try {
    if (!place.facts) {
      if (call) throw await missingPath(session, call, target)
      throw new ToolError("not_found", `Cannot search "${target.shown}": it does not exist`)
    }
    if (place.facts.isDirectory()) {
      const held =
        place.name === "." ? place.directory : await perform(target, () => walk.enter(place.directory, place.name))
      if (held !== place.directory) place.directory.close()
      return { path: held.path, cwd: held.self, close: () => held.close() }
    }
    assertRegular(place.facts, target)
    const { directory } = place
    return { path: directory.path, cwd: directory.self, single: place.name, close: () => directory.close() }
  } catch (error) {
    place.directory.close()
    throw error
  }
}
