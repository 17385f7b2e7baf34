import { FetchFailure } from "./fetch-failure.js"

/** HeaderMap by their name in lower case. */
export type HeaderMap = ReadonlyMap<string, string>

/** Checks the headers of a request and adds those that every request has. */
export function requestHeaders(given: Readonly<Record<string, string>> = {}): HeaderMap {
  const headers = new Map([
    ["user-agent", "Haft"],
    ["accept", "*/*"],
    ["accept-encoding", "gzip, deflate, br"],
  ])
  for (const [spelled, value] of Object.entries(given)) {
    const name = spelled.toLowerCase()
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name)) refuse(`"${spelled.slice(0, 100)}" is no name of a header`)
    if (ownedByConnection.has(name)) refuse(`the header "${spelled}" is set by the connection itself; leave it out`)
    if (typeof value !== "string" || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      refuse(`the value of the header "${spelled}" must be text of one line in Latin letters`)
    }
    headers.set(name, value)
  }
  return headers
}

/** HeaderMap that would make the server see another request than the one that was judged. */
const ownedByConnection = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

function refuse(reason: string): never {
  throw new FetchFailure("invalid_args", reason)
}
