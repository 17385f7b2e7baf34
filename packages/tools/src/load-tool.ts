import type { ToolDefinition } from "@haft/contract"
import { toolLoaders } from "./generated/tool-loaders.js"

/** The built-in tool of that id, loaded without the others; undefined where there is none. */
export async function loadTool(id: string): Promise<ToolDefinition | undefined> {
  return Object.hasOwn(toolLoaders, id) ? toolLoaders[id]!() : undefined
}
