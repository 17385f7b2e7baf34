/** What rules must know about the world; asked only when a rule depends on it. */
export interface Facts {
  /** Whether git tracks the file. */
  isTracked(path: string): boolean
  /** Digest of the text that a command such as `npm test` runs in a folder; undefined when it runs none, or no folder is known. */
  recipeOf?(argv: readonly string[], directory?: string): string | undefined
}
