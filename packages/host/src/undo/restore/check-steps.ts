import { readdirSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { type FileSession, perform } from "../../files/file-session.js"
import { readlink } from "../../files/system/file-call.js"
import { readTree } from "../../files/tree/read-tree.js"
import type { Target } from "../../files/walk/walk.js"
import { changeDiff } from "../../files/write/change-diff.js"
import { type Current, readCurrent } from "../../files/write/read-current.js"
import { assertNotMasked } from "../../run/long-lived/held-masks.js"
import { folderIdentity, hasContent, linkIdentity, specialIdentity } from "../keep/entry-identity.js"
import { maxObjectBytes, readKept } from "../keep/history-object.js"
import { isTree, treeLimits } from "../keep/kept-tree.js"
import { type At, atPlaces, lasting } from "./at-place.js"
import { isFolderMode, isInPlaceOfFolder, shutOff, takenAway, type UndoStep } from "./undo-plan.js"

/** What is to be undone, before the first step. */
export interface CheckRequest {
  readonly steps: readonly UndoStep[]
  readonly moves: ReadonlyMap<UndoStep, UndoStep>
  /** An earlier undo of the same ended half-way. */
  readonly isResumed: boolean
}

/** Throws unless everything is as it was left; gives the steps that an earlier undo has made already. */
export async function checkSteps(
  session: FileSession,
  { steps, moves, isResumed }: CheckRequest,
): Promise<ReadonlySet<UndoStep>> {
  const leaving = takenAway(steps)
  const done = new Set<UndoStep>()
  // What was moved away is gone by an undo only where it came back.
  const cameBack = (step: UndoStep) => !moves.has(step) || done.has(moves.get(step)!)
  const check = (step: UndoStep) =>
    atPlaces(session, [step.path], async ([at]) => {
      const isMine = isResumed && step.from !== step.to && !isFolderMode(step)
      if (isMine && cameBack(step) && (await isBack(step, at!))) return void done.add(step)
      if (!isFolderMode(step) || !step.isFilled) {
        await assertAsLeft(session, step, { ...at!, leaving })
      } else if (step.from === null && at!.place.facts && !isResumed) {
        // Somebody made the folder again and chose its mode.
        done.add(step)
      }
    })
  const [first, others] = [steps.filter(isInPlaceOfFolder), steps.filter((step) => !isInPlaceOfFolder(step))]
  for (const step of first) await check(step)
  const unreachable = shutOff(
    others,
    first.filter((step) => !done.has(step)),
  )
  const reachable = others.filter((step) => !unreachable.has(step))
  for (const step of reachable.filter((one) => !moves.has(one))) await check(step)
  for (const step of reachable.filter((one) => moves.has(one))) await check(step)
  return done
}

/** The file, link or folder as it is now, which must be as the last effect left it. */
export async function assertAsLeft(
  session: FileSession,
  step: UndoStep,
  at: At & Leaving,
): Promise<Current | undefined> {
  const { target, place } = at
  if (place.path !== step.path) throw changed(target, "its path leads elsewhere now")
  assertNotMasked(step.path, { action: "undo", shown: target.shown })
  const current =
    folderOf(step, at) ??
    (await treeOf(step.from, at)) ??
    (await withoutContent(at)) ??
    (await readCurrent({ ...asItIs, target, place }))
  const hash = current ? await current.hash() : null
  if (hash === step.from || (isFolderMode(step) && hash === folderIdentity)) return current
  if (hash === null) throw changed(target, "it was removed")
  if (step.from === null) throw changed(target, "it exists again")
  const left = hasContent(step.from) ? await readKept(session.historyFolder, step.from) : undefined
  const now = current?.content?.bytes
  const diff = left && now && (await changeDiff(left, now))
  const when = new Date(current!.facts.mtimeMs).toISOString()
  throw changed(target, `its content changed at ${when}${diff ? `\n${diff}` : ""}`, {
    expected: step.from,
    found: hash,
  })
}

/** Of any mode: commands leave files that are marked read-only, and whoever undoes them means these too. */
const asItIs = { anyMode: true, call: lasting, maxBytes: maxObjectBytes, above: "hash" } as const

/** Whether what a step brings back is there already. */
async function isBack({ to }: UndoStep, at: At): Promise<boolean> {
  const { target, place } = at
  if (!place.facts || to === null) return !place.facts && to === null
  if (isTree(to)) return (await treeOf(to, at))?.hash() === to
  if (place.facts.isDirectory()) return to === folderIdentity
  const current = (await withoutContent(at)) ?? (await readCurrent({ ...asItIs, target, place }))
  return (await current?.hash()) === to
}

/** A folder of which only the mode is to change back, whatever is in it. */
function folderOf(step: UndoStep, { place: { facts } }: At): Current | undefined {
  return isFolderMode(step) && facts?.isDirectory()
    ? { facts, content: undefined, hash: () => folderIdentity }
    : undefined
}

/** What is there now, as a tree, where a tree was left. */
async function treeOf(identity: string | null, { target, place }: At): Promise<Current | undefined> {
  const { facts, directory, name, root } = place
  if (!isTree(identity) || !facts) return undefined
  const tree = await readTree(
    { directory, name },
    { walk: root.walk, action: "undo", path: target.shown, limits: treeLimits },
  )
  return { facts, content: undefined, hash: () => tree.identity }
}

/** What the same undo takes away before; only that may be in a folder. */
interface Leaving {
  readonly leaving?: ReadonlySet<string>
}

/** What is there, if it is no file; a folder that holds anything else is none that a call left. */
async function withoutContent({ target, place, leaving = nothing }: At & Leaving): Promise<Current | undefined> {
  const { facts, directory, name } = place
  if (facts?.isDirectory()) {
    if (holdsMore(directory.entry(name), place.path, leaving)) {
      throw changed(target, "it is a folder with something in it")
    }
    return { facts, content: undefined, hash: () => folderIdentity }
  }
  if (!facts || facts.isFile()) return undefined
  if (!facts.isSymbolicLink()) return { facts, content: undefined, hash: () => specialIdentity }
  const text = await perform(target, () => readlink(directory.entry(name)))
  return { facts, content: undefined, hash: () => linkIdentity(text) }
}

const nothing: ReadonlySet<string> = new Set()

/** Whether anything below a folder is there to stay. Removing it fails then anyway; this is known before the first step. */
function holdsMore(self: string, path: string, leaving: ReadonlySet<string>): boolean {
  return readdirSync(self, { withFileTypes: true }).some((entry) => {
    const below = join(path, entry.name)
    if (!leaving.has(below)) return true
    return entry.isDirectory() && holdsMore(join(self, entry.name), below, leaving)
  })
}

function changed({ shown }: Target, reason: string, details: Record<string, unknown> = {}): ToolError {
  return new ToolError("conflict", `Cannot undo "${shown}": it is not as the call left it: ${reason}`, {
    hint: "Look at the file and change it by hand",
    details: { path: shown, ...details },
  })
}
