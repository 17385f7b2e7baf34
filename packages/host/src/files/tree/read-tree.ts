import { createHash } from "node:crypto"
import { constants, type Stats } from "node:fs"
import {
  chmod,
  chown,
  type FileHandle,
  lchown,
  lstat,
  lutimes,
  mkdir,
  open,
  readdir,
  readlink,
  symlink,
  utimes,
} from "node:fs/promises"
import { ToolError } from "@haft/contract"
import { drive } from "../system/program.js"
import type { HeldDirectory, Walk } from "../walk/walk.js"
import type { Seat } from "../write/make-parents.js"

/** What one entry of a tree is: its content by its hash, the text of a link. */
export interface TreeEntry {
  /** From the top of the tree on, beginning with a slash; empty for the top itself. */
  readonly below: string
  readonly facts: Stats
  /** SHA-256 of a file, the text of a link; undefined for a folder. */
  readonly content: string | undefined
  /** The copy, where one was made and once it is complete. */
  readonly copy?: Stats
}

/** How a tree is read. */
export interface TreeOptions {
  readonly walk: Walk
  /** Words for a failure: `Cannot ${action} "${path}${below}": ...`. */
  readonly action: string
  readonly path: string
  readonly limits: TreeLimits
  readonly signal?: AbortSignal
  /** Where a copy goes; nothing may be there. */
  readonly copyTo?: Seat
  /** Owner of copies; where it is absent they belong to the owner of the original, as far as this user may give them. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Asked before anything is taken: false leaves an entry out with all that is in it; a throw ends it. */
  readonly takes?: (below: string, facts: Stats) => boolean
  /** Called for each entry, a folder after what is in it. */
  readonly onEntry?: (entry: TreeEntry) => void
}

/** How much a tree may hold. */
export interface TreeLimits {
  readonly entries: number
  readonly bytes: number
}

export interface ReadTree {
  /** The same for the same names, kinds, permissions and contents; times and owners do not matter. */
  readonly identity: string
  readonly bytes: number
}

/** Stands in an effect for a folder with all that is in it, or for a file too large for the file history. */
export const treeMark = "tree:"

/** What of a mode is kept: nothing that makes a program run as somebody else. */
export function keptMode(facts: Pick<Stats, "mode" | "isDirectory">): number {
  return facts.mode & (facts.isDirectory() ? 0o3777 : 0o777)
}

/** Reads a file, a link or a folder with all that is in it, through held directories and never through a link. */
export async function readTree(top: Seat, options: TreeOptions): Promise<ReadTree> {
  const reader = new TreeReader(options)
  await reader.read(top, options.copyTo, "")
  return { identity: treeMark + reader.hash.digest("hex"), bytes: reader.bytes }
}

const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | (constants.O_NOFOLLOW ?? 0)
const writeFlags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)
const pieceBytes = 1024 * 1024

// Every look at a repository with git writes its index anew; work that is in it is in the objects as well.
const rewritten = /\/\.git\/index$/

// Only the superuser may give files away.
const isSuperuser = process.getuid?.() === 0

interface Entry {
  readonly facts: Stats
  readonly below: string
}

class TreeReader {
  readonly hash = createHash("sha256")
  bytes = 0
  private entries = 0
  private device: number | undefined
  private readonly buffer = Buffer.allocUnsafe(pieceBytes)
  private readonly options: TreeOptions

  constructor(options: TreeOptions) {
    this.options = options
  }

  async read(from: Seat, to: Seat | undefined, below: string): Promise<void> {
    this.options.signal?.throwIfAborted()
    const facts = await lstat(from.directory.entry(from.name))
    if (this.options.takes && !this.options.takes(below, facts)) return
    this.count(facts, below)
    const content = await this.contentOf(from, to, { facts, below })
    const kind = facts.isDirectory() ? "folder" : facts.isFile() ? "file" : "link"
    const mode = kind === "link" ? 0 : facts.mode & 0o777
    this.hash.update(`${JSON.stringify([below, kind, mode, rewritten.test(below) ? null : (content ?? null)])}\n`)
    const copy = to && (await lstat(to.directory.entry(to.name)))
    this.options.onEntry?.({ below, facts, content, ...(copy && { copy }) })
  }

