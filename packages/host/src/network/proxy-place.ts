import { destinationText } from "../address/destination-text.js"
import { hostName } from "../address/host-name.js"

/** A proxy that requests go through. */
export interface ProxyPlace {
  readonly kind: "http" | "socks5"
  readonly host: string
  readonly port: number
  readonly user?: { readonly name: string; readonly password: string }
}

/** Reads `http://host:port` or `socks5://user:password@host:port`; undefined for anything else. */
export function parseProxy(text: string): ProxyPlace | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const kind = url && kinds[url.protocol]
  const host = url && hostName(url.hostname)
  if (!kind || !host || (url.pathname !== "" && url.pathname !== "/") || url.search !== "") return undefined
  const port = url.port === "" ? (kind === "http" ? 80 : 1080) : Number(url.port)
  const [name, password] = [decoded(url.username), decoded(url.password)]
  if (port === 0 || name === undefined || password === undefined) return undefined
  if (name === "" && password === "") return { kind, host, port }
  return { kind, host, port, user: { name, password } }
}

/** How a proxy is named in messages: never with its user. */
export function proxyText({ kind, host, port }: ProxyPlace): string {
  return `${kind}://${destinationText(host, port)}`
}

/** The names of the two protocols; `socks5h` is what others call a SOCKS5 proxy that looks names up, as ours do. */
const kinds: Readonly<Record<string, ProxyPlace["kind"]>> = {
  "http:": "http",
  "socks5:": "socks5",
  "socks5h:": "socks5",
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
