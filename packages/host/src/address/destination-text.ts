import { isIP } from "node:net"

/** How a host and port are written for people and in grants. */
export function destinationText(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}
