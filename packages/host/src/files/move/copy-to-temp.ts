import { constants } from "node:fs"
import { ToolError } from "@haft/contract"
import { hashInPieces } from "../system/content-hash.js"
import { closeQuietly, keepTimes, open, readFully, writeAt } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import type { Pinned } from "../walk/walk.js"
import type { Seat } from "../write/make-parents.js"
import { removeTemp, takeOwnerAndMode, tempName } from "../write/temp-file.js"

const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)
const pieceBytes = 1024 * 1024

/** Copies a file to a temporary one at another place, with mode and times, and proves the copy by its hash. */
export function* copyToTemp(pinned: Pinned, { directory, name }: Seat, hash: string): Program<string> {
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
