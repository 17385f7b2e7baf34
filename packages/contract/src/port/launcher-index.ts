/** The kinds of thing that the launcher finds. */
export type IndexedType = "application" | "command" | "file" | "skill" | "tool"

/** A thing that was found, best first. */
export interface IndexHit {
  readonly id: string
  readonly name: string
  readonly type: IndexedType
  /** Frecency plus match quality. */
  readonly score: number
}

/** What was found, and how much of it a rule keeps from being shown. */
export interface IndexHits {
  readonly hits: readonly IndexHit[]
  readonly denied: number
}

/** Applications, commands, files, skills and tools, found by name and ranked by use. */
export interface LauncherIndex {
  search(query: string, options: { readonly limit: number; readonly signal: AbortSignal }): Promise<IndexHits>
  /** Counts one use of a thing, now. */
  recordUse(id: string): Promise<void>
}
