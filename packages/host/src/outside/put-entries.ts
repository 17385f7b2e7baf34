import { readFileSync, type Stats } from "node:fs"
import { chmod, lstat, rename, symlink, unlink } from "node:fs/promises"
import { bestEffort } from "@haft/contract"
import { isPlainSettings } from "@haft/git"
import { perform } from "../files/file-session.js"
import { readlink } from "../files/system/file-call.js"
import { drive } from "../files/system/program.js"
import { keptMode, readTree } from "../files/tree/read-tree.js"
import { removeTree } from "../files/tree/remove-tree.js"
import { makeParents, removeParents, type Seat } from "../files/write/make-parents.js"
import { tempName, withoutSetId } from "../files/write/temp-file.js"
import { folderIdentity, linkIdentity } from "../undo/keep/entry-identity.js"
import { nameTree } from "../undo/keep/kept-tree.js"
import { setMode } from "../undo/restore/at-place.js"
import type { OutsideChange } from "./find-changes.js"
import { type At, changedMeanwhile, type Former, listed, type PlacedName, seatOf } from "./placed-name.js"

/** Removes what is at a place, and keeps it for undo. */
export async function removeEntry(name: PlacedName, change: OutsideChange, { target, place }: At): Promise<void> {
  const path = name.path + change.below
  const { facts, directory } = place
  const former = await name.keep(change, { target, place })
  try {
    if (facts!.isDirectory()) await removeTree(seatOf(place), place.root.walk)
    else await unlink(directory.entry(place.name))
  } catch (error) {
    await drive(former.drop(), true)
    throw error
  }
  former.seal()
  const mode = change.before!.kind === "link" ? {} : { mode: change.before!.mode }
  name.record({ kind: "fs.delete", path, before: former.before, after: null, kept: former.kept, ...mode })
}

/** Writes a file beside its place and renames it into it. */
export async function putFile(name: PlacedName, change: OutsideChange, { target, place }: At): Promise<void> {
  const { before, after, below } = change
  const created: string[] = []
  const seat = await perform(target, () => makeParents(place, created))
  const temp = { directory: seat.directory, name: tempName(seat.name) }
  let former: Former | undefined
  try {
    const isReplaced = place.facts !== undefined
    const owner = place.facts ?? name.request.owner
    // A file that its owner may not read is still a copy of ours.
    await makeReadable(name.copyOf(below), after!)
    let hash = ""
    await readTree(name.seatBelow(below), {
      ...name.reading(place, below),
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
    if (isReplaced) former = await name.keep(change, { target, place })
    if (isReplaced) await replace(name.path + below, { target, place }, temp)
    else await nameTree(temp, seat)
    former?.seal()
    name.record({
      ...{ kind: "fs.write", path: name.path + below, before: former?.before ?? null, after: hash },
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
    await bestEffort("it has its name, or its removal failed with the write", unlink(temp.directory.entry(temp.name)))
    if (seat.directory !== place.directory) seat.directory.close()
  }
}

async function makeReadable(path: string, facts: Stats): Promise<void> {
  if ((facts.mode & 0o400) === 0) await chmod(path, 0o600)
}

/** The last look, and the rename. */
async function replace(path: string, { target, place }: At, temp: Seat): Promise<void> {
  const { directory, name } = place
  const now = await bestEffort("what cannot be looked at counts as changed", lstat(directory.entry(name)))
  // The time of the status change is left out: a second name in the history changes it.
  const isSame = now && place.facts && now.ino === place.facts.ino && now.size === place.facts.size
  const isUntouched = isSame && now.mtimeMs === place.facts!.mtimeMs && now.dev === place.facts!.dev
  if (!isUntouched || !(await perform(target, () => directory.isInPlace()))) {
    throw changedMeanwhile(path)
  }
  await rename(temp.directory.entry(temp.name), directory.entry(name))
}

export async function putLink(name: PlacedName, change: OutsideChange, { target, place }: At): Promise<void> {
  const { below } = change
  const seatThere = name.seatBelow(below)
  const text = await perform(target, () => readlink(seatThere.directory.entry(seatThere.name)))
  const former = place.facts ? await name.keep(change, { target, place }) : undefined
  const created: string[] = []
  const seat = await perform(target, () => makeParents(place, created))
  try {
    if (place.facts) await unlink(place.directory.entry(place.name))
    await symlink(text, seat.directory.entry(seat.name))
    name.record({
      ...{
        kind: "fs.write",
        path: name.path + below,
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

/** Copies a new folder with all in it that may be written. */
export async function makeTree(name: PlacedName, { below }: OutsideChange, { target, place }: At): Promise<void> {
  const { call, owner } = name.request
  const path = name.path + below
  const created: string[] = []
  const seat = await perform(target, () => makeParents(place, created))
  const temp = { directory: seat.directory, name: tempName(seat.name) }
  const left: string[] = []
  const takes = (inside: string, facts: Stats): boolean => {
    const isKind = facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
    if (isKind && (call.grant.admits("fs.write", path + inside) || isOfNewRepository(name, below + inside))) return true
    left.push(path + inside)
    return false
  }
  try {
    const tree = await readTree(name.seatBelow(below), {
      ...{ ...name.reading(place, below), takes, copyTo: temp },
      ...(owner && { owner }),
    })
    await nameTree(temp, seat)
    const directories = created.length > 0 ? { createdDirectories: created } : {}
    name.record({ kind: "fs.write", path, before: null, after: tree.identity, kept: true, ...directories })
    if (left.length > 0) name.notes.push(`Not written, because that was not approved: ${listed(left)}`)
  } catch (error) {
    await bestEffort("the error that is thrown says why", removeTree(temp, place.root.walk))
    await perform(target, () => removeParents(place, created))
    throw error
  } finally {
    if (seat.directory !== place.directory) seat.directory.close()
  }
}

/** A repository that was just made has files of its own under protected names; a rule that denies them still holds. */
function isOfNewRepository(name: PlacedName, below: string): boolean {
  const path = name.path + below
  if (name.request.call.grant.denies("fs.write", path)) return false
  return isMadeByGit(path, () => readFileSync(name.copyOf(below), "utf8"))
}

/**
 * Whether a file of a repository that a command has just made is one that git itself makes there: protected names, which
 * would otherwise need an approval each. A configuration counts only when all of its keys are known to run nothing.
 */
export function isMadeByGit(path: string, text: () => string): boolean {
  const inside = /(?:^|\/)\.git\/(?:modules\/(?:[^/]+\/)*?(?=hooks|config|info\/|config\.worktree))?(.*)$/.exec(
    path,
  )?.[1]
  if (inside === undefined) return false
  if (inside === "hooks" || /^hooks\/[^/]+\.sample$/.test(inside)) return true
  if (inside === "config") return isPlainSettings(text(), () => false)
  // What else there is of submodules: their objects and references.
  return (
    /(?:^|\/)\.git\/modules(?:\/|$)/.test(path) &&
    !/(?:^|\/)(?:hooks|config|config\.worktree|info\/attributes)(?:\/|$)/.test(path)
  )
}

export async function changeMode(name: PlacedName, { before, after, below }: OutsideChange, at: At): Promise<void> {
  const newMode = keptMode(after!)
  await perform(at.target, () => setMode(at, newMode))
  const path = name.path + below
  const folder = { before: folderIdentity, after: folderIdentity }
  name.record({ kind: "fs.write", path, ...folder, kept: true, mode: before!.mode, newMode })
}
