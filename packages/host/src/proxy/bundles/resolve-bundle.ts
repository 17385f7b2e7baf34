import { type Destination, parseDestination } from "../../address/destinations.js"
import { aptAddresses } from "./apt.js"
import { cargoAddresses } from "./cargo.js"
import { gitAddresses } from "./git.js"
import type { FoundSetting, Machine } from "./machine.js"
import { npmAddresses } from "./npm.js"
import { pipAddresses } from "./pip.js"

const bundles = {
  npm: { addresses: npmAddresses, uploads: true, ofUser: true },
  pip: { addresses: pipAddresses, uploads: true, ofUser: true },
  cargo: { addresses: cargoAddresses, uploads: true, ofUser: true },
  apt: { addresses: aptAddresses, uploads: false, ofUser: true },
  // A repository names its own remotes, so they are no word of the user.
  git: { addresses: gitAddresses, uploads: true, ofUser: false },
} as const

/** The bundles whose hosts come from settings of this machine. */
export const bundleNames = Object.keys(bundles) as readonly (keyof typeof bundles)[]

/** The destinations of a bundle. */
export interface ResolvedBundle {
  readonly destinations: readonly Destination[]
  /** Some of them take uploads, to whoever has a credential; none is inside the wall. */
  readonly uploads: boolean
  /** They are in the user's own settings, so an address that is not public is meant. */
  readonly ofUser: boolean
  readonly settings: readonly BundleSetting[]
  /** Files with certificates that the package manager trusts. */
  readonly certificates: readonly string[]
}

/** An address of the user's settings, and the variable that tells a package manager the same. */
export interface BundleSetting {
  readonly variable: string
  /** Without user and password. */
  readonly address: string
  readonly destination: Destination
  /** Further variables, where the registry is a private one. */
  readonly besides?: Readonly<Record<string, string>>
}

/** Finds the hosts of `@npm`, `@pip`, `@cargo`, `@apt` or `@git` in settings of this machine; none is written down here. */
export async function resolveBundle(name: string, machine: Machine): Promise<ResolvedBundle | undefined> {
  const bare = name.replace(/^@/, "")
  if (!Object.hasOwn(bundles, bare)) return undefined
  const { addresses, uploads, ofUser } = bundles[bare as keyof typeof bundles]
  const found: readonly FoundSetting[] = await addresses(machine)
  const distinct = new Map<string, Destination>()
  const settings: BundleSetting[] = []
  const certificates: string[] = []
  for (const one of found) {
    if (typeof one === "object" && "certificates" in one) {
      certificates.push(one.certificates)
      continue
    }
    const { address, variables, besides } = typeof one === "string" ? { ...noVariables, address: one } : one
    const [destination] = destinationOf(address)
    if (!destination) continue
    distinct.set(`${destination.below}${destination.host}:${destination.port}`, destination)
    const shown = address.replace(/\/\/[^@/]*@/, "//")
    settings.push(
      ...variables.map((variable) => ({ variable, address: shown, destination, ...(besides && { besides }) })),
    )
  }
  return { destinations: [...distinct.values()], uploads, ofUser, settings, certificates }
}

const noVariables: { readonly variables: readonly string[]; readonly besides?: undefined } = { variables: [] }

const defaultPorts: Readonly<Record<string, number>> = { "https:": 443, "http:": 80, "ssh:": 22, "git:": 9418 }

function destinationOf(address: string): readonly Destination[] {
  const [, scheme, host, port] =
    /^(?:sparse\+|git\+)?(https?:|ssh:|git:)\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/?#\s]+)(?::(\d+))?/.exec(address) ?? []
  if (scheme === undefined || host === undefined) return []
  const destination = parseDestination(`${host}:${port ?? defaultPorts[scheme]}`)
  return destination ? [destination] : []
}
