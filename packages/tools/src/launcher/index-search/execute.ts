import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Asks the launcher's index. Searching is not using: nothing is counted. */
export const execute: Execute<typeof manifest> = async ({ query, limit }, { index, signal }) => {
  const { hits, denied } = await index.search(query, { limit, signal })
  return {
    results: hits.map(({ id, name, type, score }) => ({ id, name, type, score: Math.round(score * 10_000) / 10_000 })),
    ...(denied > 0 && { denied }),
  }
}
