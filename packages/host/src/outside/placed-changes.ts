import type { Stats } from "node:fs"
import { isInside } from "@haft/contract"
import { aim, type FileSession, perform } from "../files/file-session.js"
import { identityOf, sameIdentity } from "../files/ledger.js"
import { readTree } from "../files/tree/read-tree.js"
import { findEntry } from "../files/walk/find-entry.js"
import { withWriteLocks } from "../files/write/with-write-locks.js"
import { lasting } from "../undo/restore/at-place.js"
import type { StagedEntry } from "./copy-names.js"
import type { OutsideChange } from "./find-changes.js"
import { type At, changedMeanwhile, type PlacedName, seatOf } from "./placed-name.js"
import { changeMode, makeTree, putFile, putLink, removeEntry } from "./put-entries.js"

/** The changes of one name, put into place one by one, each recorded as an effect of the call. */
export class PlacedChanges {
  private readonly session: FileSession
  private readonly name: PlacedName

  constructor(session: FileSession, name: PlacedName) {
    this.session = session
    this.name = name
  }

  /** Throws `conflict` unless the place is as it was when the copy was made. */
  async check(change: OutsideChange): Promise<void> {
    await this.at(change, async (at) => {
      this.assertAsCopied(change, at)
      if (change.before?.kind === "folder" && !change.after?.isDirectory()) await this.assertTreeAsCopied(change, at)
    })
  }

  async apply(change: OutsideChange): Promise<void> {
    const { name } = this
    const { before, after, below } = change
    const path = name.path + below
    const kinds = [
      ...(before && (!after || !isSameKind(before, after)) ? ["fs.delete" as const] : []),
      ...(after ? ["fs.write" as const] : []),
    ]
    const refused = kinds.find((kind) => !name.request.call.grant.admits(kind, path))
    if (refused !== undefined) {
      name.notes.push(`"${path}" was not ${refused === "fs.delete" ? "removed" : "written"}: that was not approved`)
      return
    }
    await this.at(change, async (at) => {
      this.assertAsCopied(change, at)
      if (before && kinds[0] === "fs.delete") await removeEntry(name, change, at)
      if (!after) return
      const isNew = kinds[0] === "fs.delete" || !before
      const free = isNew ? { ...at, place: { ...at.place, facts: undefined } } : at
      if (after.isDirectory()) await (isNew ? makeTree(name, change, free) : changeMode(name, change, at))
      else if (after.isFile()) await putFile(name, change, free)
      else if (after.isSymbolicLink()) await putLink(name, change, free)
      else name.notes.push(`"${path}" was not written: it is a device, a pipe or a socket`)
    })
  }

  /** Holds the place of a change and does work there while no other writer is at it. */
  private async at<Result>({ below }: OutsideChange, work: (at: At) => Promise<Result>): Promise<Result> {
    const path = this.name.path + below
    const target = await aim(this.session, path, "write")
    const locked = { historyFolder: this.name.request.historyFolder, paths: [path], target, call: lasting }
    return withWriteLocks(locked, async () => {
      const place = await perform(target, () => findEntry(target, this.session.roots))
      try {
        if (place.path !== path) throw changedMeanwhile(path)
        return await work({ target, place })
      } finally {
        place.directory.close()
      }
    })
  }

  private assertAsCopied({ before, below }: OutsideChange, { place: { facts } }: At): void {
    const isSame = before && facts ? isUnchanged(before, facts) : !before && !facts
    if (!isSame) throw changedMeanwhile(this.name.path + below)
  }

  /** A folder is removed with all that is in it: none of that may be other than what was copied. */
  private async assertTreeAsCopied({ below }: OutsideChange, { place }: At): Promise<void> {
    const { before, path } = this.name
    let seen = 0
    const compare = (inside: string, facts: Stats): boolean => {
      const then = before.get(below + inside)
      if (!then || !isUnchanged(then, facts)) throw changedMeanwhile(path + below + inside)
      seen += 1
      return true
    }
    await readTree(seatOf(place), { ...this.name.reading(place, below), takes: compare })
    const copied = [...before.keys()].filter((each) => isInside(each, below))
    if (seen !== copied.length) throw changedMeanwhile(path + below)
  }
}

function isSameKind({ kind }: StagedEntry, facts: Stats): boolean {
  return kind === (facts.isDirectory() ? "folder" : facts.isFile() ? "file" : facts.isSymbolicLink() ? "link" : "")
}

/** Of a folder only that it is one: what is in it is compared by itself. */
function isUnchanged(then: StagedEntry, now: Stats): boolean {
  return isSameKind(then, now) && (then.kind === "folder" || sameIdentity(then.original, identityOf(now)))
}
