import type { Quarantined } from "./check-free-names.js"

/** What became of files that appeared under protected names, one sentence each. */
export function quarantineWords(moved: readonly Quarantined[]): readonly string[] {
  return moved.map(({ path, movedTo }) => {
    const then = movedTo === undefined ? "could not be moved away: remove it" : `moved to "${movedTo}"`
    return `"${path}" was created under a protected name and ${then}`
  })
}
