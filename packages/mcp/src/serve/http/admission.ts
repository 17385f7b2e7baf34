import type { IncomingMessage } from "node:http"
import { bringsToken, foreignMark } from "@haft/runtime"

/** Why a request is not served. */
export interface Refusal {
  readonly status: 401 | 403 | 404
  readonly message: string
}

/** Refuses pages of other sites first, then every request without the token. */
export function refusalOf({ url, headers }: IncomingMessage, token: string): Refusal | undefined {
  const header = (name: string) => headers[name]?.toString()
  const mark = foreignMark(header)
  if (mark === "host") return refused(403, "Forbidden: the Host header names another machine")
  if (mark) return refused(403, "Forbidden: the page is of another site")
  // Not read as an address: whatever a client writes there must not throw.
  if (url?.split("?", 1)[0] !== "/mcp") return refused(404, "Not found: the server is at /mcp")
  return bringsToken(headers.authorization, token)
    ? undefined
    : refused(401, "Unauthorized: the token is missing or wrong")
}

function refused(status: Refusal["status"], message: string): Refusal {
  return { status, message }
}
