import type { HostName } from "../command-analysis.js"
import type { Argument } from "./findings.js"

/** The host that an address names; undefined when that cannot be known for sure. */
export function hostOf(address: string): HostName | undefined {
  // Programs disagree about these, so an address with them is not taken apart here.
  if (/[\s\\{}[\]<>"'`|^]/.test(address.replace(/^([a-z]+:\/\/(?:[^/@]*@)?)\[[0-9a-f:.]+\]/i, "$1"))) return undefined
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(address) ?? ["", "http", address]
  const authority = rest!.split(/[/?#]/, 1)[0]!
  const named = /^(?:[^@]*@)?(\[[0-9a-f:.]+\]|[^:@[\]]+)(?::(\d{1,5}))?$/i.exec(authority)
  if (!named) return undefined
  const port = named[2] === undefined ? ports.get(scheme!.toLowerCase()) : Number(named[2])
  return { host: named[1]!.toLowerCase(), ...(port === undefined ? {} : { port }) }
}

/**
 * The host of an address as it is among words: one with a wildcard in it (`?a=1` without quotes) is what is written
 * unless a file has such a name, so that its host counts as well.
 */
export function hostOfWord(address: Argument): HostName | undefined {
  if (address.kind !== "literal" && address.kind !== "names") return undefined
  const host = hostOf(address.text)
  return host === undefined || host.host.includes("*") ? undefined : host
}

/** The file that a `file:` address names. */
export function fileOf(address: string): string | undefined {
  return /^file:\/\/(?:localhost|127\.0\.0\.1)?(\/.*)$/i.exec(address)?.[1] ?? /^file:(\/[^/].*)$/i.exec(address)?.[1]
}

/** The host of `user@host:path` or `host:path`, as ssh and git write it. */
export function remoteHostOf(place: string): HostName | undefined {
  const found = /^(?:[^@/\s]+@)?([A-Za-z0-9._-]+|\[[0-9a-f:.]+\]):(?!\/\/)/.exec(place)
  return found ? { host: found[1]!.toLowerCase(), port: 22 } : undefined
}

const ports: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ssh", 22],
  ["git", 9418],
  ["ftp", 21],
  ["ws", 80],
  ["wss", 443],
])
