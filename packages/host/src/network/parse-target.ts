import { hostName } from "../address/host-name.js"
import { FetchFailure } from "./fetch-failure.js"

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
