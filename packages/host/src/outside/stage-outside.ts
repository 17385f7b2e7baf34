import { randomBytes } from "node:crypto"
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { type FileEffectKind, isInside, type OutsideWrite, ToolError } from "@haft/contract"
import { treeLimits } from "../files/history/kept-tree.js"
import { type FileIdentity, identityOf } from "../files/ledger.js"
import { errnoOf, fileError } from "../files/system/errno.js"
import { readTree, type TreeEntry } from "../files/tree/read-tree.js"
import { removeOwnFolder } from "../files/tree/remove-tree.js"
import { openRoot } from "../files/walk/open-root.js"
import type { Identity } from "../sandbox/backend.js"
import { createMasks } from "../sandbox/masks/find-masks.js"
import type { SessionPlace } from "../sandbox/view/build-view.js"
import type { Mount } from "../sandbox/view/mount.js"
import { WorkspaceIndex } from "../workspace-index/index.js"
import { type OutsideBounds, type OutsideName, planNames, refused } from "./plan-names.js"

/** What copies are made from, and where. */
export interface StageRequest {
  readonly writes: readonly OutsideWrite[]
  readonly bounds: OutsideBounds
  /** A folder of the session; the copies of one command lie in a folder of their own in it. */
  readonly folder: string
  readonly identity: Identity
  /** Where the view mounts something anyway. */
  readonly targets: readonly string[]
  /** The session's own home directory, where the view has one. */
  readonly home: SessionPlace | undefined
  readonly denies: (kind: FileEffectKind, path: string) => boolean
  /** Whether the call may read a path outside the workspace. */
  readonly mayRead: (path: string) => boolean
  /** Whether the view shows a path of the machine anyway. */
  readonly isShown: (path: string) => boolean
  readonly signal: AbortSignal
}

/** A folder of the machine, in whose place a command is shown one of the session. */
export interface StagedFolder {
  readonly path: string
  /** Where the session's folder lies. */
  readonly copy: string
  readonly names: readonly StagedName[]
  /** What else was put into the session's folder, for mounts to lie on. */
  readonly stubs: ReadonlySet<string>
  /** What a command adds beside its names belongs here; elsewhere it is not kept. */
  readonly rest: string | undefined
}

