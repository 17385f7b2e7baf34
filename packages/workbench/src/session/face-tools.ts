import type { ToolDefinition } from "@haft/contract"
import { type FaceTool, loadFaceTool, type Story, storiesOf } from "@haft/faces"
import { loadTool } from "@haft/tools"

/** A built-in tool as faces draw it, loaded with its faces and without its work; undefined for any other. */
export async function builtinFaceTool(id: string): Promise<FaceTool | undefined> {
  const tool = (await loadTool(id)) ?? (await dialectTool(id))
  return tool && loadFaceTool(tool)
}

/** Calls of a recording may be of tools that only dialects reach. */
async function dialectTool(id: string): Promise<ToolDefinition | undefined> {
  const { dialectTools } = await import("@haft/dialects")
  return (await dialectTools()).find(({ manifest }) => manifest.id === id)
}

/** A built-in tool in every state, made of its own examples; undefined for any other. */
export async function builtinStories(id: string): Promise<readonly Story[] | undefined> {
  const tool = await loadTool(id)
  return tool && storiesOf(tool)
}
