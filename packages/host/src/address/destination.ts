import { isIP } from "node:net"
import { domainToASCII } from "node:url"
import { ToolError } from "@haft/contract"

/** One place or group of places that may be reached. */
export interface Destination {
  readonly host: string
  /** Hosts that end with `.host`, but not the host itself. */
  readonly below: boolean
  readonly port: number
}

/** Reads `host`, `host:port`, `*.suffix`, `[v6]:port`; undefined for anything else. Without a port it is 443 alone. */
export function parseDestination(text: string): Destination | undefined {
  const found = /^(\*\.)?(\[[0-9a-fA-F:.%]+\]|[^\s:/@*?#[\]]+)(?::(\d{1,5}))?$/.exec(text.trim())
  const host = found && hostName(found[2]!)
  if (!found || !host) return undefined
  const port = found[3] === undefined ? 443 : Number(found[3])
  return port > 0 && port < 65_536 ? { host, below: found[1] !== undefined, port } : undefined
}

/** Whether a grant covers a host and port; both spelled as `hostName` gives them. */
export function covers(grant: Destination, host: string, port: number): boolean {
  if (grant.port !== port) return false
  return grant.below ? host.endsWith(`.${grant.host}`) : grant.host === host
}

/** How a host and port are written for people and in grants. */
export function destinationText(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}

/** The one spelling of a host that is judged and dialled: ASCII, lower case, no final dot; undefined for anything else. */
export function hostName(spelled: string): string | undefined {
  if (/[\0-\x20\x7f/\\@?#%*<>^|]/.test(spelled)) return undefined
  const bare = spelled.startsWith("[") && spelled.endsWith("]") ? spelled.slice(1, -1) : spelled
  if (isIP(bare) === 6) return new URL(`http://[${bare.replace(/%.*$/, "")}]/`).hostname.slice(1, -1)
  const ascii = domainToASCII(bare.replace(/\.$/, "")).toLowerCase()
  if (ascii === "" || ascii.length > 253 || !/^[a-z0-9_.-]+$/.test(ascii)) return undefined
  // Numbers in every disguise (0x7f.1, 2130706433) come out of the address parser as what they mean.
  const normal = URL.canParse(`http://${ascii}/`) ? new URL(`http://${ascii}/`).hostname : undefined
  if (normal === undefined || normal.split(".").some((label) => label === "" || label.length > 63)) return undefined
  return normal
}

/** Reads a destination that somebody named; anything else is refused. */
export function readGrant(text: string): Destination {
  const destination = parseDestination(text)
  if (destination) return destination
  throw new ToolError("invalid_args", `Cannot grant "${text}": it is no host; write "example.org" or "127.0.0.1:8080"`)
}
