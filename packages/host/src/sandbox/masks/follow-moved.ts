import { basename, join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { entriesOf, fileStamp } from "../../files/system/look.js"
import type { WorkspaceIndex } from "../../workspace-index/index.js"
import type { Mount } from "../view/mount.js"
import type { Mask, MaskRules, Masks } from "./find-masks.js"

/** Whether a mount is laid over something because of a rule, or because of what it is. */
export function isMask(mount: Mount): mount is Mask {
  return mount.kind === "hide" || mount.kind === "read"
}

/** What a rule must deny for the mask to be there. */
export function deniedKind({ kind }: Mask): "fs.read" | "fs.write" {
  return kind === "hide" ? "fs.read" : "fs.write"
}

/**
 * Follows what was covered to where a command moved it with a folder above it: into folders that are never read, such as
 * installed packages, or to a place that rules allow, where no later command would find it covered. The name stays what
 * it was: a mask cannot be renamed.
 */
export function createMoveFollower(
  indexes: readonly WorkspaceIndex[],
): (masks: Masks, rules: MaskRules) => Promise<Masks> {
  let covered: ReadonlyMap<string, Covered> = new Map()
  return async (masks, rules) => {
    const now = new Map(stamped(masks.mounts.filter(isMask).filter(isDenied(rules))))
    const others = [...covered].filter(([stamp]) => !now.has(stamp))
    const isMissing = ([, { mask, rulePath }]: [string, Covered]) => isDenied(rules)({ ...mask, target: rulePath })
    // Calls of one session may have rules of their own: what these allow is not forgotten for the others.
    const allowed = others.filter((one) => !isMissing(one))
    const missing = others.filter(isMissing)
    const gone = new Map(missing.filter(([stamp, { mask }]) => fileStamp(mask.target) !== stamp))
    const kept = missing.filter(([stamp]) => !gone.has(stamp))
    const { found, isWhole } = await search(gone, indexes)
    const moved = [...kept, ...found]
    covered = new Map([...allowed, ...(isWhole ? [] : gone), ...now, ...moved])
    return {
      ...masks,
      mounts: [...masks.mounts, ...moved.map(([, { mask }]) => mask)],
      notes: isWhole ? masks.notes : [...masks.notes, notFound],
      complete: masks.complete && isWhole,
    }
  }
}

const notFound =
  "a file that rules deny was moved, and folders that are left out could not all be looked through for it in time"

interface Covered {
  readonly mask: Mask
  /** Where it was when a rule denied it. */
  readonly rulePath: string
}

function isDenied({ denies }: MaskRules): (mask: Mask) => boolean {
  return (mask) => denies(deniedKind(mask), mask.target)
}

function stamped(masks: readonly Mask[]): readonly [string, Covered][] {
  return masks.flatMap((mask): [string, Covered][] => {
    const stamp = fileStamp(mask.target)
    return stamp === undefined ? [] : [[stamp, { mask, rulePath: mask.target }]]
  })
}

interface Search {
  readonly found: readonly [string, Covered][]
  readonly isWhole: boolean
}

async function search(gone: ReadonlyMap<string, Covered>, indexes: readonly WorkspaceIndex[]): Promise<Search> {
  const found: [string, Covered][] = []
  const names = new Set([...gone.values()].map(({ mask }) => basename(mask.target)))
  const take = (folder: string, name: string): boolean => {
    if (!names.has(name)) return false
    const path = join(folder, name)
    const stamp = fileStamp(path) ?? ""
    const one = gone.get(stamp)
    if (one) found.push([stamp, { ...one, mask: at(one.mask, path) }])
    return one !== undefined
  }
  if (gone.size === 0) return { found, isWhole: true }
  for (const index of indexes) {
    for (const { path, entries } of index.directories()) for (const { name } of entries) take(path, name)
  }
  const pending = indexes.flatMap((index) => index.unread())
  const startMs = performance.now()
  let sliceMs = startMs
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(folder)) {
      if (!take(folder, entry.name) && entry.isDirectory()) pending.push(join(folder, entry.name))
    }
    const nowMs = performance.now()
    if (found.length === gone.size) break
    if (nowMs - startMs > maxMs) return { found, isWhole: false }
    if (nowMs - sliceMs < sliceLengthMs) continue
    await nextTurn()
    sliceMs = performance.now()
  }
  return { found, isWhole: true }
}

// Only when something covered has gone, and then once: half a million names take about a second.
const maxMs = 3000
/** How long the event loop may be kept. */
const sliceLengthMs = 4

function at(mask: Mask, path: string): Mask {
  return mask.kind === "hide" ? { ...mask, target: path } : { ...mask, source: path, target: path }
}
