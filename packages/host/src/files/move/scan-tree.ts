import { readdir } from "node:fs/promises"
import { type CallScope, ToolError } from "@haft/contract"
import { assertActive, type FileSession, perform } from "../file-session.js"
import { fileError } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import { type FileIdentity, identityOf } from "../system/file-identity.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { HeldDirectory } from "../walk/walk.js"
import { type HeldMove, judgeMove } from "./held-move.js"
import { hashPinned } from "./move-file.js"

/** Entries that a moved folder may hold: each is judged, and each file is recorded for undo. */
const maxEntries = 10_000
/** Bytes that are hashed for it at most, which takes some seconds. */
const maxBytes = 4 * 1024 ** 3

/** A regular file below a folder that is about to be moved. */
export interface TreeFile {
  /** From the folder on, beginning with a slash. */
  readonly below: string
  readonly hash: string
  readonly mode: number
  readonly identity: FileIdentity
  /** The folders that it lies in, outermost first, the moved one left out; like `below`. */
  readonly folders: readonly string[]
}

/** What lies below a folder. */
export interface Tree {
  readonly files: readonly TreeFile[]
  readonly bytes: number
}

/** Judges everything below a folder at its old and its new place and hashes the files. Links are not followed. */
export async function scanTree(
  session: FileSession,
  call: CallScope,
  { move, folder }: { readonly move: HeldMove; readonly folder: HeldDirectory },
): Promise<Tree> {
  const { target } = move.source
  const { walk } = move.source.place.root
  const files: TreeFile[] = []
  let entries = 0
  let bytes = 0
  await scan(folder, "", [])
  return { files, bytes }

  async function scan(directory: HeldDirectory, below: string, folders: readonly string[]): Promise<void> {
    for (const name of await namesIn(directory)) {
      assertActive(call, target)
      if (++entries > maxEntries) throw tooLarge(`more than ${maxEntries} entries`)
      const path = `${below}/${name}`
      judgeMove(call, move, path)
      const facts = await perform(target, () => lstat(directory.entry(name)))
      if (!facts) throw name.includes("\ufffd") ? unnamed() : unsteadyPath(target)
      if (facts.isDirectory()) await enter(directory, { name, path, folders: [...folders, path] })
      else if (facts.isFile()) await add(directory, { name, path, folders })
    }
  }

  async function enter(directory: HeldDirectory, entry: Entry): Promise<void> {
    const absolute = move.source.place.path + entry.path
    if (session.roots.target(absolute, target)?.below === "") {
      throw new ToolError("unsupported", `Cannot move "${target.shown}": the root "${absolute}" lies in it`)
    }
    const next = await perform(target, () => walk.enter(directory, entry.name))
    try {
      await scan(next, entry.path, entry.folders)
    } finally {
      next.close()
    }
  }

  async function add(directory: HeldDirectory, { name, path, folders }: Entry): Promise<void> {
    await perform(target, function* () {
      const pinned = yield* walk.pinEntry(directory, name)
      if (!pinned) throw unsteadyPath(target)
      try {
        bytes += pinned.facts.size
        if (bytes > maxBytes) throw tooLarge(`more than ${maxBytes} bytes`)
        const hash = yield* hashPinned(pinned, () => assertActive(call, target))
        const { facts } = pinned
        files.push({ below: path, hash, mode: facts.mode & 0o7777, identity: identityOf(facts), folders })
      } finally {
        pinned.close()
      }
    })
  }

  async function namesIn(directory: HeldDirectory): Promise<string[]> {
    try {
      return (await readdir(directory.self)).sort()
    } catch (error) {
      throw fileError(error, target.action, target.shown)
    }
  }

  function tooLarge(what: string): ToolError {
    return new ToolError("too_large", `Cannot move "${target.shown}": it holds ${what}; move its parts one by one`)
  }

  function unnamed(): ToolError {
    return new ToolError("unsupported", `Cannot move "${target.shown}": it holds a name that is no valid UTF-8`)
  }
}

interface Entry {
  readonly name: string
  readonly path: string
  readonly folders: readonly string[]
}
