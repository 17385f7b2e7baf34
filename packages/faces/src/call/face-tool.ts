import type { ToolDefinition, ToolFaces, ToolKind, ToolMessages } from "@haft/contract"
import { useEffect, useState } from "react"

/** What the faces must know about a tool to draw its calls. */
export interface FaceTool {
  readonly id: string
  readonly title: string
  readonly kind: ToolKind
  /** Absent for tools that a server or a skill brings: then the title is used for all of them. */
  readonly messages?: ToolMessages
  readonly faces?: ToolFaces
}

/** Loads the faces of a tool. Its work is not loaded. */
export async function loadFaceTool(definition: ToolDefinition): Promise<FaceTool> {
  const { manifest, messages } = definition
  const { id, title, kind } = manifest
  const own = await definition.faces?.()
  return { id, title, kind, messages, ...(own && { faces: own.faces }) }
}

/** A tool that is not known here, for instance one of a recording: the default faces draw it under its id. */
export function unknownTool(id: string): FaceTool {
  return { id, title: id, kind: "other" }
}

/**
 * The tool with this id. `load` is asked once for each id as long as it stays the same function; until it answers, and
 * where it fails or knows nothing, the default faces draw the calls under `known`.
 */
export function useFaceTool(
  id: string,
  load: (id: string) => Promise<FaceTool | undefined>,
  known: FaceTool = unknownTool(id),
): FaceTool {
  const [tool, setTool] = useState(() => ({ id, tool: loadedTools(load).ready.get(id) }))
  useEffect(() => {
    let isWanted = true
    void loadOnce(id, load).then((loaded) => isWanted && setTool({ id, tool: loaded }))
    return () => {
      isWanted = false
    }
  }, [id, load])
  return (tool.id === id ? tool.tool : loadedTools(load).ready.get(id)) ?? known
}

interface LoadedTools {
  readonly ready: Map<string, FaceTool>
  readonly pending: Map<string, Promise<FaceTool>>
}

type Load = (id: string) => Promise<FaceTool | undefined>

// Belongs to the loader, so that two pages in one process share nothing.
const loaded = new WeakMap<Load, LoadedTools>()

function loadedTools(load: Load): LoadedTools {
  const tools = loaded.get(load) ?? { ready: new Map(), pending: new Map() }
  loaded.set(load, tools)
  return tools
}

function loadOnce(id: string, load: Load): Promise<FaceTool> {
  const { ready, pending } = loadedTools(load)
  const started =
    pending.get(id) ??
    load(id).then(
      (tool) => {
        ready.set(id, tool ?? unknownTool(id))
        return ready.get(id)!
      },
      () => {
        // A chunk that did not arrive may arrive the next time.
        pending.delete(id)
        return unknownTool(id)
      },
    )
  pending.set(id, started)
  return started
}
