import { accessSync, chmodSync, constants, lstatSync } from "node:fs"
import { join } from "node:path"
import { type FileEffectKind, ToolError } from "@haft/contract"
import { type FileIdentity, identityOf } from "../files/ledger.js"
import { errnoOf, fileError } from "../files/system/errno.js"
import { readTree, type TreeEntry } from "../files/tree/read-tree.js"
import { openRoot } from "../files/walk/open-root.js"
import type { Identity } from "../sandbox/backend.js"
import { treeLimits } from "../undo/keep/kept-tree.js"
import { type OutsideName, refused } from "./plan-names.js"

/** What a copy may hold, and for whom it is made. */
export interface CopyRequest {
  readonly identity: Identity
  readonly denies: (kind: FileEffectKind, path: string) => boolean
  readonly signal: AbortSignal
}

/** One file, link or folder as it was copied. */
export interface StagedEntry {
  readonly kind: "file" | "folder" | "link"
  readonly mode: number
  readonly content: string | undefined
  /** The original and its copy in the state in which they were left. */
  readonly original: FileIdentity
  readonly copy: FileIdentity & { readonly mode: number }
}

/** Copies names into folders of the session; all names of a command share one limit. */
export class NameCopies {
  bytes = 0
  private entries = 0
  private readonly request: CopyRequest

  constructor(request: CopyRequest) {
    this.request = request
  }

  /** Copies a name into a folder; the answer is what was copied, by the path below the first name. */
  async copy(name: OutsideName, folder: string): Promise<ReadonlyMap<string, StagedEntry>> {
    const before = new Map<string, StagedEntry>()
    const top = join(name.folder, name.first)
    if (!isThere(name, top)) return before
    const [from, to] = [openRoot(name.folder), openRoot(folder)]
    try {
      if (from.path !== name.folder) throw refused(name.path, `"${name.folder}" is being changed`)
      const tree = await readTree(
        { directory: from.held, name: name.first },
        {
          ...{ walk: from.walk, action: "copy", path: top, signal: this.request.signal },
          limits: { entries: treeLimits.entries - this.entries, bytes: treeLimits.bytes - this.bytes },
          copyTo: { directory: to.held, name: name.first },
          ...(this.request.identity.kind === "root" && { owner: { uid: 0, gid: 0 } }),
          takes: (below) => this.mayCopy(name, top + below),
          onEntry: (entry) => before.set(entry.below, stagedEntry(entry)),
        },
      )
      this.bytes += tree.bytes
      this.entries += before.size
      return closeLike(join(folder, name.first), top, before)
    } catch (error) {
      throw copyFailure(error, name.path, top)
    } finally {
      from.close()
      to.close()
    }
  }

  /** What may not be read must not become readable in a copy. */
  private mayCopy(name: OutsideName, path: string): boolean {
    if (!this.request.denies("fs.read", path)) return true
    const what = path === name.path ? "a rule denies reading what it holds" : `a rule denies reading "${path}" in it`
    throw refused(name.path, `${what}, so that no copy can be made of it`)
  }
}

function isThere(name: OutsideName, top: string): boolean {
  try {
    return lstatSync(top, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw copyFailure(error, name.path, top)
  }
}

/** A file that this user may not write is none that the command may: it fails as it would without a sandbox. */
function closeLike(copy: string, original: string, before: Map<string, StagedEntry>): ReadonlyMap<string, StagedEntry> {
  const top = before.get("")
  if (top?.kind !== "file" || isWritable(original)) return before
  chmodSync(copy, top.mode & 0o555)
  const facts = lstatSync(copy)
  return before.set("", { ...top, copy: { ...identityOf(facts), mode: facts.mode & 0o7777 } })
}

function stagedEntry({ facts, content, copy }: TreeEntry): StagedEntry {
  const kind = facts.isDirectory() ? "folder" : facts.isFile() ? "file" : "link"
  const own = { ...identityOf(copy!), mode: copy!.mode & 0o7777 }
  return { kind, mode: facts.mode & 0o7777, content, original: identityOf(facts), copy: own }
}

/** Whether this user may write a path. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What prevents the copy prevents the command. */
function copyFailure(error: unknown, path: string, top: string): unknown {
  if (errnoOf(error) === undefined && !ToolError.is(error)) return error
  const { code, message } = fileError(error, "copy", top)
  if (message.startsWith("Cannot run")) return error
  const reason = `no copy can be made: ${message.replace(/^Cannot copy /, "")}`
  return new ToolError(code, refused(path, reason).message)
}
