import { ToolError, type WebSearchSettings } from "@haft/contract"
import type { Provider, ProviderAccess } from "./provider.js"
import { type ProviderId, providerIdOf, providerIds } from "./provider-id.js"

/** Where a provider is asked, and what the user has to configure first. */
export interface ProviderPlace {
  /** Base URL, unless the user configured another. */
  readonly origin?: string
  /** Base URL where the user has a key and that makes a difference. */
  readonly originWithKey?: string
  /** Further hosts that answer for it, such as the one that asks for a captcha. */
  readonly further?: readonly string[]
  /** The settings without which it cannot be asked. */
  readonly needs?: readonly ("endpoint" | "key")[]
  /** Sessions choose it where nothing at all is configured. */
  readonly isOpen?: true
}

/** The one table of places: what requests are sent to and what tools declare come from it. */
export const providerPlaces: Readonly<Record<ProviderId, ProviderPlace>> = {
  ddg: { origin: "https://html.duckduckgo.com", isOpen: true },
  wiki: { origin: "https://en.wikipedia.org", isOpen: true },
  brave: { origin: "https://search.brave.com", originWithKey: "https://api.search.brave.com" },
  sogou: { origin: "https://www.sogou.com" },
  so360: { origin: "https://www.so.com", further: ["qcaptcha.so.com"] },
  searxng: { needs: ["endpoint"] },
  tavily: { origin: "https://api.tavily.com", needs: ["key"] },
  google: { needs: ["key", "endpoint"] },
  baidu: { origin: "https://qianfan.baidubce.com", needs: ["key"] },
}

/** Where and with which key a provider is asked; throws when what the user configured is not enough. */
export function providerAccess({ id, label }: Provider, settings: WebSearchSettings): ProviderAccess {
  const configured = configuredOf(id, settings)
  const base = baseOf(id, settings)
  const missing = providerPlaces[id].needs?.find((need) => configured[need] === undefined)
  if (missing === undefined && base !== undefined) {
    return { base, ...(configured.key === undefined ? {} : { key: configured.key }) }
  }
  const setting = missing === "key" ? "key" : "address"
  throw new ToolError("not_configured", `no ${setting} is configured for it`, {
    fix: missing === "key" ? `Give a key for ${label} in the environment` : `Set webSearch.endpoints.${id}`,
  })
}

/** Whether a session may choose the provider on its own: it needs nothing, or the user has configured it. */
export function isOffered(id: ProviderId, settings: WebSearchSettings): boolean {
  const access = configuredOf(id, settings)
  const { needs, isOpen = false } = providerPlaces[id]
  if (needs !== undefined) return needs.every((need) => access[need] !== undefined)
  return isOpen || access.endpoint !== undefined || access.key !== undefined
}

/**
 * The hosts that search the web with these settings, as patterns: those of the configured provider or else of all that
 * a session may choose, and those of every engine that a call may name. What cannot be asked has none.
 */
export function searchHosts(settings: WebSearchSettings): {
  readonly session: readonly string[]
  readonly engines: readonly string[]
} {
  const hostsOf = (ids: readonly ProviderId[]) => [...new Set(ids.flatMap((id) => providerHosts(id, settings)))]
  const { provider } = settings
  const configured = provider ? [providerIdOf(provider) ?? []].flat() : undefined
  return {
    session: hostsOf(configured ?? providerIds.filter((id) => isOffered(id, settings))),
    engines: hostsOf(providerIds),
  }
}

function providerHosts(id: ProviderId, settings: WebSearchSettings): readonly string[] {
  const base = baseOf(id, settings)
  if (base === undefined || !URL.canParse(base)) return []
  const { protocol, hostname, port } = new URL(base)
  if (protocol !== "http:" && protocol !== "https:") return []
  const usualPort = protocol === "https:" ? "443" : "80"
  const isConfigured = configuredOf(id, settings).endpoint !== undefined
  return [`${hostname}:${port || usualPort}`, ...(isConfigured ? [] : (providerPlaces[id].further ?? []))]
}

/** The base URL of a provider: the configured one, else the usual one if it has any. */
function baseOf(id: ProviderId, settings: WebSearchSettings): string | undefined {
  const { endpoint, key } = configuredOf(id, settings)
  const { origin, originWithKey = origin } = providerPlaces[id]
  return endpoint ?? (key === undefined ? origin : originWithKey)
}

/** What the user configured for a provider; an empty setting is none. */
function configuredOf(id: ProviderId, { endpoints, keys }: WebSearchSettings) {
  return { endpoint: ownText(endpoints, id), key: ownText(keys, id) }
}

function ownText(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return (Object.hasOwn(record, key) && record[key]?.trim()) || undefined
}
