import { type Dirent, readdirSync, type Stats } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { type CallScope, type DirectoryEntry, type DirectoryListing, ToolError } from "@haft/contract"
import { assertActive, judge, perform } from "../file-session.js"
import { fileError } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import type { Pinned, Target } from "../walk/walk.js"

/** A directory whose own size is below this holds few enough entries to be listed on the spot. */
const smallDirectoryBytes = 64 * 1024
/** Entries that are looked at between two looks at the clock. */
const batchSize = 64

/** The entries of a pinned directory, sorted by name, that the grant admits. Closes nothing. */
export async function listDirectory(
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
  const facts = yield* factsOrNothing(`${pinned.self}/${entry.name}`)
  return { name: entry.name, type: typeOf(facts ?? entry), size: facts?.size ?? 0, mtimeMs: facts?.mtimeMs ?? 0 }
}

/** Undefined for an entry that vanished meanwhile, or whose name is no valid UTF-8 and so cannot be asked for. */
function* factsOrNothing(path: string): Program<Stats | undefined> {
  try {
    return yield* lstat(path)
  } catch {
    return undefined
  }
}

function typeOf(facts: Stats | Dirent): DirectoryEntry["type"] {
  if (facts.isSymbolicLink()) return "link"
  if (facts.isDirectory()) return "directory"
  return facts.isFile() ? "file" : "other"
}
