import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { bestEffort, type ObservedEffect, ToolError } from "@haft/contract"
import { createFileSession, type FileSession, perform } from "../../files/file-session.js"
import { moveFileAnew } from "../../files/move/move-file-anew.js"
import { contentHash } from "../../files/system/content-hash.js"
import { openRoot } from "../../files/walk/open-root.js"
import { createRootSet, type Root } from "../../files/walk/walk.js"
import { removeEmpty } from "../../files/write/remove-empty.js"
import { hasContent } from "../keep/entry-identity.js"
import { readKept } from "../keep/history-object.js"
import { type At, atPlaces, setMode } from "./at-place.js"
import { bringBack, makeAnew } from "./bring-back.js"
import { assertAsLeft, checkSteps } from "./check-steps.js"
import { isFolderMode, isInPlaceOfFolder, movesIn, planUndo, type UndoStep } from "./undo-plan.js"

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
    for (const path of outsideOf(effects, roots)) roots.push(openAbove(path))
    const directory = roots[0]?.path ?? "/"
    const session = createFileSession({
      directory,
      roots: createRootSet(() => roots),
      historyFolder: options.historyFolder,
    })
    const mark = undoMark(options.historyFolder, effects)
    const moves = new Map(movesIn(steps))
    const done = await checkSteps(session, { steps, moves, isResumed: mark.isSet })
    // The file is at both places when the move was ended between its two halves.
    for (const [step, origin] of moves) if (done.has(origin)) moves.delete(step)
    const movedBack = new Set(moves.values())
    const contents = new Map<UndoStep, Uint8Array | undefined>()
    for (const step of steps) {
      if (!done.has(step) && !moves.has(step) && !movedBack.has(step)) {
        contents.set(step, await contentFor(session, step, steps))
      }
    }
    mark.set()
    const folders = steps.filter((step) => isFolderMode(step) && !done.has(step)).reverse()
    await openFolders(session, folders)
    const report = { restored: [] as string[], removed: [] as string[], removedDirectories: [] as string[] }
    const goBack = async (step: UndoStep) => {
      const origin = moves.get(step)
      if (origin) await moveBack(session, step, origin)
      else if (!done.has(step))
        await atPlaces(session, [step.path], ([at]) => takeBack(session, step, { ...at!, bytes: contents.get(step) }))
      ;(step.to === null ? report.removed : report.restored).push(step.path)
      if (origin) report.restored.push(origin.path)
      if (step.to === null) report.removedDirectories.push(...(await removeEmpty(session, step.createdDirectories)))
    }
    for (const step of steps.filter(isInPlaceOfFolder)) await goBack(step)
    await makeFolders(session, folders)
    for (const step of steps) if (!isInPlaceOfFolder(step) && !movedBack.has(step)) await goBack(step)
    mark.clear()
    return left.length > 0 ? { ...report, left } : report
  } finally {
    for (const root of roots) root.close()
  }
}

/** The paths that commands in these roots changed outside of them. */
function outsideOf(effects: readonly ObservedEffect[], roots: readonly Root[]): readonly string[] {
  return effects.flatMap((effect) => {
    if ((effect.kind !== "fs.write" && effect.kind !== "fs.delete") || effect.outside === undefined) return []
    return roots.some(({ path }) => path === effect.outside) ? [effect.createdDirectories?.[0] ?? effect.path] : []
  })
}

/** Opens the nearest folder above a path that is still there. Its path was free of links when the change was made. */
function openAbove(path: string): Root {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  const root = openRoot(folder)
  if (root.path === folder) return root
  root.close()
  throw new ToolError("conflict", `Cannot undo "${path}": "${folder}" is a link now, or behind one`, {
    hint: "Look at the file and change it by hand",
  })
}

/** Gives folders that the user had all rights in their mode at once: other steps may need it. */
async function openFolders(session: FileSession, outermostFirst: readonly UndoStep[]): Promise<void> {
  for (const step of outermostFirst) {
    if (step.from === null || step.mode === undefined || (step.mode & 0o700) !== 0o700) continue
    await atPlaces(session, [step.path], async ([at]) => {
      // A folder that a later call removed is made again by what was in it.
      if (at!.place.facts?.isDirectory()) await takeBack(session, step, { ...at!, bytes: undefined })
    })
  }
}

/** Makes folders again that others go into, closed to everybody else until all is back. */
async function makeFolders(session: FileSession, outermostFirst: readonly UndoStep[]): Promise<void> {
  for (const { path, to, isFilled } of outermostFirst) {
    await atPlaces(session, [path], async ([at]) => {
      if (isFilled && !at!.place.facts) await perform(at!.target, () => makeAnew({ to, mode: 0o700 }, at!))
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
  const isModeOnly = isFolderMode(step) || step.from === step.to
  const current = await assertAsLeft(session, step, at)
  if (!isModeOnly) await bringBack(session.historyFolder, step, { ...at, current })
  else if (step.mode !== undefined) await perform(at.target, () => setMode(at, step.mode!))
}

/** Gives a file that was moved its former name again, and its former mode. */
async function moveBack(session: FileSession, step: UndoStep, origin: UndoStep): Promise<void> {
  await atPlaces(session, [step.path, origin.path], async ([source, goal]) => {
    const current = await assertAsLeft(session, step, source!)
    await assertAsLeft(session, origin, goal!)
    const { facts } = current!
    await perform(goal!.target, function* () {
      if (origin.mode !== undefined && (facts.mode & 0o7777) !== origin.mode) yield* setMode(source!, origin.mode)
      yield* moveFileAnew({ source: source!, goal: goal!, facts, hash: step.from! })
    })
  })
}

/** Remembers on disk that an undo has begun, until all of it is done. */
interface UndoMark {
  /** An earlier undo of the same effects ended half-way: what it brought back already is no change of somebody else. */
  readonly isSet: boolean
  set(): void
  clear(): void
}

/** The mark of these effects, in the history that they are undone from. */
function undoMark(historyFolder: string, effects: readonly ObservedEffect[]): UndoMark {
  const path = join(historyFolder, `undoing-${contentHash(Buffer.from(JSON.stringify(effects)))}`)
  return {
    isSet: existsSync(path),
    set() {
      // On a full disk an undo may be what makes room.
      bestEffort("the undo goes on, and only could not be resumed", () => {
        mkdirSync(historyFolder, { recursive: true, mode: 0o700 })
        writeFileSync(path, "", { mode: 0o600 })
      })
    },
    clear() {
      rmSync(path, { force: true })
    },
  }
}
