import { ToolError } from "@haft/contract"
import { hostName } from "../../address/host-name.js"
import { FetchFailure } from "../../network/fetch-failure.js"
import { requestHeaders } from "../../network/request-headers.js"
import { climbsOut } from "./climbs-out.js"

/** A registry that wants to know who asks. What proves it never enters a wall: it is added to requests outside. */
export interface PrivateRegistry {
  /** How the user calls it. */
  readonly name: string
  /** An https address; what lies below its path gets the header. */
  readonly address: string
  /** The name of the header, for instance `authorization`. */
  readonly header: string
  /** What stands before the secret in the header, for instance `Bearer`. */
  readonly scheme?: string
  /** The secret; asked for when a command first needs it. May throw what the user should do. */
  readonly secret: () => string
  /** Certificates of authorities that the registry's own may come from, beside the usual ones; PEM text. */
  readonly authorities?: readonly string[]
}

/** A registry as the proxy of a wall knows it. */
export interface OpenRegistry {
  readonly name: string
  readonly host: string
  readonly port: number
  /** With a slash at its end. */
  readonly path: string
  readonly header: readonly [name: string, value: string]
  readonly authorities: readonly string[]
}

/** Where a registry is; refuses an address that would send the header in the clear. */
export function registryPlace({ name, address }: PrivateRegistry): Pick<OpenRegistry, "host" | "port" | "path"> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const host = url && hostName(url.hostname)
  if (url?.protocol !== "https:" || !host || url.username !== "" || url.password !== "" || url.search !== "") {
    throw unusable(name, `its address must be like "https://registry.example/path/", without user and query`)
  }
  return { host, port: url.port === "" ? 443 : Number(url.port), path: url.pathname.replace(/\/*$/, "/") }
}

/** Takes the secret from where the user keeps it. */
export function openRegistry(registry: PrivateRegistry): OpenRegistry {
  const { name, header, scheme, authorities = [] } = registry
  const place = registryPlace(registry)
  const secret = registry.secret()
  try {
    const text = scheme === undefined ? secret : `${scheme} ${secret}`
    const checked = requestHeaders({ [header]: text })
    return { name, ...place, header: [header.toLowerCase(), checked.get(header.toLowerCase())!], authorities }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw unusable(name, error.message)
  }
}

/**
 * Whether a request gets the header: only reading ones, so that nothing can be published from inside, and only below the
 * path of the registry. A path that a server may understand as climbing out of it gets none.
 */
export function carriesHeader({ path }: OpenRegistry, method: string, pathname: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false
  return `${pathname}/`.startsWith(path) && !climbsOut(pathname)
}

function unusable(name: string, reason: string): ToolError {
  return new ToolError("not_configured", `Cannot use the private registry "${name}": ${reason}`, {
    fix: `Correct net.registries.${name} in your configuration, then run: haft doctor`,
  })
}
