import { type HttpResponse, ToolError } from "@haft/contract"
import { shownAddress } from "./web-address.js"

/** The failure behind a status other than 2xx, with the beginning of what the server says. */
export function statusFailure({ url, status, statusText, headers }: HttpResponse, words: string): ToolError {
  const answer = `Cannot fetch "${shownAddress(url)}": the server answers ${[status, statusText].filter(Boolean).join(" ")}`
  const excerpt = words.replace(/\s+/g, " ").trim().slice(0, 200)
  const message = excerpt === "" ? answer : `${answer}: ${excerpt}`
  if (status === 404 || status === 410) {
    return new ToolError("not_found", message, {
      hint: ["Check the address", { say: "Search for the page with {tool:web_search|web_search_engines}" }],
    })
  }
  if (status === 429) {
    const wait = headers["retry-after"]
    const hint = wait === undefined ? "Wait before the next call to this host" : `Wait ${waitWords(wait)}`
    return new ToolError("rate_limited", message, { hint, details: { retry_after: wait } })
  }
  if (status >= 500) return new ToolError("unavailable", message, { hint: "Try again later" })
  return new ToolError("backend", message, { hint: statusHints[status] ?? "Try another address" })
}

function waitWords(retryAfter: string): string {
  return /^\d+$/.test(retryAfter) ? `${retryAfter} seconds` : `until ${retryAfter.slice(0, 40)}`
}

const statusHints: Readonly<Record<number, string>> = {
  401: "The page needs a login, which this tool has not; try another source",
  403: "The site refuses this client; try another source",
  402: "The page is paid for; try another source",
  451: "The page is not available here for legal reasons; try another source",
}
