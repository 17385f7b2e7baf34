import { ToolError, type WebSearchSettings } from "@haft/contract"
import type { Provider } from "../shared/search/provider.js"
import { providerIdOf, providerIds } from "../shared/search/provider-id.js"
import { isOffered } from "../shared/search/provider-place.js"
import { providers } from "../shared/search/providers/index.js"

/** The provider of a session: the configured one, else the same of those that can be asked in every call. */
export function chooseProvider(settings: WebSearchSettings, sessionId: string): Provider {
  if (settings.provider) return configured(settings.provider)
  const offered = providerIds.filter((id) => isOffered(id, settings))
  // Each has its own number for a session and the highest wins: a provider more or less moves few sessions.
  const numbered = offered.map((id) => ({ id, number: hash(`${sessionId} ${id}`) }))
  return providers[numbered.reduce((best, next) => (next.number > best.number ? next : best)).id]
}

function configured(name: string): Provider {
  const id = providerIdOf(name)
  if (id !== undefined) return providers[id]
  throw new ToolError("not_configured", `Cannot search the web: "${name}" is no known provider`, {
    fix: `Set webSearch.provider to one of ${providerIds.join(", ")}`,
  })
}

/** A number from 0 to 2^32 - 1 that looks random (FNV-1a, then the last steps of Murmur3). */
function hash(words: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < words.length; index++) value = Math.imul(value ^ words.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
