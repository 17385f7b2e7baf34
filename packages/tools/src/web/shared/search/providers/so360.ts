import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"
import { type ResultPage, readResultPage } from "../result-page.js"
import { pageHeaders } from "./page-headers.js"

/** 360 Search through its result page; needs no key. */
export const so360: Provider = {
  id: "so360",
  label: "360 Search",
  request: ({ text }, { base }) => ({
    url: providerAddress(base, "/s", { q: text, ie: "utf-8" }),
    headers: pageHeaders,
  }),
  async read(answer, reading) {
    const rows = await readResultPage(answer, page, reading)
    // The link only counts the click; the address itself is given beside it for most results.
    return rows.map(({ title, url, direct, snippet }) => ({ title, url: direct || url, snippet }))
  },
}

const page: ResultPage = {
  row: "li.res-list",
  fields: {
    title: "h3 a",
    url: "h3 a@href",
    direct: "h3 a@data-mdurl",
    snippet: ".res-desc, .res-list-summary, .res-rich, .res-comm-con",
  },
  nothing: "#no-result, .no-result",
  challenge: "[id*='captcha' i], form[action*='captcha' i]",
  challengeAddress: /\bqcaptcha\b|\/captcha/,
}
