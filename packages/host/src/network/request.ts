import { hostName } from "../address/destination.js"
import { FetchFailure } from "./failure.js"

/** Where one hop of a request goes. */
export interface Target {
  /** Without user name, password and fragment; its host is spelled like `host`. */
  readonly url: URL
  /** The one spelling of the host that is judged and dialled. */
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

/** Reads an address; only http and https lead anywhere. */
export function parseTarget(spelled: string): Target {
  if (!URL.canParse(spelled)) {
    throw new FetchFailure("invalid_args", "it is no address; write it like https://example.org/page")
  }
  const url = new URL(spelled)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchFailure("invalid_args", `only http and https can be fetched, not "${url.protocol}"`)
  }
  const isSecure = url.protocol === "https:"
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port)
  const host = hostName(url.hostname)
  if (host === undefined || port === 0) {
    throw new FetchFailure("invalid_args", `"${url.host}" is no host; write it like https://example.org/page`)
  }
  url.username = ""
  url.password = ""
  url.hash = ""
  // The final dot of a name is not sent either: what was judged is what the server is asked for.
  if (url.hostname.endsWith(".")) url.hostname = host
  return { url, host, port, isSecure }
}

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
