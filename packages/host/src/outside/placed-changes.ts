import { readFileSync, type Stats } from "node:fs"
import { chmod, lstat, rename, symlink, unlink } from "node:fs/promises"
import { isInside, type ObservedEffect, type SandboxedCall, ToolError } from "@haft/contract"
import { aim, type FileSession, perform } from "../files/file-session.js"
import { lasting } from "../files/history/at-place.js"
import { folderIdentity, linkIdentity } from "../files/history/entry-identity.js"
import { maxObjectBytes } from "../files/history/history-object.js"
import { type Kept, keepFormer, nothingToKeep, notKept } from "../files/history/keep-former.js"
import { keepTree, nameTree, treeLimits } from "../files/history/kept-tree.js"
import { setMode } from "../files/history/set-mode.js"
import { identityOf, sameIdentity } from "../files/ledger.js"
import { readlink } from "../files/system/file-call.js"
import { drive } from "../files/system/program.js"
import { keptMode, readTree } from "../files/tree/read-tree.js"
import { removeTree } from "../files/tree/remove-tree.js"
import { findEntry } from "../files/walk/find-entry.js"
import type { Place, Target } from "../files/walk/walk.js"
import { makeParents, removeParents, type Seat } from "../files/write/make-parents.js"
import { readCurrent } from "../files/write/read-current.js"
import { tempName, withoutSetId } from "../files/write/temp-file.js"
import { withWriteLocks } from "../files/write/with-write-locks.js"
import type { OutsideChange } from "./find-changes.js"
import { isMadeByGit } from "./new-repository.js"
import type { StagedEntry } from "./stage-outside.js"

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
export interface PlacedName {
  readonly path: string
  readonly seat: Seat
  readonly before: ReadonlyMap<string, StagedEntry>
}

type FileChange = Extract<ObservedEffect, { readonly kind: "fs.write" | "fs.delete" }>

interface At {
  readonly target: Target
  readonly place: Place
}

/** The changes of one name, put into place one by one, each recorded as an effect of the call. */
export class PlacedChanges {
  readonly written: string[] = []
  readonly deleted: string[] = []
  readonly notes: string[] = []
  private readonly session: FileSession
  private readonly request: PlacedFor
  private readonly name: PlacedName

  constructor(session: FileSession, request: PlacedFor, name: PlacedName) {
    this.session = session
    this.request = request
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
    const { before, after, below } = change
    const path = this.name.path + below
    const kinds = [
      ...(before && (!after || !isSameKind(before, after)) ? ["fs.delete" as const] : []),
      ...(after ? ["fs.write" as const] : []),
    ]
    const refused = kinds.find((kind) => !this.request.call.grant.admits(kind, path))
    if (refused !== undefined) {
      this.notes.push(`"${path}" was not ${refused === "fs.delete" ? "removed" : "written"}: that was not approved`)
      return
    }
    await this.at(change, async (at) => {
      this.assertAsCopied(change, at)
      if (before && kinds[0] === "fs.delete") await this.remove(change, at)
      if (!after) return
      const isNew = kinds[0] === "fs.delete" || !before
      const free = isNew ? { ...at, place: { ...at.place, facts: undefined } } : at
      if (after.isDirectory()) await (isNew ? this.makeTree(change, free) : this.changeMode(change, at))
      else if (after.isFile()) await this.putFile(change, free)
      else if (after.isSymbolicLink()) await this.putLink(change, free)
      else this.notes.push(`"${path}" was not written: it is a device, a pipe or a socket`)
    })
  }

