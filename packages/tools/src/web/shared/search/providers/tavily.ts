import { answerJson, rowsAt, textAt } from "../answer-json.js"
import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"

/** Tavily, with the user's key. */
export const tavily: Provider = {
  id: "tavily",
  label: "Tavily",
  request: ({ text, count }, { base, key = "" }) => ({
    url: providerAddress(base, "/search"),
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: text, max_results: Math.min(count, maxCount), search_depth: "basic" }),
    // A key goes to the place that it is for and nowhere else.
    maxRedirects: 0,
  }),
  async read(answer) {
    return rowsAt(answerJson(answer), "results").map((row) => ({
      title: textAt(row, "title"),
      url: textAt(row, "url"),
      snippet: textAt(row, "content"),
      published: textAt(row, "published_date"),
    }))
  },
}

const maxCount = 20
