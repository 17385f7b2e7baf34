import type { Execute } from "@haft/contract"
import { manifest } from "./manifest.js"

/** Asks the index of the session, which also offers what was found. */
export const execute: Execute<typeof manifest> = async ({ query, max_results }, { tools }) => {
  // Whoever calls it has found it already.
  const matches = tools.search(query, { max: max_results }).filter(({ id }) => id !== manifest.id)
  return { matches: matches.map(({ id, description }) => ({ id, description })) }
}
