import { listServers } from "@haft/host"
import { type Check, type DoctorRequest, failed, searchPathOf } from "./check.js"

/** Which language servers `lsp` would find for these folders. */
export async function languageChecks(request: DoctorRequest): Promise<readonly Check[]> {
  try {
    const servers = await listServers({ path: searchPathOf(request), roots: request.roots })
    return servers.map(({ id, title, command, wanted, install }): Check => {
      const name = `lsp ${id}`
      if (command) return { name, state: "ok", found: command.join(" ") }
      if (!wanted) return { name, state: "none", found: `no server for ${title}`, fix: install }
      return { name, state: "warn", found: `no server for ${title}, which this project uses`, fix: install }
    })
  } catch (error) {
    return [failed("lsp", error, "warn")]
  }
}
