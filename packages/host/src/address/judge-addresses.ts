import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { bestEffort } from "@haft/contract"
import { destinationText } from "./destination.js"
import { isLoopback, isPublicAddress } from "./public-address.js"

/** What is known about addresses beside the addresses themselves. */
export interface AddressRules {
  /** Ports of Haft itself on this machine; never reachable. */
  readonly ownPorts?: () => readonly number[]
  /** All addresses of a name; by default those that the system knows. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

/** The addresses to dial, so that the name is not looked up again; or why there are none. */
export type AddressVerdict =
  | { readonly kind: "reachable"; readonly addresses: readonly string[] }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string; readonly fix?: string }

/** Looks a host up once and decides by its addresses. A destination that the user named may have any address. */
export async function judgeAddresses(
  host: string,
  port: number,
  { isNamed, ownPorts, resolve }: AddressRules & { readonly isNamed: boolean },
): Promise<AddressVerdict> {
  // These names mean this machine whatever a resolver says, so there is no need to ask one.
  if (!isNamed && isLocalName(host)) return notPublic(host, port, host)
  const addresses = await addressesOf(host, resolve)
  if (addresses.length === 0) return { kind: "unknown", reason: `the name ${host} has no address` }
  if (addresses.some((address) => isLoopback(address) && ownPorts?.().includes(port))) {
    const reason = `${destinationText(host, port)} is a port of Haft itself, which no rule can allow`
    return { kind: "refused", reason }
  }
  // One address that is not public is enough: which of them is dialled is up to chance.
  const inner = addresses.find((address) => !isPublicAddress(address))
  if (inner !== undefined && !isNamed) return notPublic(host, port, inner)
  return { kind: "reachable", addresses }
}

/** Whether a name means this machine by its spelling alone. */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost")
}

function notPublic(host: string, port: number, address: string): AddressVerdict {
  const what = address === host ? "is" : `leads to ${address}, which is`
  const fix = `Allow it with --grant-net ${destinationText(host, port)}`
  return { kind: "refused", reason: `${host} ${what} not a public address`, fix }
}

async function addressesOf(host: string, resolve: AddressRules["resolve"]): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  return (
    (await bestEffort("a name that cannot be resolved has no address", async () => {
      const answers = resolve
        ? await resolve(host)
        : (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
      // What is no address would be looked up again when it is dialled.
      return answers.every((answer) => isIP(answer) !== 0) ? answers : []
    })) ?? []
  )
}
