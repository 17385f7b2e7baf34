import type { ApiTool, ApiWorkspace } from "@haft/contract"
import { createContext, type ReactNode, useContext } from "react"
import { api } from "../api/client.js"
import { type Resource, useResource } from "../api/resource.js"

interface Known {
  readonly workspace: Resource<ApiWorkspace>
  readonly tools: Resource<readonly ApiTool[]>
  readonly reload: () => void
}

const Context = createContext<Known | undefined>(undefined)

/** Loads once what every screen needs: the workspace and the catalogue. */
export function WorkspaceProvider({ children }: { children: ReactNode }) {
  const [workspace] = useResource("workspace", api.workspace)
  const [tools, reload] = useResource("tools", api.tools)
  return <Context value={{ workspace, tools, reload }}>{children}</Context>
}

/** The workspace and the catalogue as far as they are here. */
export function useKnown(): Known {
  const known = useContext(Context)
  if (!known) throw new Error("useKnown is used outside of WorkspaceProvider")
  return known
}

/** One tool of the catalogue. */
export function useTool(id: string | undefined): ApiTool | undefined {
  const { tools } = useKnown()
  return tools.at === "ready" ? tools.value.find((tool) => tool.id === id) : undefined
}
