import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import type { Decision } from "./decision.js"
import { covers, type Destination } from "./destinations.js"
import { hostName } from "./host-name.js"
import { isLoopback, isPublicAddress } from "./public-address.js"

/** What may be reached. */
export interface Reach {
  /** Public destinations of this command. */
  readonly destinations: readonly Destination[]
  /** Destinations that may be reached whatever their address is, because the user named them. */
  readonly named: readonly Destination[]
  /** Ports of Haft itself on this machine; never reachable. */
  readonly ownPorts?: () => readonly number[]
  /** All addresses of a name; by default those that the system knows. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

/** A decision; when it allows, with the addresses to dial: the name is not looked up again. */
export interface Judgement extends Decision {
  readonly addresses: readonly string[]
}

/** Decides about one connection, before a byte of it is sent. */
export async function judgeDestination(spelled: string, port: number, reach: Reach): Promise<Judgement> {
  const host = hostName(spelled)
  const refuse = (reason: string): Judgement => ({ host: host ?? spelled, port, allowed: false, reason, addresses: [] })
  if (host === undefined) return refuse(`"${printable(spelled)}" is no host name`)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return refuse(`${port} is no port`)
  const isNamed = reach.named.some((grant) => !grant.below && covers(grant, host, port))
  if (!isNamed && !reach.destinations.some((grant) => covers(grant, host, port))) {
    return refuse(`no rule allows ${shown(host, port)}; ${remedy(host, port)}`)
  }
  const addresses = await addressesOf(host, reach.resolve)
  if (addresses.length === 0) return refuse(`the name ${host} has no address`)
  if (addresses.some((address) => isLoopback(address) && reach.ownPorts?.().includes(port))) {
    return refuse(`${shown(host, port)} is a port of Haft itself, which no rule can allow`)
  }
  // One address that is not public is enough: which of them is dialled is up to chance.
  const inner = addresses.find((address) => !isPublicAddress(address))
  if (inner !== undefined && !isNamed) {
    const what = inner === host ? "is" : `leads to ${inner}, which is`
    return refuse(`${host} ${what} not a public address; to allow it: --grant-net ${shown(host, port)}`)
  }
  return { host, port, allowed: true, reason: isNamed ? "named by the user" : "allowed by a rule", addresses }
}

function remedy(host: string, port: number): string {
  if (isIP(host) !== 0 || host === "localhost" || host.endsWith(".localhost")) {
    return `to allow it: --grant-net ${shown(host, port)}`
  }
  return `to allow it: --allow 'net.fetch(${port === 443 ? host : shown(host, port)})'`
}

async function addressesOf(host: string, resolve: Reach["resolve"]): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  if (resolve) return resolve(host)
  try {
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

function shown(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?")
}
