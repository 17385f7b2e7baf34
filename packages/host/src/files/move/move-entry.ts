import { type CallScope, isInside, type MoveReceipt, ToolError } from "@haft/contract"
import { assertNotMasked } from "../../run/long-lived/held-masks.js"
import { aim, assertActive, type FileSession, perform } from "../file-session.js"
import { assertRegular } from "../read/assert-regular.js"
import { missingPath } from "../read/near-names.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import { findEntry } from "../walk/find-entry.js"
import type { Target } from "../walk/walk.js"
import type { CallTraces } from "../write/call-traces.js"
import { removeEmpty } from "../write/remove-empty.js"
import { entryPath } from "../write/remove-entry.js"
import { assertScratchRoom } from "../write/scratch-room.js"
import { withWriteLocks } from "../write/with-write-locks.js"
import { type End, type HeldMove, judgeMove, occupied } from "./held-move.js"
import { moveFile } from "./move-file.js"
import { moveFolder } from "./move-folder.js"

/** What is to be moved. */
export interface Move {
  readonly from: string
  readonly to: string
  readonly traces: CallTraces
}

/** Moves a file or a folder to a place where nothing is. Folders that the same call made at the old place go too. */
export async function moveEntry(session: FileSession, call: CallScope, move: Move): Promise<MoveReceipt> {
  const source = await aim(session, move.from, "move")
  const goal = await aim(session, move.to, `move "${source.shown}" to`)
  assertActive(call, source)
  if (source.below === "") throw isRoot(source)
  const from = await perform(source, () => entryPath(session, source))
  const to = await perform(goal, () => entryPath(session, goal))
  assertApart(from, to, goal)
  assertNotMasked(from, source)
  assertNotMasked(to, goal)
  const locked = { historyFolder: session.historyFolder, paths: [from, to], target: source, call }
  const kind = await withWriteLocks(locked, () =>
    withEnds(session, { from, to, source, goal }, (ends) => moveHeld(session, call, { ...ends, traces: move.traces })),
  )
  move.traces.touched.add(from).add(to)
  await removeEmpty(session, move.traces.createdDirectories.get(from) ?? [])
  move.traces.createdDirectories.delete(from)
  return { from, to, kind }
}

interface Ends {
  readonly from: string
  readonly to: string
  readonly source: Target
  readonly goal: Target
}

/** Finds both ends, which must be where they were when their paths were locked, and holds their directories. */
async function withEnds<Result>(
  session: FileSession,
  { from, to, source, goal }: Ends,
  work: (ends: Pick<HeldMove, "source" | "goal">) => Promise<Result>,
): Promise<Result> {
  const sourcePlace = await perform(source, () => findEntry(source, session.roots))
  try {
    if (sourcePlace.path !== from) throw unsteadyPath(source)
    const goalPlace = await perform(goal, () => findEntry(goal, session.roots))
    try {
      if (goalPlace.path !== to) throw unsteadyPath(goal)
      return await work({ source: { target: source, place: sourcePlace }, goal: { target: goal, place: goalPlace } })
    } finally {
      goalPlace.directory.close()
    }
  } finally {
    sourcePlace.directory.close()
  }
}

async function moveHeld(session: FileSession, call: CallScope, move: HeldMove): Promise<MoveReceipt["kind"]> {
  const { source, goal } = move
  const { facts, path } = source.place
  if (!facts) throw await missingPath(session, call, source.target)
  assertMovable(session, source)
  if (goal.place.facts) throw occupied(goal.target)
  judgeMove(call, move)
  const isFolder = facts.isDirectory()
  const own = [session.scratchFolder, session.temporary?.folder]
  const staysOwn = own.some((each) => each !== undefined && isInside(path, each) && isInside(goal.place.path, each))
  const added = { path: goal.place.path, target: goal.target }
  if (isFolder) {
    await moveFolder(session, call, move, async (bytes) => {
      if (!staysOwn) await assertScratchRoom(session, added, bytes)
    })
    return "directory"
  }
  if (!staysOwn) await assertScratchRoom(session, added, facts.size)
  await moveFile(session, call, move)
  return "file"
}

function assertMovable(session: FileSession, { target, place }: End): void {
  const { facts, path, name } = place
  if (name === ".") throw isRoot(target)
  if (facts!.isSymbolicLink()) {
    throw new ToolError("unsupported", `Cannot move "${target.shown}": it is a link; move what it leads to`)
  }
  if (!facts!.isDirectory()) assertRegular(facts!, target)
  if (isInside(session.directory, path)) {
    throw new ToolError("unsupported", `Cannot move "${target.shown}": the working directory is in it`)
  }
}

function isRoot({ shown }: Target): ToolError {
  return new ToolError("unsupported", `Cannot move "${shown}": it is a root of this session; move what is in it`)
}

function assertApart(from: string, to: string, goal: Target): void {
  if (!isInside(to, from)) return
  const reason = from === to ? "both are the same place" : "a folder cannot be moved into itself"
  throw new ToolError("invalid_args", `Cannot ${goal.action} "${goal.shown}": ${reason}; name another place`)
}
