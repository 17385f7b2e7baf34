/** What one call left behind, so that the same call can take it back without a trace. */
export interface CallTraces {
  /** Directories that the call made for what it put at a path, outermost first. */
  readonly createdDirectories: Map<string, readonly string[]>
  /** Permission bits of the files that the call took away, for the case that it brings one back. */
  readonly removedModes: Map<string, number>
  /** Paths that the call has changed: it may take back what it did there also when it was cancelled. */
  readonly touched: Set<string>
}

/** The traces of a call that has done nothing yet. */
export function createCallTraces(): CallTraces {
  return { createdDirectories: new Map(), removedModes: new Map(), touched: new Set() }
}
