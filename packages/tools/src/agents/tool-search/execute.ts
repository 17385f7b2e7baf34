import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Asks the index of the session, which also offers what was found. */
export const execute: Execute<typeof manifest> = async ({ query, max_results }, { tools }) => {
  const matches = tools.search(query, { max: max_results })
  return { matches: matches.map(({ id, description }) => ({ id, description })) }
}
