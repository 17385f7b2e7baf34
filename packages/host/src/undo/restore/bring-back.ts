import { ToolError } from "@haft/contract"
import { perform } from "../../files/file-session.js"
import { identityOf, sameIdentity } from "../../files/ledger.js"
import { mkdir, rmdir, symlink, unlink } from "../../files/system/file-call.js"
import type { Program } from "../../files/system/program.js"
import { removeTree } from "../../files/tree/remove-tree.js"
import type { Place } from "../../files/walk/walk.js"
import { commit } from "../../files/write/commit.js"
import { makeParents } from "../../files/write/make-parents.js"
import type { Current } from "../../files/write/read-current.js"
import { folderIdentity, linkTextOf } from "../keep/entry-identity.js"
import { isTree, restoreTree } from "../keep/kept-tree.js"
import { type At, setMode } from "./at-place.js"
import type { UndoStep } from "./undo-plan.js"

/** What a step brings back, and what is in its place now. */
export interface BringBack extends At {
  readonly current: Pick<Current, "facts"> | undefined
  /** The former content of a file. */
  readonly bytes: Uint8Array | undefined
}

/** Makes a path what it was: a file, a link, an empty folder, a kept tree, or nothing. */
export async function bringBack(historyFolder: string, step: UndoStep, back: BringBack): Promise<void> {
  const { target, place, current, bytes } = back
  const isReplaced = current?.facts.isFile() && bytes !== undefined
  // A file takes the place of a file in one step; what is of another kind has to make room first.
  if (current && isTree(step.from)) await removeTree({ directory: place.directory, name: place.name }, place.root.walk)
  else if (current && !isReplaced) await perform(target, () => removePresent(place, current))
  const free = isReplaced ? place : { ...place, facts: undefined }
  if (bytes !== undefined) return restoreFile(step, { ...back, place: free, current: isReplaced ? current : undefined })
  if (isTree(step.to)) await restoreKept(historyFolder, step.to, { target, place: free })
  else if (step.to !== null) await perform(target, () => makeAnew(step, { target, place: free }))
}

async function restoreKept(historyFolder: string, identity: string, { target, place }: At): Promise<void> {
  const seat = await perform(target, () => makeParents(place, []))
  try {
    await restoreTree(historyFolder, identity, seat, place.root.walk)
  } finally {
    if (seat.directory !== place.directory) seat.directory.close()
  }
}

async function restoreFile({ mode }: UndoStep, { target, place, current, bytes }: BringBack): Promise<void> {
  const done = await perform(target, () =>
    commit({
      target,
      place,
      bytes: bytes!,
      expected: current?.facts,
      ...(mode !== undefined && { mode }),
      former: undefined,
      beforeRename: () => undefined,
    }),
  )
  if (done.directory !== place.directory) done.directory.close()
}

/** Makes a link or an empty folder where nothing is, with the folders above it. */
export function* makeAnew({ to, mode }: Pick<UndoStep, "to" | "mode">, { target, place }: At): Program<void> {
  const seat = yield* makeParents(place, [])
  try {
    const path = seat.directory.entry(seat.name)
    const text = linkTextOf(to)
    if (text !== undefined) return yield* symlink(text, path)
    if (to !== folderIdentity) throw new Error(`nothing is known about "${to}"`)
    // A new folder gets less than it is made with, by the mask of this process; so its mode is set afterwards.
    yield* mkdir(path, mode === undefined ? 0o777 : 0o700)
    if (mode !== undefined) yield* setMode({ target, place: { ...place, ...seat } }, mode)
  } finally {
    if (seat.directory !== place.directory) seat.directory.close()
  }
}

function* removePresent(place: Place, { facts }: Pick<Current, "facts">): Program<void> {
  const pinned = yield* place.root.walk.pinEntry(place.directory, place.name)
  try {
    const same = pinned && sameIdentity(identityOf(pinned.facts), identityOf(facts))
    if (!same) throw new ToolError("conflict", `Cannot undo "${place.path}": it was changed meanwhile; try again`)
    const path = place.directory.entry(place.name)
    yield* facts.isDirectory() ? rmdir(path) : unlink(path)
  } finally {
    pinned?.close()
  }
}
