import { ToolError } from "@haft/contract"

/** The address of a request below a provider's base URL. */
export function providerAddress(base: string, path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const url = baseUrl(base)
  const below = url.pathname.replace(/\/+$/, "")
  // Who configures the whole address means the same as who configures its beginning.
  url.pathname = below.endsWith(path) ? below : `${below}${path}`
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function baseUrl(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined
  if (url && (url.protocol === "http:" || url.protocol === "https:")) {
    url.hash = ""
    return url
  }
  throw new ToolError("not_configured", `its endpoint "${base}" is no http or https address`, {
    fix: "Correct webSearch.endpoints in the configuration",
  })
}
