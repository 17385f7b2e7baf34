import { nearestNames, ToolError } from "@haft/contract"
import { type ConfiguredServer, configuredServers, type ServerPlaces } from "../../mcp/configured-servers.js"

/** The server of that name. An unknown one is an error that names the nearest. */
export function serverNamed(name: string, places: ServerPlaces): ConfiguredServer {
  const servers = configuredServers(places)
  const server = servers.find((each) => each.name === name)
  if (server) return server
  const [near] = nearestNames(
    name,
    servers.map((each) => each.name),
    1,
  )
  throw new ToolError("invalid_args", `Cannot find the MCP server "${name}": no configuration here names it`, {
    hint:
      near === undefined ? "See haft mcp list; add one with: haft mcp add NAME -- COMMAND" : `Did you mean ${near}?`,
  })
}
