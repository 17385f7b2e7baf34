import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"
import { type ResultPage, readResultPage } from "../result-page.js"
import { pageHeaders } from "./page-headers.js"

/** Sogou through its result page; needs no key. */
export const sogou: Provider = {
  id: "sogou",
  label: "Sogou",
  request: ({ text }, { base }) => ({
    url: providerAddress(base, "/web", { query: text, ie: "utf8" }),
    headers: pageHeaders,
  }),
  async read(answer, reading) {
    const rows = await readResultPage(answer, page, reading)
    // The link only counts the click; the address itself is given beside it for most results.
    return rows.map(({ title, url, direct, snippet }) => ({ title, url: direct || url, snippet }))
  },
}

const page: ResultPage = {
  row: "div.vrwrap, div.rb",
  fields: {
    title: "h3 a",
    url: "h3 a@href",
    direct: "[data-url]@data-url",
    snippet: ".space-txt, .text-layout, .str-text-info, .str_info, .star-wiki, .ft",
  },
  nothing: "#noresult_part1_container, .no-result, .noresult",
  challenge: "#seccodeForm, #seccodeImage, form[action*='antispider']",
  challengeAddress: /\/antispider\//,
}
