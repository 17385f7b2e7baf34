import { isIP } from "node:net"
import { covers, type Destination, destinationText, hostName } from "../address/destination.js"
import { type AddressRules, type AddressVerdict, isLocalName, judgeAddresses } from "../address/judge-addresses.js"
import type { ChooseProxy, ProxyPlace } from "../network/choose-proxy.js"
import type { Decision } from "./decision.js"

export interface Reach extends AddressRules {
  /** Public destinations of this command. */
  readonly destinations: readonly Destination[]
  /** Destinations that may be reached whatever their address is, because the user named them. */
  readonly named: readonly Destination[]
  /** Which proxy of the user's configuration is used for a destination; without it none is. */
  readonly chooseProxy?: ChooseProxy
}

/** How a destination is spoken with: a stream of the client's own, or requests that the proxy itself sends on. */
export type Carriage = "stream" | "request"

/** A decision; when it allows, with the addresses to dial: the name is not looked up again. */
export interface Judgement extends Decision {
  /** Of the destination, or of the proxy when there is one. */
  readonly addresses: readonly string[]
  readonly proxy?: ProxyPlace
}

/** Decides about one connection, before a byte of it is sent. */
export async function judgeDestination(
  spelled: string,
  port: number,
  reach: Reach,
  carriage: Carriage = "stream",
): Promise<Judgement> {
  const host = hostName(spelled)
  const refuse = (reason: string, fix?: string): Judgement => {
    return { host: host ?? spelled, port, allowed: false, reason, addresses: [], ...(fix !== undefined && { fix }) }
  }
  if (host === undefined) return refuse(`"${printable(spelled)}" is no host name`)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return refuse(`${port} is no port`)
  const isNamed = reach.named.some((grant) => !grant.below && covers(grant, host, port))
  if (!isNamed && !reach.destinations.some((grant) => covers(grant, host, port))) {
    return refuse(`no rule allows ${destinationText(host, port)}`, fixFor(host, port))
  }
  const proxy = reach.chooseProxy?.({ host, port, isSecure: carriage === "stream" }, undefined)?.place
  const verdict = await judgeWay(host, port, { ...reach, isNamed }, proxy)
  if (verdict.kind === "reachable") {
    const reason = isNamed ? "named by the user" : "allowed by a rule"
    return { host, port, allowed: true, reason, addresses: verdict.addresses, ...(proxy && { proxy }) }
  }
  return refuse(verdict.reason, verdict.kind === "refused" ? verdict.fix : undefined)
}

/** As for the requests of tools: a proxy looks names up itself, so that only what needs no looking up is judged here. */
async function judgeWay(
  host: string,
  port: number,
  rules: AddressRules & { readonly isNamed: boolean },
  proxy: ProxyPlace | undefined,
): Promise<AddressVerdict> {
  if (!proxy) return judgeAddresses(host, port, rules)
  if (isIP(host) !== 0 || isLocalName(host)) {
    const verdict = await judgeAddresses(host, port, rules)
    if (verdict.kind !== "reachable") return verdict
  }
  return judgeAddresses(proxy.host, proxy.port, { ...rules, isNamed: true })
}

function fixFor(host: string, port: number): string {
  if (isIP(host) !== 0 || isLocalName(host)) {
    return `Allow it with --grant-net ${destinationText(host, port)}`
  }
  return `Allow it with --allow 'net.fetch(${port === 443 ? host : destinationText(host, port)})'`
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?")
}
