/** A tool that a search found. */
export interface ToolMatch {
  readonly id: string
  readonly description: string
}

/** The tools that are not in the prompt, found by what they are for. */
export interface ToolIndex {
  /**
   * The best matches for a query: words, `+word` for one that must occur, or `select:a,b` for exact names.
   * What was found is offered to the model from the next turn on.
   */
  search(query: string, options: { readonly max: number }): readonly ToolMatch[]
}
