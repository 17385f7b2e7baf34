import { constants, type Stats } from "node:fs"
import { ToolError } from "@haft/contract"
import { hashInPieces } from "../system/content-hash.js"
import { errnoOf } from "../system/errno.js"
import { closeQuietly, keepTimes, lstat, open, readFully, unlink, writeAt } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { Pinned } from "../walk/walk.js"
import { makeParents, removeParents, type Seat } from "../write/make-parents.js"
import { removeTemp, takeOwnerAndMode, tempName } from "../write/temp-file.js"
import { giveNewName } from "./give-new-name.js"
import { type End, occupied } from "./held-move.js"

/** A file whose content is known, and where it is to go. */
export interface FileMove {
  readonly source: End
  readonly goal: End
  /** The state in which the file was read. */
  readonly facts: Stats
  readonly hash: string
}

/** What a move made. */
export interface FileMoved {
  readonly directories: readonly string[]
  /** The file at its new place. */
  readonly moved: Stats
}

/** Moves a file to a place where nothing is, parents included. A failure leaves everything as it was. */
export function* moveFileAnew(move: FileMove): Program<FileMoved> {
  const { place } = move.goal
  const directories: string[] = []
  try {
    const seat = yield* makeParents(place, directories)
    try {
      return { directories, moved: yield* moveToSeat(move, seat) }
    } finally {
      if (seat.directory !== place.directory) seat.directory.close()
    }
  } catch (error) {
    yield* removeParents(place, directories)
    if (errnoOf(error) === "EEXIST") throw occupied(move.goal.target)
    throw error
  }
}

function* moveToSeat(move: FileMove, seat: Seat): Program<Stats> {
  const { source, goal, facts } = move
  const from = source.place.directory.entry(source.place.name)
  if (!(yield* seat.directory.isInPlace())) throw unsteadyPath(goal.target)
  if (!(yield* source.place.directory.isInPlace())) throw unsteadyPath(source.target)
  if (!isUnchanged(yield* lstat(from), facts)) throw changed(source.target)
  const to = seat.directory.entry(seat.name)
  try {
    yield* giveNewName(from, to, facts)
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error
    yield* moveAcross(move, seat)
  }
  const moved = yield* lstat(to)
  if (!moved) throw unsteadyPath(goal.target)
  return moved
}

/** To another file system: a copy that is proven to be the same takes the new name, then the old file goes. */
function* moveAcross(move: FileMove, seat: Seat): Program<void> {
  const { source, facts } = move
  const { directory, name, root } = source.place
  const pinned = yield* root.walk.pinEntry(directory, name)
  if (!pinned) throw unsteadyPath(source.target)
  const to = seat.directory.entry(seat.name)
  try {
    const temp = yield* copyToTemp(pinned, seat, move.hash)
    try {
      const copied = yield* lstat(seat.directory.entry(temp))
      if (!copied) throw unsteadyPath(source.target)
      yield* giveNewName(seat.directory.entry(temp), to, copied)
    } catch (error) {
      yield* removeTemp(seat.directory, temp)
      throw error
    }
  } finally {
    pinned.close()
  }
  try {
    if (!isUnchanged(yield* lstat(directory.entry(name)), facts)) throw changed(source.target)
    yield* unlink(directory.entry(name))
  } catch (error) {
    yield* unlink(to)
    throw error
  }
}

/** The time of the status change is left out: it changes with the name. */
function isUnchanged(now: Stats | undefined, then: Stats): boolean {
  return (
    now?.isFile() === true &&
    now.ino === then.ino &&
    now.dev === then.dev &&
    now.size === then.size &&
    now.mtimeMs === then.mtimeMs
  )
}

function changed({ shown }: End["target"]): ToolError {
  return new ToolError("conflict", `Cannot move "${shown}": it was changed by somebody else meanwhile; try again`)
}

const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)
const pieceBytes = 1024 * 1024

/** Copies a file to a temporary one at another place, with mode and times, and proves the copy by its hash. */
function* copyToTemp(pinned: Pinned, { directory, name }: Seat, hash: string): Program<string> {
  const temp = tempName(name)
  const reading = yield* pinned.openForReading()
  let writing: number | undefined
  try {
    writing = yield* open(directory.entry(temp), flags, 0o600)
    for (let offset = 0; ; ) {
      const piece = yield* readFully(reading, pieceBytes, offset)
      yield* writeAt(writing, piece, offset)
      offset += piece.length
      if (piece.length < pieceBytes) break
    }
    const descriptor = writing
    const hashing = () => hashInPieces(descriptor)
    const copied = (yield { now: hashing, later: hashing, heavy: true }) as string
    if (copied !== hash) {
      throw new ToolError("conflict", `Cannot move "${pinned.path}": it was changed while it was copied; try again`)
    }
    yield* takeOwnerAndMode(writing, pinned.facts)
    yield* keepTimes(writing, pinned.facts)
    return temp
  } catch (error) {
    yield* removeTemp(directory, temp)
    throw error
  } finally {
    closeQuietly(reading)
    if (writing !== undefined) closeQuietly(writing)
  }
}
