import type { ToolDefinition } from "@haft/contract"

/** What rules and modes must know about tools before any is loaded, from their manifests. */
export function toolFactsFile(tools: readonly ToolDefinition[]): string {
  const lines = tools.flatMap(({ manifest: { id, defaults, command, subjectKind } }) => {
    const kind = command ? "command" : subjectKind
    const facts = {
      ...(defaults && { defaults }),
      ...(kind && { subjectKind: kind }),
      ...(command && { runsCommands: true }),
    }
    return Object.keys(facts).length === 0 ? [] : [`  ${id}: ${JSON.stringify(facts)},`]
  })
  return `// Made by npm run build from the manifests of the tools.
import type { DefaultRule, Subject } from "@haft/contract"

/** What rules must know about a tool before it is loaded. */
export interface ToolFacts {
  readonly defaults?: readonly DefaultRule[]
  readonly subjectKind?: Subject["kind"]
  /** True where a call runs a command, so that a pattern with an open end may run anything. */
  readonly runsCommands?: boolean
}

/** By the id of the tool; those of which nothing is to be known have none. */
// biome-ignore format: a line for each tool
export const toolFacts: Readonly<Record<string, ToolFacts>> = {
${lines.join("\n")}
}
`
}
