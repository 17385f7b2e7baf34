import { dirname } from "node:path"
import { isInside, type ObservedEffect, ToolError } from "@haft/contract"
import { folderIdentity, hasContent } from "../keep/entry-identity.js"

type FileChange = Extract<ObservedEffect, { readonly kind: "fs.write" | "fs.delete" }>

/** What is to be undone at one path. */
export interface UndoStep {
  readonly path: string
  /** What must be there now, by its hash or its identity; null when nothing may be there. */
  readonly from: string | null
  /** What to bring back; null when nothing was there. The same as `from` when only the mode is to change back. */
  readonly to: string | null
  readonly mode: number | undefined
  /** Directories that were made for the file, outermost first. */
  readonly createdDirectories: readonly string[]
  /** A folder, of which other steps bring back what is in it, and only its mode is its own. */
  readonly isFilled: boolean
}

/** The way back. */
export interface UndoPlan {
  readonly steps: readonly UndoStep[]
  /** What stays as the call left it, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[]
}

/**
 * One step a path, the last changed one first: several changes of one file become one way back. What has taken the place of
 * a folder goes before all others, because they may belong into that folder; the modes of folders come last, because with
 * them nothing may be writable in there any more.
 *
 * Where some former content is not there, only what is gone comes back: anything that the call wrote elsewhere may be the
 * last copy of that content, and stays.
 */
export function planUndo(effects: readonly ObservedEffect[]): UndoPlan {
  const changes = effects.filter(isFileChange)
  const steps = new Map<string, PlannedStep>()
  for (const change of changes) {
    if (isUnknown(change)) continue
    const earlier = steps.get(change.path)
    if (earlier && earlier.from !== change.before) throw changedBetween(change.path)
    steps.delete(change.path)
    steps.set(change.path, earlier ? laterStep(earlier, change) : firstStep(change))
  }
  const last = [...steps.values()].reverse().filter(({ from, to, changesMode }) => from !== to || changesMode)
  // What a call took away and brought back itself needs no way back.
  const lost = last.filter(({ from, to, lost }) => lost !== undefined && from !== to)
  const wanted = lost.length === 0 ? last : last.filter((step) => step.from === null && !lost.includes(step))
  if (wanted.length === 0 && lost[0]) throw notKept(lost[0])
  const filled = foldersOf(wanted)
  const ordered = wanted.map((step) => ({ ...step, isFilled: step.to === folderIdentity && filled.has(step.path) }))
  const others = ordered.filter((step) => !isInPlaceOfFolder(step) && !isFolderMode(step))
  return {
    steps: [...ordered.filter(isInPlaceOfFolder), ...others, ...ordered.filter(isFolderMode)],
    left: [
      ...changes.filter(isUnknown).map(({ path, kept }) => ({ path, reason: String(kept) })),
      ...lost.map(({ path, lost }) => ({ path, reason: `its former content was not kept: ${lost}` })),
      ...last
        .filter((step) => !wanted.includes(step) && !lost.includes(step))
        .map(({ path }) => ({ path, reason: spared })),
    ],
  }
}

const spared = "it may hold the last copy of what was not kept"

/** Whether only the mode of a folder is to change back, whatever is in it. */
export function isFolderMode({ from, to, isFilled }: UndoStep): boolean {
  return to === folderIdentity && (from === folderIdentity || (from === null && isFilled))
}

/** All folders above what comes back. */
function foldersOf(steps: readonly Pick<UndoStep, "path" | "to">[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { path, to } of steps) {
    if (to === null) continue
    for (let folder = dirname(path); folder !== dirname(folder) && !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder)
    }
  }
  return folders
}

/** Whether something else is where a folder was. */
export function isInPlaceOfFolder({ from, to }: Pick<UndoStep, "from" | "to">): boolean {
  return to === folderIdentity && from !== null && from !== folderIdentity
}

/** The steps that nothing can have changed meanwhile except what is in the place of their folder, a step itself. */
export function shutOff(steps: readonly UndoStep[], inPlace: readonly UndoStep[]): ReadonlySet<UndoStep> {
  return new Set(steps.filter((step) => inPlace.some(({ path }) => isInside(step.path, path))))
}

/** All that the steps take away, with the folders that were made for it. */
export function takenAway(steps: readonly UndoStep[]): ReadonlySet<string> {
  return new Set(steps.flatMap((step) => (step.to === null ? [step.path, ...step.createdDirectories] : [])))
}

interface PlannedStep extends Omit<UndoStep, "isFilled"> {
  readonly changesMode: boolean
  /** Why the former content is not there. */
  readonly lost?: string
}

function isFileChange(effect: ObservedEffect): effect is FileChange {
  return effect.kind === "fs.write" || effect.kind === "fs.delete"
}

/** Neither before nor after anything is known of it: git's records, installed packages, pipes. */
function isUnknown({ before, after, kept }: FileChange): boolean {
  return before === null && after === null && kept !== true
}

function firstStep(change: FileChange): PlannedStep {
  const { path, before, after, mode, newMode, kept, createdDirectories = [] } = change
  const isLost = kept !== true && before !== null && before !== after
  const step = { path, from: after, to: before, mode, createdDirectories, changesMode: newMode !== undefined }
  return isLost ? { ...step, lost: kept } : step
}

function laterStep(earlier: PlannedStep, { after, newMode }: FileChange): PlannedStep {
  return { ...earlier, from: after, changesMode: earlier.changesMode || newMode !== undefined }
}

/** Pairs of steps that are one move: a file that is gone from one place and is the same at another. */
export function movesIn(steps: readonly UndoStep[]): ReadonlyMap<UndoStep, UndoStep> {
  const gone = new Map<string, UndoStep[]>()
  for (const step of steps) {
    if (step.from !== null || !hasContent(step.to)) continue
    const same = gone.get(step.to)
    if (same) same.push(step)
    else gone.set(step.to, [step])
  }
  const moves = new Map<UndoStep, UndoStep>()
  for (const step of steps) {
    const origin = step.to === null && hasContent(step.from) ? gone.get(step.from)?.shift() : undefined
    if (origin) moves.set(step, origin)
  }
  return moves
}

function notKept({ path, lost }: PlannedStep): ToolError {
  return new ToolError("unsupported", `Cannot undo "${path}": its former content was not kept: ${lost}`)
}

function changedBetween(path: string): ToolError {
  return new ToolError("conflict", `Cannot undo "${path}": it was changed by somebody else between the calls`, {
    details: { path },
  })
}
