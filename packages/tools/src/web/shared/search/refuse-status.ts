import { type HttpResponse, ToolError } from "@haft/contract"
import { answerText } from "./answer-text.js"
import { textAt } from "./answer-json.js"
import type { ProviderAccess } from "./provider.js"

/** Throws for a status that is no success. A challenge may well have one: finding it is for the reader of the page. */
export function refuseStatus(answer: HttpResponse, { key }: ProviderAccess): void {
  const { status, headers } = answer
  if (status >= 200 && status < 300) return
  if (status === 429) throw new ToolError("rate_limited", `it has had too many requests${retryAfter(headers)}`)
  if (key !== undefined && (status === 401 || status === 403)) {
    throw new ToolError("not_configured", `it refused the key (status ${status})`, {
      fix: "Give another key in the environment",
    })
  }
  if (status === 401 || status === 403) {
    throw new ToolError("unavailable", `it refused the request (status ${status})`, {
      fix: "Set webSearch.provider to another one; a SearXNG server must offer results as JSON (search.formats)",
    })
  }
  const words = (spokenReason(answer) ?? "").replaceAll(key ?? " ", " ").slice(0, 200)
  const reason = `it answered with status ${status}${words.trim() === "" ? "" : `: ${words}`}`
  throw new ToolError(status >= 500 ? "unavailable" : "backend", reason)
}

function retryAfter(headers: HttpResponse["headers"]): string {
  const seconds = headers["retry-after"]
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? `; it asks to wait ${seconds} s` : ""
}

/** What the body says about the failure, where it is JSON of a usual form. */
function spokenReason(answer: HttpResponse): string | undefined {
  if (!answer.headers["content-type"]?.includes("json")) return undefined
  try {
    const json: unknown = JSON.parse(answerText(answer))
    const places = [["error", "detail"], ["error", "info"], ["detail", "error"], ["detail"], ["message"], ["error"]]
    return places.map((path) => textAt(json, ...path)).find((words) => words !== undefined)
  } catch {
    return undefined
  }
}
