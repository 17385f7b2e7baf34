import { chmodSync, closeSync, constants, fstatSync, openSync, readdirSync, readlinkSync } from "node:fs"
import { errnoOf } from "../../files/system/errno.js"
import { statsOf } from "../../files/system/look.js"
import { O_PATH } from "../../files/walk/linux/hold.js"
import { createTurns } from "../../workspace-index/create-turns.js"
import { compareSnapshots, type Difference } from "./compare-snapshots.js"
import { shownFrom } from "./describe-changes.js"
import type { ComparedPictures, Picture, Pictures } from "./pictures.js"
import { type Entry, entryAt } from "./scan-workspace.js"

/** Set-user-id and set-group-id: everybody on the machine runs such a file as its owner or group. */
const setId = 0o6000

/** Files that a command left with such a bit. */
export interface SetIdFiles {
  /** The bits were removed. */
  readonly removed: readonly string[]
  /** They could not be. */
  readonly left: readonly string[]
  /** False where not everything was looked through in time. */
  readonly isWhole?: boolean
}

/** The files in a look that have such a bit. */
export function setIdFiles(entries: Iterable<readonly [string, Entry]>): readonly (readonly [string, Entry])[] {
  return [...entries].filter(([, { kind, mode }]) => kind === "file" && (mode & setId) !== 0)
}

/** Which file it is and how: numbers of files are given again, but nobody can set the time of the last change. */
export function setIdIdentity({ ino, size, mtimeMs, ctimeMs, mode }: Entry): string {
  return [ino, size, mtimeMs, ctimeMs, mode].join()
}

/** Removes the bits from files, but for those that are known by their identity; `onChange` is called with how they are now. */
export function removeSetId(
  files: readonly (readonly [string, Entry])[],
  known: ReadonlySet<string>,
  onChange: (path: string, entry: Entry) => void,
): SetIdFiles {
  const removed: string[] = []
  const left: string[] = []
  for (const [path, entry] of files) {
    if (known.has(setIdIdentity(entry))) continue
    const { bytes, within } = entry
    const isRemoved = removeFrom(bytes ?? path, entry.ino)
    ;(isRemoved ? removed : left).push(path)
    const now = entryAt({ path, within, ...(bytes && { bytes }) })
    if (now && now !== "closed") onChange(path, now)
  }
  return { removed, left }
}

/** Working time of looking through installed packages and git's objects. */
const unreadMs = 200

/** What the sandbox of a command held. */
export interface CommandSandboxFacts {
  readonly isConfined: boolean
  /** A system-call filter kept it from making set-user-id files. */
  readonly isFiltered: boolean
}

/** The looks before and after a command. */
export interface LookedAround extends ComparedPictures {
  readonly pictures: Pictures
  /** The look before. */
  readonly picture: Picture
}

/** What a confined command changed, after the bits that it set were removed again. */
export async function removeNewSetId(
  { before, after, pictures, picture }: LookedAround,
  sinceMs: number,
  ran: CommandSandboxFacts,
): Promise<{ readonly differences: readonly Difference[]; readonly setId: SetIdFiles }> {
  const differences = compareSnapshots(before, after)
  if (!ran.isConfined) return { differences, setId: { removed: [], left: [] } }
  const found = setIdFiles(differences.flatMap(({ path, after: now }) => (now ? [[path, now] as const] : [])))
  // Files that had the bits and moved with their folder to another place keep them.
  const earlier = found.length === 0 ? [] : setIdFiles(pictures.entriesBefore(picture))
  const known = new Set(earlier.map(([, entry]) => setIdIdentity(entry)))
  const changed = new Map<string, Entry>()
  const seen = removeSetId(found, known, (path, entry) => changed.set(path, entry))
  const unobserved = pictures.changedUnobserved()
  const folders = unobserved ? { changed: unobserved } : { in: after }
  const unread = ran.isFiltered ? undefined : await removeUnreadSetId(folders, { sinceMs, maxMs: unreadMs })
  return {
    differences: differences.map((one) => (one.after ? { ...one, after: changed.get(one.path) ?? one.after } : one)),
    setId: {
      removed: [...seen.removed, ...(unread?.removed ?? [])],
      left: [...seen.left, ...(unread?.left ?? [])],
      isWhole: unread?.isWhole ?? true,
    },
  }
}

/** Changes the very file that was seen, with no link in any part of its path. */
function removeFrom(path: string | Buffer, ino: number): boolean {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW)
    const self = `/proc/self/fd/${descriptor}`
    const facts = fstatSync(descriptor)
    const isInPlace = readlinkSync(self, { encoding: "buffer" }).equals(Buffer.from(path))
    if (!facts.isFile() || facts.ino !== ino || !isInPlace) return false
    chmodSync(self, facts.mode & 0o7777 & ~setId)
    return true
  } catch (error) {
    // A file that is gone has no bits.
    return errnoOf(error) === "ENOENT"
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * The same in folders that looks leave out, for files whose last change is not older than `sinceMs`; with all below them,
 * or only in those that changed. Only for a sandbox without a filter: with one no command can set the bit of a user.
 */
async function removeUnreadSetId(
  folders: { readonly changed: readonly string[] } | { readonly in: Iterable<readonly [string, Entry]> },
  { sinceMs, maxMs }: { readonly sinceMs: number; readonly maxMs: number },
): Promise<SetIdFiles> {
  const turns = createTurns()
  const removed: string[] = []
  const left: string[] = []
  const pending =
    "changed" in folders
      ? folders.changed.map((path) => Buffer.from(path))
      : [...folders.in].flatMap(([path, entry]) => (isUnread(path, entry) ? [entry.bytes ?? Buffer.from(path)] : []))
  for (let folder = pending.pop(); folder; folder = pending.pop()) {
    for (const name of namesIn(folder)) {
      const path = Buffer.concat([folder, Buffer.from("/"), name])
      const facts = statsOf(path)
      if (facts?.isDirectory() && "in" in folders) pending.push(path)
      if (!facts?.isFile() || (facts.mode & setId) === 0 || facts.ctimeMs < sinceMs) continue
      ;(removeFrom(path, facts.ino) ? removed : left).push(path.toString())
    }
    if (turns.isOver(maxMs)) return { removed, left, isWhole: false }
    await turns.breathe()
  }
  return { removed, left, isWhole: true }
}

function namesIn(folder: Buffer): readonly Buffer[] {
  try {
    return readdirSync(folder, { encoding: "buffer" })
  } catch {
    return []
  }
}

/** A folder that is in a look, and nothing of what is in it. */
function isUnread(path: string, { kind, within }: Entry): boolean {
  return kind === "directory" && (within === "packages" || (within === "git" && path.endsWith("/objects")))
}

/** What is to be said about them; paths relative to the directory where they are in it. */
export function setIdNotes({ removed, left, isWhole = true }: SetIdFiles, directory: string): readonly string[] {
  const named = ([first, ...others]: readonly string[]) =>
    `"${shownFrom(directory, first!)}"${others.length > 0 ? ` and ${others.length} more` : ""}`
  return [
    ...(removed.length > 0 ? [`The set-user-id and set-group-id bits of ${named(removed)} were removed`] : []),
    ...(left.length > 0 ? [`The set-user-id and set-group-id bits of ${named(left)} could not be removed`] : []),
    ...(isWhole ? [] : ["Installed packages could not all be looked through for set-user-id files in time"]),
  ]
}
