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
  const steps = new Map<string, UndoStep>()
  for (const change of effects) {
    if (change.kind !== "fs.write" && change.kind !== "fs.delete") continue
    const earlier = steps.get(change.path)
    if (earlier && earlier.from !== change.before) throw changedBetween(change.path)
    steps.delete(change.path)
    steps.set(change.path, earlier ? { ...earlier, from: change.after } : firstStep(change))
  }
  const last = [...steps.values()].reverse()
  return last.filter(({ from, to }) => from !== to)
}

function firstStep(change: FileChange): UndoStep {
  if (change.before !== null && change.kept !== true && change.before !== change.after) {
    throw new ToolError("unsupported", `Cannot undo "${change.path}": its former content was not kept: ${change.kept}`)
  }
  const { path, before, after, mode, createdDirectories = [] } = change
  return { path, from: after, to: before, mode, createdDirectories }
}

function changedBetween(path: string): ToolError {
  return new ToolError("conflict", `Cannot undo "${path}": it was changed by somebody else between the calls`, {
    details: { path },
  })
}