  /** Holds the place of a change and does work there while no other writer is at it. */
  private async at<Result>({ below }: OutsideChange, work: (at: At) => Promise<Result>): Promise<Result> {
    const path = this.name.path + below
    const target = await aim(this.session, path, "write")
    const locked = { historyFolder: this.request.historyFolder, paths: [path], target, call: lasting }
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

  /** A folder goes with all that is in it: none of that may be other than what was copied. */
  private async assertTreeAsCopied({ below }: OutsideChange, { place }: At): Promise<void> {
    const { before, path } = this.name
    let seen = 0
    const compare = (inside: string, facts: Stats): boolean => {
      const then = before.get(below + inside)
      if (!then || !isUnchanged(then, facts)) throw changedMeanwhile(path + below + inside)
      seen += 1
      return true
    }
    await readTree(seatOf(place), { ...this.reading(place, below), takes: compare })
    const copied = [...before.keys()].filter((each) => isInside(each, below))
    if (seen !== copied.length) throw changedMeanwhile(path + below)
  }

  private reading({ root }: Place, below: string) {
    return { walk: root.walk, action: "write", path: this.name.path + below, limits: treeLimits }
  }

  private async remove(change: OutsideChange, { target, place }: At): Promise<void> {
    const path = this.name.path + change.below
    const { facts, directory, name } = place
    const former = await this.keep(change, { target, place })
    try {
      if (facts!.isDirectory()) await removeTree(seatOf(place), place.root.walk)
      else await unlink(directory.entry(name))
    } catch (error) {
      await drive(former.drop(), true)
      throw error
    }
    former.seal()
    const mode = change.before!.kind === "link" ? {} : { mode: change.before!.mode }
    this.record({ kind: "fs.delete", path, before: former.before, after: null, kept: former.kept, ...mode })
  }

  /** Keeps what is at a place for undo, in the way that fits its kind and size. */
  private async keep({ before, below }: OutsideChange, { target, place }: At): Promise<Kept & { before: string }> {
    const { call, historyFolder } = this.request
    const path = this.name.path + below
    const { directory, name, facts } = place
    if (before!.kind === "link") {
      const text = await perform(target, () => readlink(directory.entry(name)))
      return { ...nothingToKeep, before: linkIdentity(text) }
    }
    if (before!.kind === "folder" || facts!.size > maxObjectBytes) {
      const secret = [...this.name.before.keys()].some(
        (each) => each.startsWith(below) && !call.grant.mayKeep(this.name.path + each),
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

  private async putFile(change: OutsideChange, { target, place }: At): Promise<void> {
    const { before, after, below } = change
    const created: string[] = []
    const seat = await perform(target, () => makeParents(place, created))
    const temp = { directory: seat.directory, name: tempName(seat.name) }
    let former: (Kept & { before: string }) | undefined
    try {
      const isReplaced = place.facts !== undefined
      const owner = place.facts ?? this.request.owner
      // A file that its owner may not read is still a copy of ours.
      await makeReadable(this.copyOf(below), after!)
      let hash = ""
      await readTree(await this.seatBelow(below), {
        ...this.reading(place, below),
        copyTo: temp,
        ...(owner && { owner: { uid: owner.uid, gid: owner.gid } }),
        onEntry: ({ content }) => {
          hash = content!
        },
      })
      const changesMode = isReplaced && before!.copy.mode !== (after!.mode & 0o7777)
      const mode = isReplaced && !changesMode ? withoutSetId(before!.mode) : keptMode(after!)
      await chmod(temp.directory.entry(temp.name), mode)
      if (before?.content === hash && isReplaced && !changesMode) return
      if (isReplaced) former = await this.keep(change, { target, place })
      if (isReplaced) await this.replace(change, { target, place }, temp)
      else await nameTree(temp, seat)
      former?.seal()
      this.record({
        ...{ kind: "fs.write", path: this.name.path + below, before: former?.before ?? null, after: hash },
        ...{ kept: former?.kept ?? true },
        ...(isReplaced && { mode: before!.mode }),
        ...(changesMode && { newMode: mode }),
        ...(created.length > 0 && { createdDirectories: created }),
      })
    } catch (error) {
      if (former) await drive(former.drop(), true)
      await perform(target, () => removeParents(place, created))
      throw error
    } finally {
      await unlink(temp.directory.entry(temp.name)).catch(() => undefined)
      if (seat.directory !== place.directory) seat.directory.close()
    }
  }

  /** The last look, and the rename. */
  private async replace(change: OutsideChange, { target, place }: At, temp: Seat): Promise<void> {
    const { directory, name } = place
    const now = await lstat(directory.entry(name)).catch(() => undefined)
    // The time of the status change is left out: a second name in the history changes it.
    const isSame = now && place.facts && now.ino === place.facts.ino && now.size === place.facts.size
    const isUntouched = isSame && now.mtimeMs === place.facts!.mtimeMs && now.dev === place.facts!.dev
    if (!isUntouched || !(await perform(target, () => directory.isInPlace()))) {
      throw changedMeanwhile(this.name.path + change.below)
    }
    await rename(temp.directory.entry(temp.name), directory.entry(name))
  }

  private async putLink(change: OutsideChange, { target, place }: At): Promise<void> {
    const { below } = change
    const seatThere = await this.seatBelow(below)
    const text = await perform(target, () => readlink(seatThere.directory.entry(seatThere.name)))
    const former = place.facts ? await this.keep(change, { target, place }) : undefined
    const created: string[] = []
    const seat = await perform(target, () => makeParents(place, created))
    try {
      if (place.facts) await unlink(place.directory.entry(place.name))
      await symlink(text, seat.directory.entry(seat.name))
      this.record({
        ...{
          kind: "fs.write",
          path: this.name.path + below,
          before: former?.before ?? null,
          after: linkIdentity(text),
        },
        kept: former?.kept ?? true,
        ...(created.length > 0 && { createdDirectories: created }),
      })
    } finally {
      if (seat.directory !== place.directory) seat.directory.close()
    }
  }

  private async makeTree({ below }: OutsideChange, { target, place }: At): Promise<void> {
    const { call, owner } = this.request
    const path = this.name.path + below
    const created: string[] = []
    const seat = await perform(target, () => makeParents(place, created))
    const temp = { directory: seat.directory, name: tempName(seat.name) }
    const left: string[] = []
    const takes = (inside: string, facts: Stats): boolean => {
      const isKind = facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
      if (isKind && (call.grant.admits("fs.write", path + inside) || this.isMadeByGit(below + inside))) return true
      left.push(path + inside)
      return false
    }
    try {
      const tree = await readTree(await this.seatBelow(below), {
        ...{ ...this.reading(place, below), takes, copyTo: temp },
        ...(owner && { owner }),
      })
      await nameTree(temp, seat)
      const directories = created.length > 0 ? { createdDirectories: created } : {}
      this.record({ kind: "fs.write", path, before: null, after: tree.identity, kept: true, ...directories })
      if (left.length > 0) this.notes.push(`Not written, because that was not approved: ${listed(left)}`)
    } catch (error) {
      await removeTree(temp, place.root.walk).catch(() => undefined)
      await perform(target, () => removeParents(place, created))
      throw error
    } finally {
      if (seat.directory !== place.directory) seat.directory.close()
    }
  }

  /** A repository that was just made has files of its own under protected names; a rule that denies them still holds. */
  private isMadeByGit(below: string): boolean {
    const path = this.name.path + below
    if (this.request.call.grant.denies("fs.write", path)) return false
    return isMadeByGit(path, () => readFileSync(this.copyOf(below), "utf8"))
  }

  private async changeMode({ before, after, below }: OutsideChange, at: At): Promise<void> {
    const newMode = keptMode(after!)
    await perform(at.target, () => setMode(at, newMode))
    const path = this.name.path + below
    const folder = { before: folderIdentity, after: folderIdentity }
    this.record({ kind: "fs.write", path, ...folder, kept: true, mode: before!.mode, newMode })
  }

  private record(effect: FileChange): void {
    this.request.call.observe({ ...effect, outside: this.request.root })
    ;(effect.kind === "fs.write" ? this.written : this.deleted).push(effect.path)
    if (effect.kept !== true) this.notes.push(`The former content of "${effect.path}" was not kept: ${effect.kept}`)
  }

  private copyOf(below: string): string {
    const { directory, name } = this.name.seat
    return directory.entry(name) + below
  }

  /** Where a copy is; the folders on the way to it were compared before, and nothing runs any more that could change them. */
  private async seatBelow(below: string): Promise<Seat> {
    const { directory, name } = this.name.seat
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

function seatOf({ directory, name }: Place): Seat {
  return { directory, name }
}

function isSameKind({ kind }: StagedEntry, facts: Stats): boolean {
  return kind === (facts.isDirectory() ? "folder" : facts.isFile() ? "file" : facts.isSymbolicLink() ? "link" : "")
}

/** Of a folder only that it is one: what is in it is compared by itself. */
function isUnchanged(then: StagedEntry, now: Stats): boolean {
  return isSameKind(then, now) && (then.kind === "folder" || sameIdentity(then.original, identityOf(now)))
}

async function makeReadable(path: string, facts: Stats): Promise<void> {
  if ((facts.mode & 0o400) === 0) await chmod(path, 0o600)
}

function changedMeanwhile(path: string): ToolError {
  return new ToolError("conflict", `Cannot write "${path}": somebody else changed it while the command ran`)
}
