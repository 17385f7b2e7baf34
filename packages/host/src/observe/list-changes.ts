import type { ObservedEffect } from "@haft/contract"
import type { Difference } from "./compare-snapshots.js"

/** The changes that are recorded one by one, and how many others there are. */
export interface ListedChanges {
  readonly listed: readonly Difference[]
  readonly leftOut: number
}

/** As many changes as may be recorded, in their order: first what is gone, then what is different, then what is new. */
export function listChanges(differences: readonly Difference[], most: number): ListedChanges {
  if (differences.length <= most) return { listed: differences, leftOut: 0 }
  const gravest = [...differences].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, most)
  const chosen = new Set(gravest)
  return { listed: differences.filter((one) => chosen.has(one)), leftOut: differences.length - most }
}

/** Stands for all that was left out: content that was not kept, so that no undo removes what may be its last copy. */
export function leftOutEffect(root: string, leftOut: number): ObservedEffect {
  const kept = `${leftOut} more changes were not recorded`
  return { kind: "fs.write", path: root, before: "left out", after: null, kept }
}

function rankOf({ before, after }: Difference): number {
  if (!after) return 0
  return before ? 1 : 2
}
