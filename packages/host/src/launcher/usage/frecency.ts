/** How often a thing was used, and when last. */
export interface Use {
  readonly count: number
  /** Milliseconds since 1970; absent when it is not known. */
  readonly lastUsed?: number | undefined
}

/** Uses that fade by a tenth each day: twenty of two months ago weigh less than three of today. */
export function frecency({ count, lastUsed }: Use, now: number): number {
  if (lastUsed === undefined) return count
  // A clock that was set back must not make old uses weigh more.
  const days = Math.max(0, now - lastUsed) / dayMs
  return count * Math.exp(-0.1 * days)
}

const dayMs = 24 * 60 * 60 * 1000
