/** A clock that does not move until a test moves it. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  now(): number
  advance(ms: number): void
}

/** Makes a clock that shows `startMs`. */
export function fakeClock(startMs = 1_700_000_000_000): FakeClock {
  let current = startMs
  return {
    now: () => current,
    advance(ms) {
      current += ms
    },
  }
}
