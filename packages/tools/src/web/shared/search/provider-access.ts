import { ToolError, type WebSearchSettings } from "@haft/contract"
import type { Provider, ProviderAccess } from "./provider.js"

/** What the user configured for a provider; throws when that is not enough to ask it. */
export function providerAccess(provider: Provider, settings: WebSearchSettings): ProviderAccess {
  const access = configuredAccess(provider, settings)
  const missing = provider.needs?.find((need) => access[need] === undefined)
  if (missing === undefined) return access
  const setting = missing === "key" ? "key" : "address"
  throw new ToolError("not_configured", `no ${setting} is configured for it`, {
    fix:
      missing === "key"
        ? `Give a key for ${provider.label} in the environment`
        : `Set webSearch.endpoints.${provider.id}`,
  })
}

/** Whether a session may choose the provider on its own: it needs nothing, or the user has configured it. */
export function isOffered(provider: Provider, settings: WebSearchSettings): boolean {
  const access = configuredAccess(provider, settings)
  if (provider.needs !== undefined) return provider.needs.every((need) => access[need] !== undefined)
  const open = provider.id === "ddg" || provider.id === "wiki"
  return open || access.endpoint !== undefined || access.key !== undefined
}

function configuredAccess({ id }: Provider, { endpoints, keys }: WebSearchSettings): ProviderAccess {
  const endpoint = ownText(endpoints, id)
  const key = ownText(keys, id)
  return { ...(endpoint === undefined ? {} : { endpoint }), ...(key === undefined ? {} : { key }) }
}

/** An empty setting is none. */
function ownText(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return (Object.hasOwn(record, key) && record[key]?.trim()) || undefined
}