/** A name that a command may change, as it was before. */
export interface StagedName extends OutsideName {
  /** What was copied, by the path below the first name; empty for a name that is new. */
  readonly before: ReadonlyMap<string, StagedEntry>
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

/** Copies of what a command may change outside the workspace, and how they get into its view. */
export interface StagedOutside {
  readonly folders: readonly StagedFolder[]
  readonly mounts: readonly Mount[]
  /** How much was copied. */
  readonly bytes: number
  /** Removes the copies. */
  dispose(): Promise<void>
}

const maxFolders = 8
// Each is a mount of its own; above that only the names themselves are shown.
const maxSiblings = 200

/**
 * Copies the names that a command may change into folders of the session, each of which is shown in the place of the
 * folder that the name lies in: a mount on the name itself could be neither removed nor replaced by a rename, as `rm`,
 * `mv` and `sed -i` do. What else is in there is bound read-only, or covered where the command may not read it.
 * Undefined when all of them lie where commands write anyway. Throws for what cannot be done, and then nothing is left.
 */
export async function stageOutside(request: StageRequest): Promise<StagedOutside | undefined> {
  const names = planNames(request.writes, request.bounds)
  if (names.length === 0) return undefined
  const folders = [...new Set(names.map(({ folder }) => folder))].sort()
  if (folders.length > maxFolders) throw refused(names[0]!.path, `so are names in more than ${maxFolders} folders`)
  const base = join(request.folder, randomBytes(8).toString("hex"))
  const dispose = () => removeOwnFolder(base)
  try {
    const stager = new Stager({ ...request, targets: [...request.targets, ...folders] }, base)
    // Outer folders first: the view of an inner one lies on top of them.
    for (const path of folders) {
      await stager.add(
        path,
        names.filter(({ folder }) => folder === path),
      )
    }
    return { folders: stager.folders, mounts: stager.mounts, bytes: stager.bytes, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

class Stager {
  readonly folders: StagedFolder[] = []
  readonly mounts: Mount[] = []
  private readonly request: StageRequest
  private readonly base: string
  bytes = 0
  private entries = 0

  constructor(request: StageRequest, base: string) {
    this.request = request
    this.base = base
  }

  async add(path: string, names: readonly OutsideName[]): Promise<void> {
    const copy = join(this.base, String(this.folders.length))
    mkdirSync(copy, { recursive: true, mode: 0o700 })
    const staged: StagedName[] = []
    for (const name of names) staged.push({ ...name, before: await this.copyName(name, copy) })
    const home = this.request.home?.target === path ? this.request.home : undefined
    const siblings = await this.siblingsOf(path, new Set(names.map(({ first }) => first)), home)
    for (const { name, what } of siblings) makeStub(join(copy, name), what)
    this.mounts.push({ kind: "write", source: copy, target: path }, ...siblings.flatMap(({ mounts }) => mounts))
    this.folders.push({
      path,
      copy,
      names: staged,
      stubs: new Set(siblings.map(({ name }) => name)),
      rest: home?.source,
    })
    this.openLike(copy, path)
  }

  private async copyName(name: OutsideName, copy: string): Promise<ReadonlyMap<string, StagedEntry>> {
    const before = new Map<string, StagedEntry>()
    const top = join(name.folder, name.first)
    if (!this.isThere(name, top)) return before
    const [from, to] = [openRoot(name.folder), openRoot(copy)]
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
      return this.closeLike(join(copy, name.first), top, before)
    } catch (error) {
      throw copyFailure(error, name.path, top)
    } finally {
      from.close()
      to.close()
    }
  }

  private isThere(name: OutsideName, top: string): boolean {
    try {
      return lstatSync(top, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      throw copyFailure(error, name.path, top)
    }
  }

  /** What may not be read must not become readable in a copy. */
  private mayCopy(name: OutsideName, path: string): boolean {
    if (!this.request.denies("fs.read", path)) return true
    const what = path === name.path ? "a rule denies reading what it holds" : `a rule denies reading "${path}" in it`
    throw refused(name.path, `${what}, so that no copy can be made of it`)
  }

  /** A file that this user may not write is none that the command may: it fails as it would without a sandbox. */
  private closeLike(
    copy: string,
    original: string,
    before: Map<string, StagedEntry>,
  ): ReadonlyMap<string, StagedEntry> {
    const top = before.get("")
    if (top?.kind !== "file" || isWritable(original)) return before
    chmodSync(copy, top.mode & 0o555)
    const facts = lstatSync(copy)
    return before.set("", { ...top, copy: { ...identityOf(facts), mode: facts.mode & 0o7777 } })
  }

  /** The session's folder can be written by whoever may write the one that it stands for. */
  private openLike(copy: string, path: string): void {
    const facts = lstatSync(path)
    const { identity } = this.request
    if (identity.kind === "owner") chownSync(copy, facts.uid, facts.gid)
    const mode = identity.kind === "owner" ? facts.mode & 0o1777 : isWritable(path) ? 0o755 : 0o555
    chmodSync(copy, mode)
  }

  private async siblingsOf(
    path: string,
    names: ReadonlySet<string>,
    home: SessionPlace | undefined,
  ): Promise<readonly Sibling[]> {
    const listed = namesIn(home?.source ?? path).filter((name) => !names.has(name))
    const few = listed.length <= maxSiblings
    const siblings: Sibling[] = []
    for (const name of listed) {
      const found = await this.siblingAt(name, path, home)
      // Those that hold something else of the view are there in any case.
      if (found && (few || found.isNeeded)) siblings.push(found)
    }
    return siblings
  }

  private async siblingAt(name: string, folder: string, home: SessionPlace | undefined): Promise<Sibling | undefined> {
    const target = join(folder, name)
    const facts = factsOf(join(home?.source ?? folder, name))
    if (!facts || (!facts.isDirectory() && !facts.isFile())) return undefined
    const what = facts.isDirectory() ? "directory" : "file"
    if (home) return { name, what, mounts: [{ kind: "write", source: join(home.source, name), target }] }
    const isHidden = this.request.bounds.hidden.some((own) => isInside(own, target))
    if (isHidden || this.request.targets.some((each) => each !== target && isInside(each, target))) {
      const mounts: readonly Mount[] = [{ kind: "memory", target, maxBytes: 64 * 1024, mode: 0o755, sealed: true }]
      return { name, what, isNeeded: true, mounts }
    }
    // The workspace itself, or another folder that is mounted later.
    if (this.request.targets.includes(target)) return { name, what, isNeeded: true, mounts: [] }
    return { name, what, mounts: await this.shown(target, what) }
  }

  private async shown(target: string, what: "file" | "directory"): Promise<readonly Mount[]> {
    const { denies, mayRead, isShown, signal } = this.request
    const hide: Mount = { kind: "hide", target, what }
    if (isShown(target)) return [{ kind: "read", source: target, target }]
    if (denies("fs.read", target) || !mayRead(target)) return [hide]
    const bind: Mount = { kind: "read", source: target, target }
    if (what === "file") return [bind]
    const index = new WorkspaceIndex({ root: target, leavesUnread: true })
    await index.refresh({ maxMs: 500, maxEntries: 20_000 })
    signal.throwIfAborted()
    const masks = createMasks([index])({ denies })
    if (!masks.complete) return [hide]
    const unread = index.unread().map((folder): Mount => ({ kind: "hide", target: folder, what: "directory" }))
    return [bind, ...masks.mounts.filter(({ kind }) => kind === "hide"), ...unread]
  }
}

interface Sibling {
  readonly name: string
  readonly what: "file" | "directory"
  readonly mounts: readonly Mount[]
  readonly isNeeded?: boolean
}

function stagedEntry({ facts, content, copy }: TreeEntry): StagedEntry {
  const kind = facts.isDirectory() ? "folder" : facts.isFile() ? "file" : "link"
  const own = { ...identityOf(copy!), mode: copy!.mode & 0o7777 }
  return { kind, mode: facts.mode & 0o7777, content, original: identityOf(facts), copy: own }
}

function makeStub(path: string, what: "file" | "directory"): void {
  if (what === "directory") mkdirSync(path, { mode: 0o755 })
  else writeFileSync(path, "", { mode: 0o644 })
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).filter((name) => !name.includes("\ufffd"))
  } catch {
    return []
  }
}

/** Whatever stands in the way of the copy stands in the way of the command. */
function copyFailure(error: unknown, path: string, top: string): unknown {
  if (errnoOf(error) === undefined && !ToolError.is(error)) return error
  const { code, message } = fileError(error, "copy", top)
  if (message.startsWith("Cannot run")) return error
  const reason = `no copy can be made: ${message.replace(/^Cannot copy /, "")}`
  return new ToolError(code, refused(path, reason).message)
}
