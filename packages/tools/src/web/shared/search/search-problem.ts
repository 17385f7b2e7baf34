import { nearestNames, ToolError, type WebSearchSettings } from "@haft/contract"
import { providerIdOf, providerIds } from "./provider-id.js"
import { providerAccess } from "./provider-place.js"
import { providers } from "./providers/index.js"

/** What keeps the configured search services from being asked, before anything is asked; undefined when nothing does. */
export function searchProblem(
  settings: WebSearchSettings,
): { readonly reason: string; readonly hint?: string } | undefined {
  const { provider, endpoints } = settings
  const stray = [...(provider ? [provider] : []), ...Object.keys(endpoints)].find((id) => !providerIdOf(id))
  if (stray !== undefined) {
    const [near] = nearestNames(stray, providerIds, 1)
    return {
      reason: `there is no search service "${stray}"; known are ${providerIds.join(", ")}`,
      ...(near !== undefined && { hint: `did you mean "${near}"?` }),
    }
  }
  if (!provider) return undefined
  const chosen = providers[providerIdOf(provider)!]
  try {
    providerAccess(chosen, settings)
    return undefined
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return { reason: `${chosen.label}: ${error.message}`, ...(error.fix !== undefined && { hint: error.fix }) }
  }
}
