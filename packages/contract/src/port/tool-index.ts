/** A tool that a search found. */
export interface ToolMatch {
  readonly id: string
  readonly description: string
}

/** The tools that are not in the prompt (of skills, servers and extensions), found by what they are for. */
export interface ToolIndex {
  /** How many there are. */
  readonly size: number
  /**
   * The best matches for a query: words, `+word` for one that must occur, or `select:a,b` for exact names. What was
   * found is offered to the model from the next turn on. An empty query lists all of them and offers none. With `listed`
   * the tools that are in the prompt are searched as well.
   */
  search(query: string, options: { readonly max: number; readonly listed?: boolean }): readonly ToolMatch[]
}
