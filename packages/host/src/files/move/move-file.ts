import type { Stats } from "node:fs"
import type { CallScope } from "@haft/contract"
import { assertActive, type FileSession, perform } from "../file-session.js"
import { identityOf } from "../ledger.js"
import { contentHash, hashInPieces } from "../system/content-hash.js"
import { closeQuietly, readFully } from "../system/file-call.js"
import { type Program, smallBytes } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { Pinned } from "../walk/walk.js"
import type { End, HeldMove } from "./held-move.js"
import { moveFileAnew } from "./move-file-anew.js"

/** Moves one regular file and reports it to the call and the session. */
export async function moveFile(session: FileSession, call: CallScope, move: HeldMove): Promise<void> {
  const { source, goal, traces } = move
  const { hash, facts } = await hashOf(call, source)
  assertActive(call, source.target)
  const { directories, moved } = await perform(goal.target, () => moveFileAnew({ source, goal, facts, hash }))
  const [from, to] = [source.place.path, goal.place.path]
  call.observe({ kind: "fs.delete", path: from, before: hash, after: null, kept: true, mode: facts.mode & 0o7777 })
  call.observe({
    kind: "fs.write",
    path: to,
    before: null,
    after: hash,
    // Its content is where it was moved to.
    kept: true,
    ...(directories.length > 0 && { createdDirectories: directories }),
  })
  if (directories.length > 0) traces.createdDirectories.set(to, directories)
  session.ledger.carry(from, to, { former: identityOf(facts), identity: identityOf(moved), hash })
}

async function hashOf(call: CallScope, { target, place }: End): Promise<{ hash: string; facts: Stats }> {
  return perform(target, function* () {
    const pinned = yield* place.root.walk.pinEntry(place.directory, place.name)
    if (!pinned) throw unsteadyPath(target)
    try {
      if (!pinned.facts.isFile()) throw unsteadyPath(target)
      return { hash: yield* hashPinned(pinned, () => assertActive(call, target)), facts: pinned.facts }
    } finally {
      pinned.close()
    }
  })
}

/** SHA-256 of the file that is held, of any size. */
export function* hashPinned(pinned: Pinned, beforeEach: () => void): Program<string> {
  const descriptor = yield* pinned.openForReading()
  try {
    if (pinned.facts.size <= smallBytes) return contentHash(yield* readFully(descriptor, pinned.facts.size, 0))
    const hashing = () => hashInPieces(descriptor, beforeEach)
    return (yield { now: hashing, later: hashing, heavy: true }) as string
  } finally {
    closeQuietly(descriptor)
  }
}
