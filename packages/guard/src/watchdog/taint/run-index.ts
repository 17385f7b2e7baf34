/** How long a piece must be to count as taken over. */
export const minRun = 24
// Every run of 24 characters holds a whole block of 12 that begins at a multiple of 12.
const block = minRun / 2

/** Finds long pieces that a text has in common with the one that was indexed. */
export interface RunIndex {
  /** The first common piece of at least `minRun` characters. */
  find(text: string): string | undefined
}

/** Indexes a text by the blocks that it is made of: memory and time grow with its length, not with what is looked for. */
export function indexRuns(source: string): RunIndex {
  const places = new Map<number, number[]>()
  for (let at = 0; at + block <= source.length; at += block) {
    if (isMonotonous(source, at)) continue
    const hash = hashOf(source, at)
    const known = places.get(hash)
    if (!known) places.set(hash, [at])
    else if (known.length < maxPlaces) known.push(at)
  }
  return { find: (text) => find(source, places, text) }
}

// Text that repeats itself more often than that is boilerplate.
const maxPlaces = 16

function find(source: string, places: ReadonlyMap<number, readonly number[]>, text: string): string | undefined {
  if (places.size === 0 || text.length < minRun) return undefined
  let hash = hashOf(text, 0)
  for (let at = 0; ; at++) {
    for (const place of places.get(hash) ?? []) {
      const run = extend(source, place, text, at)
      if (run !== undefined) return run
    }
    if (at + block >= text.length) return undefined
    hash = roll(hash, text.charCodeAt(at), text.charCodeAt(at + block))
  }
}

/** The piece around a common block, when it is long enough. */
function extend(source: string, place: number, text: string, at: number): string | undefined {
  if (source.slice(place, place + block) !== text.slice(at, at + block)) return undefined
  let before = 0
  while (before < at && before < place && source[place - before - 1] === text[at - before - 1]) before++
  let behind = block
  while (at + behind < text.length && source[place + behind] === text[at + behind]) behind++
  return before + behind >= minRun ? text.slice(at - before, at + behind) : undefined
}

const base = 0x01000193
const leading = power(base, block - 1)

function hashOf(text: string, at: number): number {
  let hash = 0
  for (let index = at; index < at + block; index++) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0
  return hash
}

function roll(hash: number, out: number, into: number): number {
  return (Math.imul(hash - Math.imul(out, leading), base) + into) | 0
}

function power(number: number, exponent: number): number {
  let result = 1
  for (let index = 0; index < exponent; index++) result = Math.imul(result, number)
  return result
}

/** Lines of dashes and the like say nothing about where they come from. */
function isMonotonous(text: string, at: number): boolean {
  return new Set(text.slice(at, at + block)).size <= 3
}
