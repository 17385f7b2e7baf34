import { answerJson, rowsAt, textAt, valueAt } from "../answer-json.js"
import type { RawResult } from "../found-result.js"
import { plainText } from "../plain-text.js"
import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"
import { type ResultPage, readResultPage } from "../result-page.js"
import { pageHeaders } from "./page-headers.js"

/** Brave Search: its interface for programs where the user has a key, else its result page. */
export const brave: Provider = {
  id: "brave",
  label: "Brave Search",
  request: ({ text, count }, { base, key }) =>
    key === undefined
      ? {
          url: providerAddress(base, "/search", { q: text, source: "web" }),
          headers: pageHeaders,
        }
      : {
          url: providerAddress(base, "/res/v1/web/search", {
            q: text,
            count: String(Math.min(count, maxCount)),
          }),
          headers: { accept: "application/json", "x-subscription-token": key },
          // A key goes to the place that it is for and nowhere else.
          maxRedirects: 0,
        },
  async read(answer, reading) {
    if (reading.access.key === undefined) return readResultPage(answer, page, reading)
    const json = answerJson(answer)
    // Without results the whole part for web pages is left out.
    if (valueAt(json, "web") === undefined && textAt(json, "type") === "search") return []
    return rowsAt(json, "web", "results").map(toResult)
  },
}

const maxCount = 20

const page: ResultPage = {
  row: "div.snippet[data-type='web']",
  fields: { title: ".title", url: "a@href", snippet: ".snippet-description, .generic-snippet" },
  nothing: "#no-results, .no-results",
  challenge: "#pow-captcha-content, .pow-captcha, [id*='captcha' i], form[action*='captcha' i], a[href*='pow-captcha']",
}

function toResult(row: unknown): RawResult {
  return {
    title: plainText(textAt(row, "title") ?? ""),
    url: textAt(row, "url"),
    snippet: plainText(textAt(row, "description") ?? ""),
    published: textAt(row, "page_age"),
  }
}
