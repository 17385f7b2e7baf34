import { holdMasks } from "../../living/held-masks.js"
import { watchMasks } from "../../living/mask-watch.js"
import type { PreparedWall } from "../sandbox.js"
import type { HeldMasks } from "./standing-masks.js"

/** A wall for a process that outlives its call: until it is given back, its masks are not to be lost unnoticed. */
export function withStandingMasks(
  wall: PreparedWall,
  { targets, isLost, holds }: HeldMasks,
  { roots, onLost }: { readonly roots: readonly string[]; readonly onLost: () => void },
): PreparedWall {
  const free = holdMasks(targets)
  const stopWatching = watchMasks({ targets, roots, isLost, onLost })
  return {
    ...wall,
    holds,
    release() {
      stopWatching()
      free()
      return wall.release()
    },
  }
}
