import { ToolError } from "@haft/contract"

/** What of a request says where it comes from. */
export interface Visit {
  readonly method: string
  readonly path: string
  header(name: string): string | undefined
}

/**
 * Refuses requests that another site made a browser send: a foreign Host (DNS rebinding), a foreign Origin, and whatever the
 * browser marks as coming from elsewhere. Programs send none of these marks and need the token alone.
 */
export function checkOrigin({ method, path, header }: Visit, port: number): void {
  const host = header("host") ?? ""
  if (!hostsOf(port).includes(host.toLowerCase())) {
    throw refused(`it was sent to "${host.slice(0, 100)}"`, `Use http://127.0.0.1:${port}/`)
  }
  const origin = header("origin")
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw refused(`a page of "${origin.slice(0, 100)}" made it`, "Open the workbench itself")
  }
  const site = header("sec-fetch-site")
  const isOwn = site === undefined || site === "same-origin" || site === "none"
  if (isOwn || isNavigation({ method, path, header })) return
  throw refused("a page of another site made it", "Open the workbench itself")
}

/** Somebody followed a link to the page: it shows nothing without the token, and nothing can frame or script it. */
function isNavigation({ method, path, header }: Visit): boolean {
  const isPage = method === "GET" && !path.startsWith("/api/")
  return isPage && header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document"
}

function hostsOf(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`]
}

function refused(reason: string, hint: string): ToolError {
  return new ToolError("denied", `Cannot take this request: ${reason}`, { hint })
}
