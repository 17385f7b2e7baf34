/** The providers in the order in which they stand wherever order matters. */
export const searchProviderIds = [
  "ddg",
  "wiki",
  "brave",
  "sogou",
  "so360",
  "searxng",
  "tavily",
  "google",
  "baidu",
] as const

/**
 * How the web is searched, from the user's own configuration and environment: nothing of it can be set by arguments.
 * Records are keyed by the id of a provider.
 */
export interface WebSearchSettings {
  /** The provider to ask, whatever the session; by default the session decides among those that can be asked. */
  readonly provider?: string | undefined
  /** Base URLs that replace the usual ones; SearXNG has no usual one. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
  readonly callsPerSession: number
  /** For one search, from the request to the results. */
  readonly timeoutMs: number
}

/** What holds where the user has configured nothing. */
export const defaultWebSearchSettings: WebSearchSettings = {
  endpoints: {},
  keys: {},
  callsPerSession: 25,
  timeoutMs: 15_000,
}