  private async contentOf(from: Seat, to: Seat | undefined, entry: Entry): Promise<string | undefined> {
    const { facts, below } = entry
    if (facts.isDirectory()) {
      await this.readFolder(from, to, entry)
      return undefined
    }
    if (facts.isFile()) return this.readFile(from, to, entry)
    if (!facts.isSymbolicLink()) throw this.failure(below, "it is a device, a pipe or a socket")
    const text = await readlink(from.directory.entry(from.name))
    const target = to?.directory.entry(to.name)
    if (target === undefined) return text
    await symlink(text, target)
    if (isSuperuser) await lchown(target, this.ownerOf(facts).uid, this.ownerOf(facts).gid)
    await lutimes(target, facts.atimeMs / 1000, facts.mtimeMs / 1000)
    return text
  }

  private count(facts: Stats, below: string): void {
    const { limits } = this.options
    this.entries += 1
    this.bytes += facts.isFile() ? facts.size : 0
    this.device ??= facts.dev
    if (facts.dev !== this.device) throw this.failure(below, "another file system is mounted there")
    if (this.entries > limits.entries) throw this.tooLarge(`more than ${limits.entries} files and folders`)
    if (this.bytes > limits.bytes) throw this.tooLarge(`more than ${Math.floor(limits.bytes / 1024 ** 2)} MB`)
  }

  private async readFolder(from: Seat, to: Seat | undefined, { facts, below }: Entry): Promise<void> {
    const { walk } = this.options
    if (to) await mkdir(to.directory.entry(to.name), { mode: 0o700 })
    const source = await drive(walk.enter(from.directory, from.name), true)
    let goal: HeldDirectory | undefined
    try {
      goal = to && (await drive(walk.enter(to.directory, to.name), true))
      for (const name of (await readdir(source.self)).sort()) {
        if (name.includes("\ufffd")) throw this.failure(`${below}/${name}`, "its name is not UTF-8")
        await this.read({ directory: source, name }, goal && { directory: goal, name }, `${below}/${name}`)
      }
      if (!goal) return
      // By way of the descriptor that holds the folder: nothing can have taken its place.
      if (isSuperuser) await chown(goal.self, this.ownerOf(facts).uid, this.ownerOf(facts).gid)
      await chmod(goal.self, keptMode(facts))
      await utimes(goal.self, facts.atimeMs / 1000, facts.mtimeMs / 1000)
    } finally {
      source.close()
      goal?.close()
    }
  }

  private async readFile(from: Seat, to: Seat | undefined, { facts, below }: Entry): Promise<string> {
    const reading = await open(from.directory.entry(from.name), readFlags)
    let writing: FileHandle | undefined
    try {
      const opened = await reading.stat()
      if (opened.ino !== facts.ino || !opened.isFile()) throw this.changed(below)
      if (to) writing = await open(to.directory.entry(to.name), writeFlags, 0o600)
      const hash = createHash("sha256")
      for (let offset = 0; ; ) {
        this.options.signal?.throwIfAborted()
        const { bytesRead } = await reading.read(this.buffer, 0, pieceBytes, offset)
        if (bytesRead === 0) break
        const piece = this.buffer.subarray(0, bytesRead)
        hash.update(piece)
        await writing?.writeFile(piece)
        offset += bytesRead
        if (offset > facts.size) throw this.changed(below)
      }
      if (isSuperuser) await writing?.chown(this.ownerOf(facts).uid, this.ownerOf(facts).gid)
      await writing?.chmod(keptMode(facts))
      await writing?.utimes(facts.atimeMs / 1000, facts.mtimeMs / 1000)
      return hash.digest("hex")
    } finally {
      await reading.close()
      await writing?.close()
    }
  }

  private ownerOf(facts: Stats): { readonly uid: number; readonly gid: number } {
    return this.options.owner ?? facts
  }

  private failure(below: string, reason: string): ToolError {
    const { action, path } = this.options
    return new ToolError("unsupported", `Cannot ${action} "${path}${below}": ${reason}`)
  }

  private changed(below: string): ToolError {
    const { action, path } = this.options
    return new ToolError("conflict", `Cannot ${action} "${path}${below}": it is being changed; try again`)
  }

  private tooLarge(what: string): ToolError {
    const { action, path } = this.options
    return new ToolError("too_large", `Cannot ${action} "${path}": it holds ${what}; name a smaller part of it`)
  }
}
