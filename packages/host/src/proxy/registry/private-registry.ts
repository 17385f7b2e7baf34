import { ToolError } from "@haft/contract"
import { hostName } from "../../address/destination.js"
import { FetchFailure } from "../../network/failure.js"
import { requestHeaders } from "../../network/request.js"

/** A registry that wants to know who asks. What proves it never enters a sandbox: it is added to requests outside. */
export interface PrivateRegistry {
  /** How the user calls it. */
  readonly name: string
  /** An https address; what is below its path gets the header. */
  readonly address: string
  /** The name of the header, for instance `authorization`. */
  readonly header: string
  /** What is before the secret in the header, for instance `Bearer`. */
  readonly scheme?: string
  /** The secret; asked for when a command first needs it. May throw what the user should do. */
  readonly secret: () => string
  /** Certificates of authorities that the registry's own may come from, beside the usual ones; PEM text. */
  readonly authorities?: readonly string[]
}

/** A registry as the proxy of a sandbox knows it. */
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
 * path of the registry. A path that a server may understand as leading out of it gets none.
 */
export function carriesHeader({ path }: OpenRegistry, method: string, pathname: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false
  return `${pathname}/`.startsWith(path) && !leadsOut(pathname)
}

function unusable(name: string, reason: string): ToolError {
  return new ToolError("not_configured", `Cannot use the private registry "${name}": ${reason}`, {
    fix: `Correct net.registries.${name} in your configuration, then run: haft doctor`,
  })
}

/**
 * Whether any server might understand a path as leading out of where it begins: `..` in whatever spelling, decoded more than
 * once, followed by whatever servers cut off.
 */
function leadsOut(pathname: string): boolean {
  // What is no text is read differently by each server.
  if (!isText(pathname)) return true
  let plain = pathname
  for (let round = 0; round < maxRounds; round += 1) {
    const decoded = plain.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    if (decoded === plain) return upwards.test(plain)
    plain = decoded
  }
  return true
}

// A slash in the name of a package is encoded once, by some clients twice.
const maxRounds = 8

// A control character may end a name where a server is written in C.
const upwards = /(?:^|[\\/])\.\.|[\0-\x1f\x7f]/

function isText(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
