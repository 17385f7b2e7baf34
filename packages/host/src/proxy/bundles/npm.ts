import { findOwnProgram } from "../../sandbox/environment/find-own-program.js"
import { ask, type Machine, type FoundSetting } from "./machine.js"

/** The registries of npm, the default one and those of scopes, and whom it trusts. */
export async function npmAddresses(machine: Machine): Promise<readonly FoundSetting[]> {
  const npm = findOwnProgram("npm", machine.searchPath, machine.roots)
  if (npm === undefined) return []
  const settings = parse(await ask(npm, ["config", "list", "--long", "--json"], machine))
  return Object.entries(settings).flatMap(([name, value]): readonly FoundSetting[] => {
    if (typeof value !== "string") return []
    if (name === "cafile") return [{ certificates: value }]
    if (name === "registry") return [{ address: value, variables: ["npm_config_registry", "YARN_NPM_REGISTRY_SERVER"] }]
    return name.endsWith(":registry") ? [{ address: value, variables: [`npm_config_${name}`] }] : []
  })
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
