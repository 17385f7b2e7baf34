import { type ObservedEffect, ToolError } from "@haft/contract"
import { createFileSession, type FileSession, perform } from "../file-session.js"
import { openRoot } from "../walk/open-root.js"
import { createRootSet } from "../walk/root-set.js"
import { removeEmpty } from "../write/remove-empty.js"
import { assertAsLeft } from "./assert-as-left.js"
import { type At, atPlaces } from "./at-place.js"
import { bringBack } from "./bring-back.js"
import { hasContent } from "./entry-identity.js"
import { moveBack } from "./move-back.js"
import { readKept } from "./read-kept.js"
import { setMode } from "./set-mode.js"
import { isFolderMode, isMadeAgain, movesIn, planUndo, shutOff, takenAway, type UndoStep } from "./undo-plan.js"

/** Where to undo. */
export interface UndoOptions {
  readonly historyFolder: string
  readonly roots: readonly string[]
}

/** What an undo did; absolute paths. */
export interface UndoReport {
  /** Files, links and empty folders that are again what they were. */
  readonly restored: readonly string[]
  /** What was created and is gone again. */
  readonly removed: readonly string[]
  /** Directories that had been made for them and were empty. */
  readonly removedDirectories: readonly string[]
  /** What stays as the call left it, because something was not kept; absent when there is none. */
  readonly left?: readonly { readonly path: string; readonly reason: string }[]
}

/**
 * Brings files back to what they were before the effects, given in the order in which they happened. All files are
 * checked before the first one is touched: one that changed since is a `conflict`, and then nothing is done.
 */
export async function undoEffects(effects: readonly ObservedEffect[], options: UndoOptions): Promise<UndoReport> {
  const { steps, left } = planUndo(effects)
  const roots = options.roots.map((path) => openRoot(path))
  try {
    const directory = roots[0]?.path ?? "/"
    const session = createFileSession({
      directory,
      roots: createRootSet(() => roots),
      historyFolder: options.historyFolder,
    })
    const moves = movesIn(steps)
    const movedBack = new Set(moves.values())
    const alone = steps.filter((step) => !moves.has(step) && !movedBack.has(step))
    const contents = new Map<UndoStep, Uint8Array | undefined>()
    for (const step of alone) contents.set(step, await contentFor(session, step, steps))
    const unreachable = shutOff(steps)
    const leaving = takenAway(steps)
    for (const step of steps) {
      if (unreachable.has(step) || (isFolderMode(step) && isMadeAgain(step, steps))) continue
      const anyMode = moves.has(step) || step.from === step.to
      await atPlaces(session, [step.path], ([at]) => assertAsLeft(session, step, { ...at!, anyMode, leaving }))
    }
    await openFolders(session, steps)
    const report = { restored: [] as string[], removed: [] as string[], removedDirectories: [] as string[] }
    for (const step of steps) {
      if (movedBack.has(step)) continue
      const origin = moves.get(step)
      if (origin) await moveBack(session, step, origin)
      else
        await atPlaces(session, [step.path], ([at]) => takeBack(session, step, { ...at!, bytes: contents.get(step) }))
      ;(step.to === null ? report.removed : report.restored).push(step.path)
      if (origin) report.restored.push(origin.path)
      if (step.to === null) report.removedDirectories.push(...(await removeEmpty(session, step.createdDirectories)))
    }
    return left.length > 0 ? { ...report, left } : report
  } finally {
    for (const root of roots) root.close()
  }
}

/** Gives folders that the user had all rights in their mode at once, outermost first: other steps may need it. */
async function openFolders(session: FileSession, steps: readonly UndoStep[]): Promise<void> {
  for (const step of steps.filter(isFolderMode).reverse()) {
    if (step.mode === undefined || (step.mode & 0o700) !== 0o700) continue
    await atPlaces(session, [step.path], async ([at]) => {
      // A folder that a later call removed is made again by what was in it.
      if (at!.place.facts?.isDirectory()) await takeBack(session, step, { ...at!, bytes: undefined })
    })
  }
}

/** The former content: as the history kept it, or as it is now at the place where a file of the same call was moved. */
async function contentFor(session: FileSession, { path, from, to }: UndoStep, steps: readonly UndoStep[]) {
  if (!hasContent(to) || to === from) return undefined
  const bytes = await readKept(session.historyFolder, to)
  if (bytes) return bytes
  const elsewhere = steps.find((step) => step.from === to)
  const moved = elsewhere && (await contentAt(session, elsewhere))
  if (moved) return moved
  throw new ToolError("not_found", `Cannot undo "${path}": its former content is not in the file history any more`)
}

async function contentAt(session: FileSession, step: UndoStep): Promise<Uint8Array | undefined> {
  const current = await atPlaces(session, [step.path], ([at]) => assertAsLeft(session, step, at!))
  return current?.content?.bytes
}

async function takeBack(
  session: FileSession,
  step: UndoStep,
  at: At & { bytes: Uint8Array | undefined },
): Promise<void> {
  const isModeOnly = step.from === step.to
  const current = await assertAsLeft(session, step, { ...at, anyMode: isModeOnly })
  if (!isModeOnly) await bringBack(step, { ...at, current })
  else if (step.mode !== undefined) await perform(at.target, () => setMode(at, step.mode!))
}
