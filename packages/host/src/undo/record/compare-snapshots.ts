import { dirname } from "node:path"
import { isBelow } from "@haft/contract"
import { type Entry, type Snapshot, sameContent } from "./scan-workspace.js"

/** One path that is not as it was. */
export interface Difference {
  readonly path: string
  readonly before: Entry | undefined
  readonly after: Entry | undefined
}

/**
 * What differs between two looks, parents before what is in them. A folder counts only when its mode changed, when it came
 * or went without anything in it, or went with a mode that new ones do not have: otherwise what is in it tells the same. What is in a folder that one of the looks
 * could not see into did not come or go by that.
 */
export function compareSnapshots(before: Snapshot, after: Snapshot): readonly Difference[] {
  const differences: Difference[] = []
  const closed: string[] = []
  for (const [path, now] of after) {
    const then = before.get(path)
    if (now.closed || then?.closed) closed.push(path)
    if (isDifferent(then, now)) differences.push({ path, before: then, after: now })
  }
  for (const [path, then] of before) {
    if (!after.has(path)) differences.push({ path, before: then, after: undefined })
  }
  const seen =
    closed.length === 0
      ? differences
      : differences.filter(({ path }) => !closed.some((folder) => isBelow(path, folder)))
  const full = new Set(seen.map(({ path }) => dirname(path)))
  return seen
    .filter(
      ({ path, before: then, after: now }) =>
        !isFolderOnly(then, now) || !full.has(path) || (then && (now || then.mode !== newMode(path, before))),
    )
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** What was or became something else beside a folder has that to tell. */
function isFolderOnly(then: Entry | undefined, now: Entry | undefined): boolean {
  return (then ?? now)!.kind === "directory" && (now ?? then)!.kind === "directory"
}

function isDifferent(then: Entry | undefined, now: Entry): boolean {
  if (!then || then.kind !== now.kind) return true
  if (now.kind !== "directory") return !sameContent(then, now)
  if (then.mode !== now.mode) return true
  // A package folder means all that is in it.
  return now.within === "packages" && then.mtimeMs !== now.mtimeMs
}

/** What a folder gets that is made by this process; in one that hands its group on it does so too. */
function newMode(path: string, before: Snapshot): number {
  return (0o777 & ~process.umask()) | ((before.get(dirname(path))?.mode ?? 0) & 0o2000)
}
