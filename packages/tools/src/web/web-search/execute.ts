import type { Execute } from "@haft/contract"
import { askProvider } from "../shared/search/ask-provider.js"
import { countSearch } from "../shared/search/count-search.js"
import { searchQuery } from "../shared/search/search-query.js"
import { chooseProvider } from "./choose-provider.js"
import type { manifest } from "./index.js"

/** Asks the provider of the session, within the calls and the time that the settings allow. */
export const execute: Execute<typeof manifest> = async ({ query, max_results: count }, context) => {
  const { webSearchSettings: settings, memory, sessionId } = context
  const text = searchQuery(query)
  const provider = chooseProvider(settings, sessionId)
  await countSearch(memory, settings)
  context.setState({ provider: provider.id })
  const found = await askProvider(provider, { text, count, timeoutMs: settings.timeoutMs }, context)
  const distinct = found.filter(({ url }, index) => found.findIndex((other) => other.url === url) === index)
  return { results: distinct.slice(0, count).map(({ title, url, snippet }) => ({ title, url, snippet })) }
}
