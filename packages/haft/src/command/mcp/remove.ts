import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { setSetting } from "../../config/edit-config-file.js"
import { readTextFile } from "../../config/read-text-file.js"
import { writeSharedFile } from "../../config/write-private-file.js"
import { sharedFile } from "../../mcp/configured-servers.js"
import { removePin, userPinFile } from "../../mcp/server-state.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { setUp } from "../setup.js"
import { serverNamed } from "./server-named.js"

/** `haft mcp remove`: takes the entry and the trust away. */
export const run: Run = async (invocation, io) => {
  const setup = await setUp(invocation, io)
  const { name, entry, source } = serverNamed(invocation.operands[0]!, setup)
  const file = join(setup.roots[0]!, sharedFile)
  if (source === file) {
    const value = JSON.parse(readTextFile(file)!) as { mcpServers: Record<string, unknown> }
    delete value.mcpServers[name]
    writeSharedFile(file, `${JSON.stringify(value, null, 2)}\n`)
  } else if (
    setup.configuration.layers.some(
      ({ scope, entries }) => scope === "user" && entries.some(({ key }) => key === `mcpServers.${name}`),
    )
  ) {
    setSetting({ path: setup.places.userFile, scope: "user" }, `mcpServers.${name}`, undefined)
  } else
    throw new ToolError("denied", `Cannot remove "${name}": it is in ${source}`, {
      hint: "Take it out of that file",
    })
  const trusted = removePin(userPinFile(setup.places.configHome), {
    name,
    ...(entry?.folder !== undefined && { folder: entry.folder }),
  })
  printValue(invocation, io, { name, removed: true, trust_removed: trusted }, ({ say }) => say`removed: ${name}`)
  return exitCodes.ok
}
