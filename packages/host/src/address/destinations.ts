import { hostName } from "./host-name.js"

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
