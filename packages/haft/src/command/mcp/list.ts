import { visibleLine } from "@haft/guard"
import { toolId } from "@haft/mcp"
import { configuredServers } from "../../mcp/configured-servers.js"
import { table } from "../../terminal/columns.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { setUp } from "../setup.js"

/** `haft mcp list`: the servers that are named here; nothing is started. */
export const run: Run = async (invocation, io) => {
  const servers = configuredServers(await setUp(invocation, io))
  const rows = servers.map(({ name, source, entry, pin, state, reason }) => ({
    ...{ name, source, state, ...(reason !== undefined && { reason }) },
    ...(entry && {
      transport: entry.kind,
      ...(entry.kind === "http" ? { url: entry.url } : { command: [entry.command, ...entry.args] }),
    }),
    ...(pin && {
      digest: pin.digest,
      trusted_at: new Date(pin.at).toISOString(),
      tools: pin.tools.map((tool) => toolId(name, tool.name)),
    }),
  }))
  printRows(invocation, io, rows, (style) => {
    if (rows.length === 0) return style.say`No servers. Add one with: haft mcp add NAME -- COMMAND`
    const lines = servers.map(({ name, source, pin, state, reason }) => [
      ...[
        name,
        state,
        pin ? style.say`${pin.tools.length} tools` : "",
        visibleLine(source),
        visibleLine(style.say(reason ?? "")),
      ],
    ])
    return table(["SERVER", "STATE", "TOOLS", "FROM", ""], lines, style)
  })
  return exitCodes.ok
}
