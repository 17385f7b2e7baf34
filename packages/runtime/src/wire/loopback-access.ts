import { createHash, timingSafeEqual } from "node:crypto"

/** The header that gives a request away. */
export type ForeignMark = "host" | "origin" | "sec-fetch-site"

/**
 * What says that another site made a browser send a request to a server on this machine: a foreign Host (DNS rebinding), a foreign
 * Origin, or what the browser itself says about where it comes from (CSRF). Programs send none of these marks. Without a port a
 * request may come through a forwarded one, as from a tunnel.
 */
export function foreignMark(header: (name: string) => string | undefined, port?: number): ForeignMark | undefined {
  const host = (header("host") ?? "").toLowerCase()
  const isOwn = port === undefined ? forwarded.test(host) : [`127.0.0.1:${port}`, `localhost:${port}`].includes(host)
  if (!isOwn) return "host"
  const origin = header("origin")
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`) return "origin"
  const site = header("sec-fetch-site")
  return site === undefined || site === "same-origin" || site === "none" ? undefined : "sec-fetch-site"
}

const forwarded = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/

/** Whether an `Authorization` header brings the token; takes the same time for every wrong one. */
export function bringsToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? ""
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
