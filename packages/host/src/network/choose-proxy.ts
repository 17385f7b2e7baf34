import { isIP } from "node:net"
import { bestEffort, ToolError } from "@haft/contract"
import { destinationText, hostName } from "../address/destination.js"
import { isLocalName } from "../address/judge-addresses.js"
import { isPublicAddress } from "../address/public-address.js"
import { FetchFailure, shownUrl } from "./failure.js"
import type { Target } from "./request.js"

/** The proxies of the user's own configuration. */
export interface ProxySettings {
  /** For http addresses. */
  readonly http?: string
  /** For https addresses. */
  readonly https?: string
  /** Hosts that are reached without them: `host`, `host:port`, `.suffix` or `*`. */
  readonly noProxy?: readonly string[]
}

/** A proxy, and whether the user named it or the request did. */
export interface ChosenProxy {
  readonly place: ProxyPlace
  readonly namedBy: "user" | "request"
}

/** What the choice depends on. */
export type ProxyTarget = Pick<Target, "host" | "port" | "isSecure">

/** Which proxy a hop goes through, if any; given the proxy that the request itself named. */
export type ChooseProxy = (target: ProxyTarget, named: string | undefined) => ChosenProxy | undefined

/** Reads the settings once; a request may still name a proxy of its own. */
export function createProxyChoice(settings: ProxySettings = {}): ChooseProxy {
  const [http, https] = [readSetting(settings.http), readSetting(settings.https)]
  const exempt = settings.noProxy ?? []
  return (target, named) => {
    if (named !== undefined) return { place: readNamed(named), namedBy: "request" }
    const place = target.isSecure ? https : http
    if (!place || isInner(target.host) || exempt.some((entry) => exempts(entry, target))) return undefined
    return { place, namedBy: "user" }
  }
}

function readSetting(text: string | undefined): ProxyPlace | undefined {
  if (text === undefined || text === "") return undefined
  const place = parseProxy(text)
  if (place) return place
  throw new ToolError("not_configured", `Cannot use the proxy "${shownUrl(text)}": ${expected}`)
}

function readNamed(text: string): ProxyPlace {
  const place = parseProxy(text)
  if (place) return place
  throw new FetchFailure("invalid_args", `"${shownUrl(text)}" is no proxy; ${expected}`)
}

const expected = 'write it like "http://proxy.example:3128" or "socks5://proxy.example:1080"'

/** Another machine's proxy would understand such a host as a place of its own. */
function isInner(host: string): boolean {
  return isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host))
}

function exempts(entry: string, { host, port }: ProxyTarget): boolean {
  if (isIP(entry) !== 0) return hostName(entry) === host
  const [, name, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
  if (name === "*") return true
  const suffix = name?.replace(/^\*?\./, "")
  if (!suffix || (onlyPort !== undefined && Number(onlyPort) !== port)) return false
  return host === suffix || host.endsWith(`.${suffix}`)
}

/** A proxy that requests go through. */
export interface ProxyPlace {
  readonly kind: "http" | "socks5"
  readonly host: string
  readonly port: number
  readonly user?: { readonly name: string; readonly password: string }
}

/** Reads `http://host:port` or `socks5://user:password@host:port`; undefined for anything else. */
function parseProxy(text: string): ProxyPlace | undefined {
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
  return bestEffort("credentials that are not well encoded are none", () => decodeURIComponent(text))
}
