import { findProgram } from "../../sandbox/environment/find-program.js"
import { ask, type Machine } from "./machine.js"

/** The registries of npm: the default one and those of scopes. */
export async function npmAddresses(machine: Machine): Promise<readonly string[]> {
  const npm = findProgram("npm", machine.searchPath, machine.roots)
  if (npm === undefined) return []
  const settings = parse(await ask(npm, ["config", "list", "--long", "--json"], machine))
  return Object.entries(settings).flatMap(([name, value]) =>
    (name === "registry" || name.endsWith(":registry")) && typeof value === "string" ? [value] : [],
  )
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
