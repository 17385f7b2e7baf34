import { ToolError } from "@haft/contract"
import { answerJson, rowsAt, textAt, valueAt } from "../answer-json.js"
import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"

/** A SearXNG server of the user's choice, which must offer results as JSON. */
export const searxng: Provider = {
  id: "searxng",
  label: "SearXNG",
  request: ({ text }, { base }) => ({
    url: providerAddress(base, "/search", { q: text, format: "json" }),
    headers: { accept: "application/json" },
  }),
  async read(answer) {
    const json = answerJson(answer)
    const rows = rowsAt(json, "results")
    if (rows.length === 0) refuseSilence(valueAt(json, "unresponsive_engines"))
    return rows.map((row) => ({
      title: textAt(row, "title"),
      url: textAt(row, "url"),
      snippet: textAt(row, "content"),
      published: textAt(row, "publishedDate"),
    }))
  },
}

/** No results because no engine behind the server answered is a failure and no answer. */
function refuseSilence(engines: unknown): void {
  if (!Array.isArray(engines) || engines.length === 0) return
  const named = engines
    .slice(0, 5)
    .map((engine) => (Array.isArray(engine) ? `${engine[0]} (${engine[1]})` : `${engine}`))
    .join(", ")
  throw new ToolError("unavailable", `the engines behind it did not answer: ${named.slice(0, 200)}`)
}
