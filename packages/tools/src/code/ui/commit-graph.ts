// More lines side by side cannot be distinguished.
const maxLanes = 12

/**
 * Draws commits, newest first, as lines that run to their parents: a row of signs for each. Undefined where all follow one
 * another, and where the parents are not known: then a line says nothing.
 */
export function commitGraph(
  commits: readonly string[],
  parents: readonly (readonly string[])[],
): readonly string[] | undefined {
  const lanes: (string | undefined)[] = []
  let most = 0
  const rows = commits.map((commit, index) => {
    const known = lanes.indexOf(commit)
    const own = known >= 0 ? known : free(lanes)
    lanes[own] = commit
    const row = lanes.slice(0, maxLanes).map((lane, place) => (place === own ? "●" : lane === undefined ? " " : "│"))
    most = Math.max(most, lanes.length)
    const [first, ...others] = parents[index] ?? []
    // Lines that run to one commit meet there.
    for (const [place, lane] of lanes.entries()) if (lane === commit) lanes[place] = undefined
    if (first !== undefined && !lanes.includes(first)) lanes[own] = first
    for (const other of others) if (!lanes.includes(other)) lanes[free(lanes)] = other
    while (lanes.length > 0 && lanes.at(-1) === undefined) lanes.pop()
    return row.join(" ")
  })
  return most > 1 ? rows : undefined
}

function free(lanes: readonly (string | undefined)[]): number {
  const place = lanes.indexOf(undefined)
  return place < 0 ? lanes.length : place
}
