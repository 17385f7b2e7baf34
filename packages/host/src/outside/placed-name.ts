import { type ObservedEffect, type SandboxedCall, ToolError } from "@haft/contract"
import { perform } from "../files/file-session.js"
import { readlink } from "../files/system/file-call.js"
import { readTree } from "../files/tree/read-tree.js"
import type { Place, Target } from "../files/walk/walk.js"
import type { Seat } from "../files/write/make-parents.js"
import { readCurrent } from "../files/write/read-current.js"
import { linkIdentity } from "../undo/keep/entry-identity.js"
import { maxObjectBytes } from "../undo/keep/history-object.js"
import { type Kept, keepFormer, nothingToKeep, notKept } from "../undo/keep/keep-former.js"
import { keepTree, treeLimits } from "../undo/keep/kept-tree.js"
import { lasting } from "../undo/restore/at-place.js"
import type { StagedEntry } from "./copy-names.js"
import type { OutsideChange } from "./find-changes.js"

/** Whom a file belongs to. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** For whom changes are put into place. */
export interface PlacedFor {
  readonly call: SandboxedCall
  readonly historyFolder: string
  readonly root: string
  readonly owner: Owner | undefined
}

/** A name that was approved, and the copy that a command changed. */
export interface ChangedCopy {
  readonly path: string
  readonly seat: Seat
  readonly before: ReadonlyMap<string, StagedEntry>
}

type FileChange = Extract<ObservedEffect, { readonly kind: "fs.write" | "fs.delete" }>

/** A place that is held while something is done there. */
export interface At {
  readonly target: Target
  readonly place: Place
}

/** A former state that was kept for undo, with its identity. */
export type Former = Kept & { readonly before: string }

/** One approved name: what was copied of it, where the copy is, and what was done to it so far. */
export class PlacedName implements ChangedCopy {
  readonly path: string
  readonly before: ReadonlyMap<string, StagedEntry>
  readonly seat: Seat
  readonly request: PlacedFor
  readonly written: string[] = []
  readonly deleted: string[] = []
  readonly notes: string[] = []

  constructor(request: PlacedFor, { path, seat, before }: ChangedCopy) {
    this.request = request
    this.path = path
    this.seat = seat
    this.before = before
  }

  /** Keeps what is at a place for undo, in the way that fits its kind and size. */
  async keep({ before, below }: OutsideChange, { target, place }: At): Promise<Former> {
    const { call, historyFolder } = this.request
    const path = this.path + below
    const { directory, name, facts } = place
    if (before!.kind === "link") {
      const text = await perform(target, () => readlink(directory.entry(name)))
      return { ...nothingToKeep, before: linkIdentity(text) }
    }
    if (before!.kind === "folder" || facts!.size > maxObjectBytes) {
      const secret = [...this.before.keys()].some(
        (each) => each.startsWith(below) && !call.grant.mayKeep(this.path + each),
      )
      const tree = secret
        ? await readTree(seatOf(place), this.reading(place, below))
        : await keepTree(historyFolder, seatOf(place), this.reading(place, below))
      return { ...(secret ? notKept(secretReason) : nothingToKeep), before: tree.identity }
    }
    const current = await readCurrent({
      ...{ target, place, call: lasting, anyMode: true },
      maxBytes: maxObjectBytes,
      above: "hash",
    })
    if (!current) throw changedMeanwhile(path)
    const hash = await current.hash()
    if (!call.grant.mayKeep(path)) return { ...notKept(secretReason), before: hash }
    const former = { directory, name, facts: current.facts, bytes: current.content?.bytes, hash }
    return { ...(await perform(target, () => keepFormer(historyFolder, former))), before: hash }
  }

  /** How a tree below the name is read. */
  reading({ root }: Place, below: string) {
    return { walk: root.walk, action: "write", path: this.path + below, limits: treeLimits }
  }

  /** Records a change that was made as an effect of the call. */
  record(effect: FileChange): void {
    this.request.call.observe({ ...effect, outside: this.request.root })
    ;(effect.kind === "fs.write" ? this.written : this.deleted).push(effect.path)
    if (effect.kept !== true) this.notes.push(`The former content of "${effect.path}" was not kept: ${effect.kept}`)
  }

  copyOf(below: string): string {
    const { directory, name } = this.seat
    return directory.entry(name) + below
  }

  /** Where a copy is; the folders on the way to it were compared before, and nothing runs any more that could change them. */
  seatBelow(below: string): Seat {
    const { directory, name } = this.seat
    return below === "" ? { directory, name } : { directory, name: name + below }
  }
}

const maxListed = 10

/** Paths in a note; a repository may hold thousands of them. */
export function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, maxListed).map((path) => `"${path}"`)
  return shown.join(", ") + (paths.length > maxListed ? ` and ${paths.length - maxListed} more` : "")
}

const secretReason = "a rule names it as secret"

export function seatOf({ directory, name }: Place): Seat {
  return { directory, name }
}

export function changedMeanwhile(path: string): ToolError {
  return new ToolError("conflict", `Cannot write "${path}": somebody else changed it while the command ran`)
}
