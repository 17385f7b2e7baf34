import { type Check, type DoctorRequest, failed, searchPathOf, signalOf } from "./check.js"

/** Which language servers `lsp` would find for these folders, and whether they run. */
export async function languageChecks(request: DoctorRequest): Promise<readonly Check[]> {
  try {
    const { listServers } = await import("@haft/lsp")
    const { env: environment, roots } = request
    const servers = await listServers({ path: searchPathOf(request), roots, environment, ...signalOf(request) })
    return servers.map(({ id, title, command, problem, wanted, install }): Check => {
      const name = `lsp ${id}`
      if (command && problem !== undefined) {
        return { name, state: wanted ? "warn" : "none", found: `${command[0]} does not run: ${problem}`, fix: install }
      }
      if (command) return { name, state: "ok", found: command.join(" ") }
      if (!wanted) return { name, state: "none", found: `no server for ${title}`, fix: install }
      return { name, state: "warn", found: `no server for ${title}, which this project uses`, fix: install }
    })
  } catch (error) {
    return [failed("lsp", error, "warn")]
  }
}
