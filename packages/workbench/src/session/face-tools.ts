import { type FaceTool, loadFaceTool } from "@haft/faces"
import { loadTool } from "@haft/tools"

/** A built-in tool as faces draw it, loaded with its faces and without its work; undefined for any other. */
export async function builtinFaceTool(id: string): Promise<FaceTool | undefined> {
  const tool = await loadTool(id)
  return tool && loadFaceTool(tool)
}
