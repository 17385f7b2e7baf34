import type { Stats } from "node:fs"
import { type CallScope, ToolError } from "@haft/contract"
import { assertActive, type FileSession, perform } from "../file-session.js"
import { errnoOf } from "../system/errno.js"
import { lstat, mkdir, rename, rmdir } from "../system/file-call.js"
import { attempt, type Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import { makeParents, removeParents, type Seat } from "../write/make-parents.js"
import { type End, type HeldMove, occupied } from "./held-move.js"
import { scanTree, type Tree } from "./scan-tree.js"

/** Moves a folder with everything in it in one step, and reports each regular file to the call. */
export async function moveFolder(
  session: FileSession,
  call: CallScope,
  move: HeldMove,
  assertRoom: (bytes: number) => Promise<void>,
): Promise<void> {
  const { source, goal, traces } = move
  const { place, target } = source
  await perform(target, () => assertOneDevice(move))
  const folder = await perform(target, () => place.root.walk.enter(place.directory, place.name))
  let tree: Tree
  try {
    tree = await scanTree(session, call, { move, folder })
  } finally {
    folder.close()
  }
  await assertRoom(tree.bytes)
  assertActive(call, target)
  const directories = await perform(goal.target, () => renameFolder(move))
  const [from, to] = [place.path, goal.place.path]
  if (directories.length > 0) traces.createdDirectories.set(to, directories)
  for (const { below, hash, mode, identity, folders } of tree.files) {
    call.observe({ kind: "fs.delete", path: from + below, before: hash, after: null, kept: true, mode })
    const made = [...directories, to, ...folders.map((each) => to + each)]
    call.observe({
      kind: "fs.write",
      path: to + below,
      before: null,
      after: hash,
      kept: true,
      createdDirectories: made,
    })
    // A rename of the folder leaves the files in it as they were.
    session.ledger.carry(from + below, to + below, { former: identity, identity, hash })
  }
}

/** Gives the folder its new name where nothing is, parents included; a failure leaves everything as it was. */
function* renameFolder({ source, goal }: HeldMove): Program<readonly string[]> {
  const { place } = goal
  const directories: string[] = []
  try {
    const seat = yield* makeParents(place, directories)
    try {
      yield* renameToSeat({ source, goal }, seat)
    } finally {
      if (seat.directory !== place.directory) seat.directory.close()
    }
    return directories
  } catch (error) {
    yield* removeParents(place, directories)
    const errno = errnoOf(error) ?? ""
    if (taken.has(errno)) throw occupied(goal.target)
    if (errno === "EXDEV") throw otherDevice(source.target)
    throw error
  }
}

// Somebody put something into our empty folder, or something else in its place.
const taken = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR"])

function* renameToSeat({ source, goal }: Pick<HeldMove, "source" | "goal">, seat: Seat): Program<void> {
  const from = source.place.directory.entry(source.place.name)
  const to = seat.directory.entry(seat.name)
  if (!(yield* seat.directory.isInPlace())) throw unsteadyPath(goal.target)
  if (!(yield* source.place.directory.isInPlace())) throw unsteadyPath(source.target)
  // A rename replaces a folder only when that is empty. With one of our own at the place it replaces nothing else;
  // Windows replaces no folder at all.
  const reserves = process.platform !== "win32"
  if (reserves) yield* mkdir(to, 0o700)
  try {
    if (!isSameFolder(yield* lstat(from), source)) throw unsteadyPath(source.target)
    yield* rename(from, to)
  } catch (error) {
    if (reserves) yield* removeOwn(to)
    throw error
  }
  if (isSameFolder(yield* lstat(to), source)) return
  // Another folder had come to the old place in the last instant; it goes back.
  yield* mkdir(from, 0o700)
  yield* rename(to, from)
  throw unsteadyPath(source.target)
}

function* removeOwn(path: string): Program<void> {
  yield* attempt("somebody else uses it by now", rmdir(path))
}

function isSameFolder(now: Stats | undefined, { place }: End): boolean {
  return now?.isDirectory() === true && now.ino === place.facts?.ino && now.dev === place.facts.dev
}

/** A quick answer before everything is hashed; the rename itself is what decides. */
function* assertOneDevice({ source, goal }: HeldMove): Program<void> {
  const parent = yield* lstat(goal.place.directory.entry("."))
  if (parent && parent.dev !== source.place.facts!.dev) throw otherDevice(source.target)
}

function otherDevice({ shown }: End["target"]): ToolError {
  return new ToolError(
    "unsupported",
    `Cannot move "${shown}": a folder cannot be moved to another file system; move its files one by one`,
  )
}
