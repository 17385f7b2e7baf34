import { defineDialectTool } from "@haft/contract"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { durationMs } from "./duration-ms.js"

interface Digest {
  readonly bytes: number
  readonly code: number
  readonly code_text: string
  readonly result: string
  readonly duration_ms: number
  readonly url: string
}

/** `WebFetch`: a preview of a page, or its title. */
export const webFetchRow = defineDialectTool({
  name: "WebFetch",
  tool: "web_digest",
  // claw's own text promises an answer to the prompt; no model is asked here, so it is not promised.
  description:
    "Fetch a URL, convert it into readable text, and give its beginning, or its title when the prompt asks for the title.",
  input: z.strictObject({ url: z.string().min(1), prompt: z.string() }),
  toArguments: (input) => input,
  toValue: (result) => {
    const { bytes, code, code_text, result: answer, duration_ms, url } = dataOf<Digest>(result)
    return { bytes, code, codeText: code_text, result: answer, durationMs: duration_ms ?? durationMs(result), url }
  },
  tier: "read-only",
})

const mostHits = 8

interface Hit {
  readonly title: string
  readonly url: string
}

/** `WebSearch`: eight hits of DuckDuckGo at most, first in words and then as data. */
export const webSearchRow = defineDialectTool({
  name: "WebSearch",
  tool: "web_search_engines",
  description: "Search the web for current information and return cited results.",
  input: z.strictObject({
    query: z.string().min(2),
    allowed_domains: z.array(z.string()).optional(),
    blocked_domains: z.array(z.string()).optional(),
  }),
  toArguments: (input) => ({ ...given(input), engines: ["ddg"], limit: mostHits }),
  toValue: (result, { query }) => {
    const hits = dataOf<{ readonly results: readonly Hit[] }>(result)
      .results.slice(0, mostHits)
      .map(({ title, url }) => ({ title, url }))
    return {
      query,
      results: [commentary(query, hits), { tool_use_id: "web_search_1", content: hits }],
      durationSeconds: durationMs(result) / 1000,
    }
  },
  tier: "read-only",
})

function commentary(query: string, hits: readonly Hit[]): string {
  const quoted = JSON.stringify(query)
  if (hits.length === 0) return `No web search results matched the query ${quoted}.`
  const lines = hits.map(({ title, url }) => `- [${title}](${url})`)
  return [`Search results for ${quoted}. Include a Sources section in the final answer.`, ...lines].join("\n")
}
