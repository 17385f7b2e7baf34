import type { ToolDefinition } from "@haft/contract"
import { offerOf } from "@haft/runtime"
import { type NamedToolset, toolsetsOf } from "./toolsets-of.js"

/** Every tool as data, so that listing tools needs neither schemas nor code at run time. */
export function definitionsFile(catalog: readonly ToolDefinition[], toolsets: readonly NamedToolset[]): string {
  const definitions = catalog.map(({ manifest }) => {
    const { id, title, description, input_schema, output_schema } = offerOf(manifest)
    const { kind, tier, requires, limit, retry, operands } = manifest
    return {
      id,
      title,
      description,
      kind,
      tier,
      toolsets: toolsetsOf(id, toolsets),
      requires,
      input_schema,
      output_schema,
      limit,
      retry,
      ...(operands && { operands }),
    }
  })
  return `${JSON.stringify(definitions, null, 2)}\n`
}
