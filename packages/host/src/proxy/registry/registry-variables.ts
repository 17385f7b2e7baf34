import type { BundleSetting } from "../bundles/resolve-bundle.js"
import type { OpenRegistry } from "./private-registry.js"

/**
 * Variables that tell package managers of private registries what the user's own settings say. Those settings are not
 * inside the sandbox, because they are where people keep secrets.
 */
export function registryVariables(
  settings: readonly BundleSetting[],
  registries: readonly OpenRegistry[],
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const { variable, address, destination, besides } of settings) {
    const isPrivate = registries.some(({ host, port }) => destination.host === host && destination.port === port)
    if (!isPrivate) continue
    const before = variables[variable]
    // Where a variable takes several addresses, they stand side by side.
    variables[variable] = before === undefined ? address : `${before} ${address}`
    Object.assign(variables, besides)
  }
  return variables
}
