import { ToolError } from "@haft/contract"
import { answerJson, rowsAt, textAt, valueAt } from "../answer-json.js"
import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"

/**
 * Google by its Programmable Search JSON API (https://developers.google.com/custom-search/v1/using_rest): the user's key,
 * and an endpoint with the id of a search engine, `https://www.googleapis.com/customsearch/v1?cx=ID`.
 */
export const google: Provider = {
  id: "google",
  label: "Google",
  request: ({ text, count }, { base, key = "" }) => {
    const num = String(Math.min(count, maxCount))
    const url = new URL(providerAddress(base, "/customsearch/v1", { q: text, num, key }))
    if (!url.searchParams.get("cx")) throw noEngine()
    // A key goes to the place that it is for and nowhere else.
    return { url: url.href, headers: { accept: "application/json" }, maxRedirects: 0 }
  },
  async read(answer) {
    const json = answerJson(answer)
    // Without results the list is left out.
    if (valueAt(json, "items") === undefined && valueAt(json, "searchInformation") !== undefined) return []
    return rowsAt(json, "items").map((row) => ({
      title: textAt(row, "title"),
      url: textAt(row, "link"),
      snippet: textAt(row, "snippet"),
    }))
  },
}

const maxCount = 10

function noEngine(): ToolError {
  return new ToolError("not_configured", "its endpoint names no search engine", {
    fix: "Set webSearch.endpoints.google to https://www.googleapis.com/customsearch/v1?cx=ID, with the id of your engine",
  })
}
