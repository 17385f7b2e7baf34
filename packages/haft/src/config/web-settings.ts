import type { WebSearchSettings } from "@haft/contract"
import type { ProxyOptions } from "../library/options.js"
import type { Configuration } from "./load-configuration.js"
import type { Environment } from "./places.js"

/** How the web is searched, from the configuration and the keys of the environment. */
export function webSearchOf(
  { configuration: { values } }: { readonly configuration: Configuration },
  env: Environment,
): WebSearchSettings {
  const keys: Record<string, string> = {}
  for (const [provider, name] of keyVariables) if (env[name]) keys[provider] = env[name]
  return {
    provider: values.get("webSearch.provider"),
    endpoints: Object.fromEntries(values.members("webSearch.endpoints")),
    keys,
    callsPerSession: values.get("webSearch.callsPerSession"),
    timeoutMs: values.get("webSearch.timeoutMs"),
  }
}

const keyVariables = [
  ["brave", "BRAVE_API_KEY"],
  ["tavily", "TAVILY_API_KEY"],
  ["google", "GOOGLE_API_KEY"],
  ["baidu", "BAIDU_API_KEY"],
] as const

/** The proxy of the user's configuration; variables of the environment count only where it says so. */
export function proxyOf(
  { configuration: { values } }: { readonly configuration: Configuration },
  env: Environment,
): ProxyOptions | undefined {
  const proxy = values.get("net.proxy")
  if (proxy === undefined) return undefined
  if (proxy !== "environment") return { http: proxy, https: proxy }
  const named = (name: string) => env[name.toLowerCase()] ?? env[name]
  const [http, https, none] = [named("HTTP_PROXY"), named("HTTPS_PROXY"), named("NO_PROXY")]
  const noProxy = none ? none.split(",").map((host) => host.trim()) : undefined
  return { http: http || undefined, https: https || undefined, noProxy }
}
