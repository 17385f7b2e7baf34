import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs"
import { copyFile } from "node:fs/promises"
import { basename, dirname, join, relative } from "node:path"
import { bestEffort, isBelow, isInside } from "@haft/contract"
import { errnoOf } from "../../files/system/errno.js"
import { entriesIn, type Path, within } from "./find-protected.js"
import { holdFolders } from "./held-folders.js"

/** A protected file that appeared, and what became of it. */
export interface Quarantined {
  readonly path: string
  /** Where it is now; absent when it is where it was made. */
  readonly movedTo?: string
  /** Why it was left where it is; with neither it could not be moved. */
  readonly stays?: string
}

/** What to take out of the workspace. */
export interface Offender {
  readonly shown: string
  readonly path: Path
  /** The text of the link that was there before, which is put back. */
  readonly link?: string
}

/** Where a file goes below the folder of the quarantine: as below its root; with several roots, each has a folder. */
export function placeInQuarantine(path: string, roots: readonly string[]): string {
  const number = roots.findIndex((root) => isInside(path, root))
  const place = number < 0 ? basename(path) : relative(roots[number]!, path)
  return roots.length > 1 ? join(String(number + 1), place) : place
}

/** Moves something out of the workspace to a place that no command sees. Never fails. */
export async function moveAside({ shown, path, link }: Offender, place: string): Promise<Quarantined> {
  const folders = holdFolders()
  try {
    const from = folders.within(path)
    const movedTo = from === undefined ? undefined : await moveTo(from, place)
    if (movedTo === undefined) return { path: shown }
    if (link !== undefined) symlinkSync(link, from!)
    return { path: shown, movedTo }
  } catch {
    return { path: shown }
  } finally {
    folders.close()
  }
}

/** To its place, or beside it below a number where the place is taken or its name too long. */
async function moveTo(from: Path, place: string): Promise<string | undefined> {
  const other = join(dirname(place), `${Date.now()}-${Math.random().toString(36).slice(2)}`)
  for (const to of [place, other]) {
    const moved = await bestEffort("the other name may do", async () => {
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
      if (lstatSync(to, { throwIfNoEntry: false })) return undefined
      await moveOpening(from, to)
      openToOwner(to)
      return to
    })
    if (moved !== undefined) return moved
  }
  return undefined
}

/** A command may close its folders, and the one that they are in, to everybody; their owner can open them again. */
async function moveOpening(from: Path, to: string): Promise<void> {
  try {
    await move(from, to)
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error
    const folder = Buffer.from(from).subarray(0, Buffer.from(from).lastIndexOf("/") + 1)
    const { mode } = lstatSync(Buffer.concat([folder, Buffer.from(".")]))
    chmodSync(folder, mode | 0o700)
    try {
      const facts = lstatSync(from)
      if (facts.isDirectory()) chmodSync(from, facts.mode | 0o700)
      await move(from, to)
    } finally {
      chmodSync(folder, mode)
    }
  }
}

/** What is closed to its owner could not be removed with the session. */
function openToOwner(path: Path): void {
  const facts = lstatSync(path)
  if (!facts.isDirectory()) return
  if ((facts.mode & 0o700) !== 0o700) chmodSync(path, facts.mode | 0o700)
  for (const entry of entriesIn(path))
    if (entry.isDirectory()) openToOwner(within({ shown: "", path }, entry.name).path)
}

async function move(from: Path, to: string): Promise<void> {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error
    await carry(from, to)
  }
}

/**
 * From another file system everything is copied and removed one by one. Each folder is held open meanwhile and no link
 * is followed: a command that still runs could exchange a folder for a link to one of the machine's.
 */
async function carry(from: Path, to: Path): Promise<void> {
  const facts = lstatSync(from)
  if (facts.isDirectory()) return carryFolder(from, to, facts.mode)
  if (facts.isSymbolicLink()) symlinkSync(readlinkSync(from, "buffer"), to)
  // Sockets and the like hold nothing that could be kept.
  else if (facts.isFile()) await copyHeld(from, to)
  unlinkSync(from)
}

async function carryFolder(from: Path, to: Path, mode: number): Promise<void> {
  if ((mode & 0o700) !== 0o700) chmodSync(from, mode | 0o700)
  const descriptor = openSync(from, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const [here, there] = [`/proc/self/fd/${descriptor}`, to].map((path) => ({ shown: "", path }))
  try {
    mkdirSync(to, { mode: 0o700 })
    for (const { name } of entriesIn(here!.path)) await carry(within(here!, name).path, within(there!, name).path)
  } finally {
    closeSync(descriptor)
  }
  rmdirSync(from)
}

async function copyHeld(from: Path, to: Path): Promise<void> {
  const descriptor = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (fstatSync(descriptor).isFile()) await copyFile(`/proc/self/fd/${descriptor}`, to)
  } finally {
    closeSync(descriptor)
  }
}

/** What became of files that appeared under protected names, in a few sentences. */
export function quarantineWords(found: readonly Quarantined[]): readonly string[] {
  const those = [...found].sort((one, other) => rankOf(one) - rankOf(other))
  const rest = those.slice(maxSentences)
  const moved = rest.flatMap(({ movedTo }) => movedTo ?? [])
  const left = rest.length - moved.length
  return [
    ...those.slice(0, maxSentences).map(({ path, movedTo, stays }) => {
      const then = movedTo === undefined ? (stays ?? "could not be moved away: remove it") : `moved to "${movedTo}"`
      return `"${path}" was created under a protected name and ${then}`
    }),
    ...(moved.length > 0 ? [`${moved.length} more were moved to "${commonFolder(moved)}"`] : []),
    ...(left > 0 ? [`${left} more were created under protected names and are still there`] : []),
    ...(those.some(({ movedTo }) => movedTo !== undefined) ? [nextStep] : []),
  ]
}

const nextStep = "A person is asked about such a file when a call names it"
const maxSentences = 5

/** First what somebody has to remove, then what was moved, then what may stay. */
function rankOf({ movedTo, stays }: Quarantined): number {
  return movedTo !== undefined ? 1 : stays === undefined ? 0 : 2
}

function commonFolder(paths: readonly string[]): string {
  let common = dirname(paths[0]!)
  for (const path of paths) while (!isBelow(path, common)) common = dirname(common)
  return common
}
