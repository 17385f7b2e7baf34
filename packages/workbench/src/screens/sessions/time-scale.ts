/** What happens between two moments. */
export interface Span {
  readonly start: number
  readonly end: number
}

// A pause of an hour is as wide as one of this: people look at what was done, not at the clock.
const longestGapMs = 3000
const shortestSpanMs = 40

/**
 * Places moments on a line from 0 to 1, in their order; long pauses are cut, and what took no time still has a width.
 * The spans are sorted by their start.
 */
export function timeScale(spans: readonly Span[]): readonly Span[] {
  let last = spans[0]?.start ?? 0
  let at = 0
  const places = spans.map(({ start, end }) => {
    at += Math.min(Math.max(0, start - last), longestGapMs)
    const from = at
    const to = from + Math.max(shortestSpanMs, Math.min(end - start, longestGapMs * 10))
    last = Math.max(last, end)
    at = Math.max(at, to)
    return { start: from, end: to }
  })
  const all = Math.max(1, at)
  return places.map(({ start, end }) => ({ start: start / all, end: end / all }))
}
