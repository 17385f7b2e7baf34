import { ToolError } from "@haft/contract"
import type { Provider, Search } from "./provider.js"

/** The failure of a search as its reader sees it: which provider, and why. */
export function providerFailed(error: ToolError, { label }: Provider, { timeoutMs }: Search): ToolError {
  if (error.code === "cancelled") return error
  const said = withoutAction(error.message)
  // A connection has less time than the search, and says so itself.
  const isWhole = error.code === "timeout" && !said.startsWith("no connection")
  const reason = isWhole ? `it did not answer within ${timeoutMs / 1000} s` : said
  return new ToolError(error.code, `Cannot search with ${label}: ${reason}`, {
    hint: error.steps.length === 0 && error.code !== "not_configured" ? "Try again later" : error.steps,
    fix: error.fix ?? "Set webSearch.provider to another one",
    cause: error,
    ...(error.details === undefined ? {} : { details: error.details }),
  })
}

/** The reason of such a failure alone, for a list that names the provider already. */
export function reasonOf(error: ToolError): string {
  return error.message.replace(/^Cannot search with [^:]*: /, "")
}

/** The reason in a message such as `Cannot fetch "https://...": the connection was refused`. */
function withoutAction(message: string): string {
  return message.replace(/^Cannot \w+ "[^"]*": /, "")
}
