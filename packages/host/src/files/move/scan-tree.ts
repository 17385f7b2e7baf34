import { readdir } from "node:fs/promises"
import { type CallScope, ToolError } from "@haft/contract"
import { assertActive, type FileSession, perform } from "../file-session.js"
import { type FileIdentity, identityOf } from "../ledger.js"
import { fileError } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { HeldDirectory, Target } from "../walk/walk.js"
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
  /** The folders around it, outermost first, the moved one left out; like `below`. */
  readonly folders: readonly string[]
}

/** The files below a folder. */
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
  const scan = new TreeScan(session, call, move)
  await scan.directory(folder, "", [])
  return scan
}

class TreeScan implements Tree {
  readonly files: TreeFile[] = []
  bytes = 0
  private entries = 0
  private readonly session: FileSession
  private readonly call: CallScope
  private readonly move: HeldMove

  constructor(session: FileSession, call: CallScope, move: HeldMove) {
    this.session = session
    this.call = call
    this.move = move
  }

  private get target(): Target {
    return this.move.source.target
  }

  async directory(directory: HeldDirectory, below: string, folders: readonly string[]): Promise<void> {
    const { target } = this
    for (const name of await namesIn(directory, target)) {
      assertActive(this.call, target)
      if (++this.entries > maxEntries) throw tooLarge(target, `more than ${maxEntries} entries`)
      const path = `${below}/${name}`
      judgeMove(this.call, this.move, path)
      const facts = await perform(target, () => lstat(directory.entry(name)))
      if (!facts) throw name.includes("\ufffd") ? unnamed(target) : unsteadyPath(target)
      if (facts.isDirectory()) await this.enter(directory, { name, path, folders: [...folders, path] })
      else if (facts.isFile()) await this.add(directory, { name, path, folders })
    }
  }

  private async enter(directory: HeldDirectory, entry: Entry): Promise<void> {
    const { target } = this
    const { path, root } = this.move.source.place
    const absolute = path + entry.path
    if (this.session.roots.target(absolute, target)?.below === "") {
      throw new ToolError("unsupported", `Cannot move "${target.shown}": the root "${absolute}" is in it`)
    }
    const next = await perform(target, () => root.walk.enter(directory, entry.name))
    try {
      await this.directory(next, entry.path, entry.folders)
    } finally {
      next.close()
    }
  }

  private async add(directory: HeldDirectory, { name, path, folders }: Entry): Promise<void> {
    const { target, call } = this
    const { walk } = this.move.source.place.root
    const pinned = await perform(target, () => walk.pinEntry(directory, name))
    if (!pinned) throw unsteadyPath(target)
    try {
      const { facts } = pinned
      this.bytes += facts.size
      if (this.bytes > maxBytes) throw tooLarge(target, `more than ${maxBytes} bytes`)
      const hash = await perform(target, () => hashPinned(pinned, () => assertActive(call, target)))
      this.files.push({ below: path, hash, mode: facts.mode & 0o7777, identity: identityOf(facts), folders })
    } finally {
      pinned.close()
    }
  }
}

async function namesIn(directory: HeldDirectory, target: Target): Promise<string[]> {
  try {
    return (await readdir(directory.self)).sort()
  } catch (error) {
    throw fileError(error, target.action, target.shown)
  }
}

function tooLarge({ shown }: Target, what: string): ToolError {
  return new ToolError("too_large", `Cannot move "${shown}": it holds ${what}; move its parts one by one`)
}

function unnamed({ shown }: Target): ToolError {
  return new ToolError("unsupported", `Cannot move "${shown}": it holds a name that is no valid UTF-8`)
}

interface Entry {
  readonly name: string
  readonly path: string
  readonly folders: readonly string[]
}
