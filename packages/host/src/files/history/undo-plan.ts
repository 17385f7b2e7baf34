import { type ObservedEffect, ToolError } from "@haft/contract"

type FileChange = Extract<ObservedEffect, { readonly kind: "fs.write" | "fs.delete" }>

/** What is to be undone at one path. */
export interface UndoStep {
  readonly path: string
  /** The content that must be there now; null when nothing may be there. */
  readonly from: string | null
  /** The content to bring back; null when the file is to be removed. */
  readonly to: string | null
  readonly mode: number | undefined
  /** Directories that were made for the file, outermost first. */
  readonly createdDirectories: readonly string[]
}

/** One step a path, the last changed one first: several changes of one file become one way back. */
export function planUndo(effects: readonly ObservedEffect[]): readonly UndoStep[] {
  const steps = new Map<string, UndoStep & { readonly lost?: string }>()
  for (const change of effects) {
    if (change.kind !== "fs.write" && change.kind !== "fs.delete") continue
    const earlier = steps.get(change.path)
    if (earlier && earlier.from !== change.before) throw changedBetween(change.path)
    steps.delete(change.path)
    steps.set(change.path, earlier ? { ...earlier, from: change.after } : firstStep(change))
  }
  const last = [...steps.values()].reverse()
  for (const { path, from, to, lost } of last) {
    // What a call took away and brought back itself needs no way back; a link that it removed has no content at all.
    if (lost === undefined || (from === to && to !== null)) continue
    throw new ToolError("unsupported", `Cannot undo "${path}": its former content was not kept: ${lost}`)
  }
  return last.filter(({ from, to }) => from !== to)
}

function firstStep(change: FileChange): UndoStep & { readonly lost?: string } {
  const { path, before, after, mode, kept, createdDirectories = [] } = change
  const isLost = kept !== true && (change.kind === "fs.delete" || (before !== null && before !== after))
  return { path, from: after, to: before, mode, createdDirectories, ...(isLost && { lost: kept }) }
}

/** Pairs of steps that are one move: a file that is gone from one place and is the same at another. */
export function movesIn(steps: readonly UndoStep[]): ReadonlyMap<UndoStep, UndoStep> {
  const gone = new Map<string, UndoStep[]>()
  for (const step of steps) {
    if (step.from !== null || step.to === null) continue
    const same = gone.get(step.to)
    if (same) same.push(step)
    else gone.set(step.to, [step])
  }
  const moves = new Map<UndoStep, UndoStep>()
  for (const step of steps) {
    const origin = step.to === null && step.from !== null ? gone.get(step.from)?.shift() : undefined
    if (origin) moves.set(step, origin)
  }
  return moves
}

function changedBetween(path: string): ToolError {
  return new ToolError("conflict", `Cannot undo "${path}": it was changed by somebody else between the calls`, {
    details: { path },
  })
}
