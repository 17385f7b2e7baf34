/** A line prepared for comparison. */
export interface ComparableLine {
  readonly bare: string
  /** How many words and signs it has, equal ones counted each time. */
  readonly wordCount: number
  readonly words: ReadonlySet<string>
}

/** Prepares a line; only the beginning of a very long one counts. */
export function comparable(line: string): ComparableLine {
  const bare = line.slice(0, 2_000).trim()
  const words = bare.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  return { bare, wordCount: words.length, words: new Set(words) }
}

/** From 0 for nothing in common to 1 for equal but for blanks at the ends. */
export function lineSimilarity(left: ComparableLine, right: ComparableLine): number {
  if (left.bare === right.bare) return 1
  const [small, large] = left.words.size < right.words.size ? [left.words, right.words] : [right.words, left.words]
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return (0.95 * 2 * shared) / (small.size + large.size || 1)
}
