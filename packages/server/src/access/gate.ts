import { ToolError } from "@haft/contract"
import { foreignMark } from "@haft/runtime"

/** What of a request says where it comes from. */
export interface Visit {
  readonly method: string
  readonly path: string
  header(name: string): string | undefined
}

/** Refuses requests that another site made a browser send; a link to the page may come from anywhere. */
export function checkOrigin({ method, path, header }: Visit, port: number): void {
  const mark = foreignMark(header, port)
  const value = (name: string) => (header(name) ?? "").slice(0, 100)
  if (mark === "host") throw refused(`it was sent to "${value("host")}"`, `Use http://127.0.0.1:${port}/`)
  if (mark === "origin") throw refused(`a page of "${value("origin")}" made it`, "Open the workbench itself")
  if (mark === undefined || isNavigation({ method, path, header })) return
  throw refused("a page of another site made it", "Open the workbench itself")
}

/** Somebody followed a link to the page: it shows nothing without the token, and nothing can frame or script it. */
function isNavigation({ method, path, header }: Visit): boolean {
  const isPage = method === "GET" && !path.startsWith("/api/")
  return isPage && header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document"
}

function refused(reason: string, hint: string): ToolError {
  return new ToolError("denied", `Cannot take this request: ${reason}`, { hint })
}
