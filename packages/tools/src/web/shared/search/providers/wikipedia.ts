import { ToolError } from "@haft/contract"
import { answerJson, rowsAt, textAt } from "../answer-json.js"
import type { RawResult } from "../found-result.js"
import { plainText } from "../plain-text.js"
import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"

/** Wikipedia, or any other MediaWiki, through its query interface; needs no key. */
export const wikipedia: Provider = {
  id: "wiki",
  label: "Wikipedia",
  request: ({ text, count }, { base }) => ({
    url: providerAddress(base, "/w/api.php", {
      action: "query",
      list: "search",
      srsearch: text,
      srlimit: String(count),
      srprop: "snippet",
      // Where the articles are differs from wiki to wiki, so it is asked in the same request.
      meta: "siteinfo",
      siprop: "general",
      format: "json",
      formatversion: "2",
    }),
    headers: { accept: "application/json" },
  }),
  async read(answer) {
    const json = answerJson(answer)
    const refusal = textAt(json, "error", "info")
    if (refusal !== undefined) throw new ToolError("backend", `it refused the query: ${refusal.slice(0, 200)}`)
    const server = textAt(json, "query", "general", "server") ?? ""
    const articlePath = textAt(json, "query", "general", "articlepath") ?? "/wiki/$1"
    const toResult = (row: unknown): RawResult => {
      const title = textAt(row, "title") ?? ""
      const url = title === "" ? undefined : `${server}${articlePath.replace("$1", () => articleName(title))}`
      return { title, url, snippet: plainText(textAt(row, "snippet") ?? "") }
    }
    return rowsAt(json, "query", "search").map(toResult)
  },
}

/** A title as the address of its article has it; the URL parser escapes the rest. */
function articleName(title: string): string {
  return title.replaceAll(" ", "_").replaceAll("%", "%25").replaceAll("?", "%3F").replaceAll("#", "%23")
}
