/** Up to `most` candidates that look like `name`, nearest first: for "did you mean" in messages. */
export function nearestNames(name: string, candidates: Iterable<string>, most = 3): readonly string[] {
  const wanted = fold(name)
  if (wanted === "") return []
  const scored: { candidate: string; distance: number }[] = []
  for (const candidate of candidates) {
    const distance = distanceBetween(wanted, fold(candidate))
    if (distance !== undefined) scored.push({ candidate, distance })
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
  return scored.slice(0, most).map((entry) => entry.candidate)
}

function fold(name: string): string {
  // 64 characters decide; longer names would make the quadratic table costly.
  return name
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, "")
    .slice(0, 64)
}

/** Edits between two folded names; undefined when they are too far apart to be worth a mention. */
function distanceBetween(wanted: string, candidate: string): number | undefined {
  if (candidate === "") return undefined
  if (wanted.length > 2 && candidate.includes(wanted)) return 0.5
  if (candidate.length > 2 && wanted.includes(candidate)) return 0.5
  const allowed = Math.ceil(Math.max(wanted.length, candidate.length) / 3)
  if (Math.abs(wanted.length - candidate.length) > allowed) return undefined
  const distance = editDistance(wanted, candidate)
  return distance <= allowed ? distance : undefined
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
