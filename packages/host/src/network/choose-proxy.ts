import { isIP } from "node:net"
import { ToolError } from "@haft/contract"
import { hostName } from "../address/host-name.js"
import { isLocalName } from "../address/judge-addresses.js"
import { isPublicAddress } from "../address/public-address.js"
import { FetchFailure } from "./fetch-failure.js"
import type { Target } from "./parse-target.js"
import { type ProxyPlace, parseProxy } from "./proxy-place.js"
import { shownUrl } from "./shown-url.js"

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
