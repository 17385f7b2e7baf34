import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** Why a request is not served. */
export interface Refusal {
  readonly status: 401 | 403 | 404
  readonly message: string
}

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"])

/** Refuses whoever has not the token, and pages of other sites (DNS rebinding, CSRF) before that. */
export function refusalOf({ url, headers }: IncomingMessage, token: string): Refusal | undefined {
  if (!isLoopback(`http://${headers.host ?? ""}`))
    return refused(403, "Forbidden: the Host header names another machine")
  if (headers.origin !== undefined && !isLoopback(headers.origin))
    return refused(403, "Forbidden: the page is of another site")
  if (headers["sec-fetch-site"] === "cross-site") return refused(403, "Forbidden: the page is of another site")
  // Not read as an address: whatever a client writes there must not throw.
  if (url?.split("?", 1)[0] !== "/mcp") return refused(404, "Not found: the server is at /mcp")
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? ""
  return timingSafeEqual(digest(given), digest(token))
    ? undefined
    : refused(401, "Unauthorized: the token is missing or wrong")
}

function isLoopback(origin: string): boolean {
  try {
    return loopback.has(new URL(origin).hostname)
  } catch {
    return false
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}

function refused(status: Refusal["status"], message: string): Refusal {
  return { status, message }
}
