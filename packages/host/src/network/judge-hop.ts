import { isIP } from "node:net"
import type { NetworkGrant } from "@haft/contract"
import { covers, type Destination } from "../address/destination.js"
import { type AddressRules, isLocalName, judgeAddresses } from "../address/judge-addresses.js"
import type { ChooseProxy, ProxyPlace } from "./choose-proxy.js"
import { FetchFailure } from "./failure.js"
import type { Target } from "./request.js"

/** One hop that may be made, with the only addresses that may be dialled for it. */
export interface JudgedHop {
  readonly target: Target
  /** Of the target, or of the proxy when there is one. */
  readonly addresses: readonly string[]
  readonly proxy?: ProxyPlace
}

/** What hops are judged by, besides the grant of the call. */
export interface HopRules extends AddressRules {
  /** What the user named; reachable whatever its address is. */
  readonly named: readonly Destination[]
  readonly chooseProxy: ChooseProxy
}

/** Decides about one hop before anything of it is sent; the name is asked for only when the grant admits it. */
export async function judgeHop(
  target: Target,
  request: { readonly grant: NetworkGrant; readonly proxy?: string | undefined },
  rules: HopRules,
): Promise<JudgedHop> {
  const { host, port } = target
  admit(request.grant, host, port)
  const chosen = rules.chooseProxy(target, request.proxy)
  if (!chosen) return { target, addresses: await addressesOf(host, port, isNamed(rules, host, port), rules) }
  const { place, namedBy } = chosen
  // Its name is looked up by the proxy, so only what needs no looking up can be judged here.
  if (isIP(host) !== 0 || isLocalName(host)) await addressesOf(host, port, isNamed(rules, host, port), rules)
  if (namedBy === "request") admit(request.grant, place.host, place.port)
  const mayBeInner = namedBy === "user" || isNamed(rules, place.host, place.port)
  return { target, proxy: place, addresses: await addressesOf(place.host, place.port, mayBeInner, rules) }
}

const elsewhere = "Use another address, or go on without it"

function admit(grant: NetworkGrant, host: string, port: number): void {
  const verdict = grant.admitsHost(host, port)
  if (!verdict.allowed) throw new FetchFailure("denied", verdict.reason, elsewhere, verdict.fix)
}

/** A wildcard is no name: the owner of the suffix could let it resolve to any address. */
function isNamed({ named }: HopRules, host: string, port: number): boolean {
  return named.some((grant) => !grant.below && covers(grant, host, port))
}

async function addressesOf(
  host: string,
  port: number,
  named: boolean,
  rules: AddressRules,
): Promise<readonly string[]> {
  const verdict = await judgeAddresses(host, port, { ...rules, isNamed: named })
  if (verdict.kind === "reachable") return verdict.addresses
  if (verdict.kind === "refused") throw new FetchFailure("denied", verdict.reason, elsewhere, verdict.fix)
  throw new FetchFailure("unavailable", verdict.reason, "Check the spelling, and whether this machine has a network")
}
