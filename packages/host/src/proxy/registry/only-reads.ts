import type { IncomingHttpHeaders } from "node:http"

/**
 * Whether a GET or HEAD asks for nothing besides what its first line says. Some servers take the method or the path from a
 * header, and a body is for whoever wants to change something.
 */
export function onlyReads(headers: IncomingHttpHeaders): boolean {
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0) return false
  return !Object.keys(headers).some((name) => asksOtherwise.test(name))
}

const asksOtherwise =
  /^x[-_](?:http[-_])?method(?:[-_]override)?$|^x[-_](?:original|rewrite|override|forwarded)[-_](?:ur[il]|path|method)$/
