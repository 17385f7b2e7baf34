import { rmdirSync } from "node:fs"
import { type CallScope, type ObservedEffect, ToolError } from "@haft/contract"
import { aim, createFileSession, type FileSession, perform } from "../file-session.js"
import { unlink } from "../system/file-call.js"
import { identityOf, sameIdentity } from "../system/file-identity.js"
import { openRoot } from "../walk/open-root.js"
import { createRootSet } from "../walk/root-set.js"
import type { Place, Target } from "../walk/walk.js"
import { changeDiff } from "../write/change-diff.js"
import { commit } from "../write/commit.js"
import { oneAtATime } from "../write/path-queue.js"
import { type Current, readCurrent } from "../write/read-current.js"
import { acquireWriteLock } from "../write/write-lock.js"
import { maxObjectBytes } from "./history-object.js"
import { readKept } from "./read-kept.js"
import { planUndo, type UndoStep } from "./undo-plan.js"

/** Where to undo. */
export interface UndoOptions {
  readonly historyFolder: string
  readonly roots: readonly string[]
}

/** What an undo did; absolute paths. */
export interface UndoReport {
  /** Files that have their former content again. */
  readonly restored: readonly string[]
  /** Files that were created and are gone again. */
  readonly removed: readonly string[]
  /** Directories that had been made for them and were empty. */
  readonly removedDirectories: readonly string[]
}

/**
 * Brings files back to what they were before the effects, given in the order in which they happened. All files are
 * checked before the first one is touched: one that changed since is a `conflict`, and then nothing is done.
 */
export async function undoEffects(effects: readonly ObservedEffect[], options: UndoOptions): Promise<UndoReport> {
  const steps = planUndo(effects)
  const roots = options.roots.map((path) => openRoot(path))
  try {
    const directory = roots[0]?.path ?? "/"
    const session = createFileSession({
      directory,
      roots: createRootSet(() => roots),
      historyFolder: options.historyFolder,
    })
    const contents = await Promise.all(steps.map((step) => contentFor(session, step)))
    for (const step of steps) await atPlace(session, step, async (at) => void (await assertAsLeft(session, step, at)))
    const report = { restored: [] as string[], removed: [] as string[], removedDirectories: [] as string[] }
    for (const [index, step] of steps.entries()) {
      await atPlace(session, step, (at) => takeBack(session, step, { ...at, bytes: contents[index] }))
      ;(step.to === null ? report.removed : report.restored).push(step.path)
      if (step.to === null) report.removedDirectories.push(...(await removeEmpty(session, step.createdDirectories)))
    }
    return report
  } finally {
    for (const root of roots) root.close()
  }
}

async function contentFor({ historyFolder }: FileSession, { path, to }: UndoStep): Promise<Buffer | undefined> {
  if (to === null) return undefined
  const bytes = await readKept(historyFolder, to)
  if (bytes) return bytes
  throw new ToolError("not_found", `Cannot undo "${path}": its former content is not in the file history any more`)
}

interface At {
  readonly target: Target
  readonly place: Place
}

async function atPlace(session: FileSession, { path }: UndoStep, work: (at: At) => Promise<void>): Promise<void> {
  const target = await aim(session, path, "undo")
  await oneAtATime(path, async () => {
    const release = await acquireWriteLock({ historyFolder: session.historyFolder, path, target, call: lasting })
    try {
      const place = await perform(target, () => target.root.walk.find(target, session.roots))
      try {
        await work({ target, place })
      } finally {
        place.directory.close()
      }
    } finally {
      release()
    }
  })
}

/** The file as it is now, which must be as the last effect left it. */
async function assertAsLeft(session: FileSession, step: UndoStep, { target, place }: At): Promise<Current | undefined> {
  if (place.path !== step.path) throw changed(target, "its path leads elsewhere now")
  const current = await readCurrent({ target, place, call: lasting, maxBytes: maxObjectBytes, above: "hash" })
  const hash = current ? await current.hash() : null
  if (hash === step.from) return current
  if (hash === null) throw changed(target, "it was removed")
  if (step.from === null) throw changed(target, "it exists again")
  const left = await readKept(session.historyFolder, step.from)
  const now = current?.content?.bytes
  const diff = left && now && (await changeDiff(left, now))
  const when = new Date(current!.facts.mtimeMs).toISOString()
  throw changed(target, `its content changed at ${when}${diff ? `\n${diff}` : ""}`, {
    expected: step.from,
    found: hash,
  })
}

async function takeBack(session: FileSession, step: UndoStep, at: At & { bytes: Buffer | undefined }): Promise<void> {
  const { target, place, bytes } = at
  const current = await assertAsLeft(session, step, at)
  if (bytes === undefined) return void (await perform(target, () => removeCreated(place, current!)))
  const done = await perform(target, () =>
    commit({
      target,
      place,
      bytes,
      expected: current?.facts,
      ...(step.mode !== undefined && { mode: step.mode }),
      former: undefined,
      beforeRename: () => undefined,
    }),
  )
  if (done.directory !== place.directory) done.directory.close()
}

function* removeCreated(place: Place, current: Current) {
  const pinned = yield* place.root.walk.pinEntry(place.directory, place.name)
  try {
    const same = pinned && sameIdentity(identityOf(pinned.facts), identityOf(current.facts))
    if (!same) throw new ToolError("conflict", `Cannot undo "${place.path}": it was changed meanwhile; try again`)
    yield* unlink(place.directory.entry(place.name))
  } finally {
    pinned?.close()
  }
}

/** Innermost first; a directory that holds anything, or is a link by now, stays. */
async function removeEmpty(session: FileSession, directories: readonly string[]): Promise<string[]> {
  const removed: string[] = []
  for (const path of [...directories].reverse()) {
    const target = await aim(session, path, "undo")
    const place = await perform(target, () => target.root.walk.find(target, session.roots))
    try {
      if (place.path === path && place.name !== ".") rmdirSync(place.directory.entry(place.name))
      removed.push(path)
    } catch {
      break
    } finally {
      place.directory.close()
    }
  }
  return removed
}

function changed({ shown }: Target, reason: string, details: Record<string, unknown> = {}): ToolError {
  return new ToolError("conflict", `Cannot undo "${shown}": it is not as the call left it: ${reason}`, {
    hint: "Look at the file and change it by hand",
    details: { path: shown, ...details },
  })
}

/** An undo is not cancelled half-way. */
const lasting: Pick<CallScope, "signal"> = { signal: new AbortController().signal }
