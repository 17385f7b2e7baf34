/** A named group of tools. */
export interface NamedToolset {
  readonly name: string
  readonly tools: readonly string[]
  readonly prompt: string
}

/** The names of the groups that hold a tool. */
export function toolsetsOf(id: string, toolsets: readonly NamedToolset[]): readonly string[] {
  return toolsets.filter(({ tools }) => tools.includes(id)).map(({ name }) => name)
}
