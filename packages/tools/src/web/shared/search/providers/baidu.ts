import { ToolError } from "@haft/contract"
import { answerJson, rowsAt, textAt, valueAt } from "../answer-json.js"
import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"

/** Baidu by the search interface of its Qianfan platform (https://ai.baidu.com/ai-doc/AppBuilder/pmaxd1hvy), with a key. */
export const baidu: Provider = {
  id: "baidu",
  label: "Baidu",
  request: ({ text, count }, { base, key = "" }) => ({
    url: providerAddress(base, "/v2/ai_search/web_search"),
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({
      messages: [{ role: "user", content: text }],
      search_source: "baidu_search_v2",
      resource_type_filter: [{ type: "web", top_k: Math.min(count, maxCount) }],
    }),
    // A key goes to the place that it is for and nowhere else.
    maxRedirects: 0,
  }),
  async read(answer) {
    const json = answerJson(answer)
    const refusal = textAt(json, "message")
    // Some refusals come with status 200.
    if (valueAt(json, "references") === undefined && refusal !== undefined) {
      throw new ToolError("backend", `it refused: ${refusal.slice(0, 200)}`)
    }
    return rowsAt(json, "references").map((row) => ({
      title: textAt(row, "title"),
      url: textAt(row, "url"),
      snippet: textAt(row, "content"),
      published: textAt(row, "date"),
    }))
  },
}

const maxCount = 50
