import { nearestNames, type ToolDefinition, ToolError } from "@haft/contract"
import { catalog, loadTool, toolsInSets } from "@haft/tools"
import type { HaftOptions } from "./options.js"

/** The built-in tools that a Haft is made with. */
export async function builtinTools({ only, toolset = "locked,code" }: HaftOptions): Promise<readonly ToolDefinition[]> {
  if (only === undefined) return toolsInSets(catalog, toolset)
  return Promise.all(only.map(async (id) => (await loadTool(id)) ?? unknownTool(id)))
}

function unknownTool(id: string): never {
  const [near] = nearestNames(
    id,
    catalog.map(({ manifest }) => manifest.id),
    1,
  )
  throw new ToolError("invalid_args", `Cannot use tool "${id}": there is no built-in tool of that id`, {
    ...(near !== undefined && { hint: `Did you mean "${near}"?` }),
  })
}
