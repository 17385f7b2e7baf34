import type { Provider } from "../provider.js"
import { providerAddress } from "../provider-address.js"
import { type ResultPage, readResultPage } from "../result-page.js"
import { pageHeaders } from "./page-headers.js"

/** DuckDuckGo through its pages for browsers without scripts; needs no key. */
export const duckDuckGo: Provider = {
  id: "ddg",
  label: "DuckDuckGo",
  request: ({ text }, { base }) => ({
    url: providerAddress(base, "/html/", { q: text }),
    headers: pageHeaders,
  }),
  async read(answer, reading) {
    const rows = await readResultPage(answer, page, reading)
    return rows
      .filter(({ url }) => !isAdvertisement(url))
      .map(({ title, url, snippet }) => ({ title, url: unwrapped(url), snippet }))
  },
}

const page: ResultPage = {
  row: "div.result:not(.result--ad):not(.result--no-result)",
  fields: { title: "a.result__a", url: "a.result__a@href", snippet: ".result__snippet" },
  nothing: ".result--no-result, .no-results",
  challenge: ".anomaly-modal__title, #challenge-form, form[action*='anomaly.js']",
}

/** The address behind `//duckduckgo.com/l/?uddg=...`, which only counts the click. */
function unwrapped(address: string): string {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
  if (url?.pathname !== "/l/") return address
  return url.searchParams.get("uddg") ?? address
}

function isAdvertisement(address: string): boolean {
  return URL.canParse(address, origin) && new URL(address, origin).pathname === "/y.js"
}

const origin = "https://duckduckgo.com"
