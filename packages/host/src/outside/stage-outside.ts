import { randomBytes } from "node:crypto"
import { chmodSync, chownSync, lstatSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { OutsideWrite } from "@haft/contract"
import { removeOwnFolder } from "../files/tree/remove-tree.js"
import type { SessionPlace } from "../sandbox/view/build-view.js"
import type { Mount } from "../sandbox/view/mount.js"
import { type CopyRequest, isWritable, NameCopies, type StagedEntry } from "./copy-names.js"
import { type OutsideName, planNames, refused } from "./plan-names.js"
import { type SiblingRequest, siblingsOf } from "./siblings.js"

/** What copies are made from, and where. */
export interface StageRequest extends CopyRequest, SiblingRequest {
  readonly writes: readonly OutsideWrite[]
  /** A folder of the session; the copies of one command are in a folder of their own in it. */
  readonly folder: string
  /** The session's own home directory, where the view has one. */
  readonly home: SessionPlace | undefined
}

/** A folder of the machine, in whose place a command is shown one of the session. */
export interface StagedFolder {
  readonly path: string
  /** Where the session's folder is. */
  readonly copy: string
  readonly names: readonly StagedName[]
  /** What else was put into the session's folder, for mounts to cover. */
  readonly stubs: ReadonlySet<string>
  /** What a command adds beside its names belongs here; elsewhere it is not kept. */
  readonly rest: string | undefined
}

/** A name that a command may change, as it was before. */
export interface StagedName extends OutsideName {
  /** What was copied, by the path below the first name; empty for a name that is new. */
  readonly before: ReadonlyMap<string, StagedEntry>
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

/**
 * Copies the names that a command may change into folders of the session, each of which is shown in the place of the
 * folder that the name is in: a mount on the name itself could be neither removed nor replaced by a rename, as `rm`,
 * `mv` and `sed -i` do. What else is in there is bound read-only, or covered where the command may not read it.
 * Undefined when all of them are where commands write anyway. Throws for what cannot be done, and then nothing is left.
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
    // Outer folders first: the view of an inner one is on top of them.
    for (const path of folders) {
      await stager.add(
        path,
        names.filter(({ folder }) => folder === path),
      )
    }
    return { folders: stager.folders, mounts: stager.mounts, bytes: stager.copies.bytes, dispose }
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
  readonly copies: NameCopies

  constructor(request: StageRequest, base: string) {
    this.request = request
    this.base = base
    this.copies = new NameCopies(request)
  }

  async add(path: string, names: readonly OutsideName[]): Promise<void> {
    const copy = join(this.base, String(this.folders.length))
    mkdirSync(copy, { recursive: true, mode: 0o700 })
    const staged: StagedName[] = []
    for (const name of names) staged.push({ ...name, before: await this.copies.copy(name, copy) })
    const home = this.request.home?.target === path ? this.request.home : undefined
    const siblings = await siblingsOf(this.request, { path, names: new Set(names.map(({ first }) => first)), home })
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

  /** The session's folder can be written by the users who may write the one that it represents. */
  private openLike(copy: string, path: string): void {
    const facts = lstatSync(path)
    const { identity } = this.request
    if (identity.kind === "owner") chownSync(copy, facts.uid, facts.gid)
    const mode = identity.kind === "owner" ? facts.mode & 0o1777 : isWritable(path) ? 0o755 : 0o555
    chmodSync(copy, mode)
  }
}

function makeStub(path: string, what: "file" | "directory"): void {
  if (what === "directory") mkdirSync(path, { mode: 0o755 })
  else writeFileSync(path, "", { mode: 0o644 })
}
