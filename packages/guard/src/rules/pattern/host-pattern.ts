import type { Destination } from "@haft/contract"
import { hostBundles, machineBundles } from "./host-bundles.js"
import { exact, fixedShape, numberOf, openEnd } from "./number.js"
import { patternError } from "./pattern-problem.js"

/** A compiled host pattern: hosts, or a suffix that others end with, and perhaps a port. */
export interface HostPattern {
  readonly kind: "host"
  readonly hosts: ReadonlySet<string>
  /** With its leading dot; the suffix itself does not match. */
  readonly suffix: string | undefined
  readonly port: number | undefined
  /** The one method of HTTP that it is about. */
  readonly method: string | undefined
  readonly number: number
}

/** Compiles `host`, `*.suffix` or `@bundle`, each with an optional `:port` and a method in front: `GET example.org`. */
export function parseHostPattern(pattern: string): HostPattern {
  const found = /^(?:([A-Z]{3,10}) +)?(@[\w-]+|\[[0-9a-f:.]+\]|(?:\*\.)?[^\s:/@*?#[\]]+)(?::(\d{1,5}))?$/i.exec(pattern)
  if (!found) throw patternError(pattern, hostProblem(pattern))
  const method = found[1]?.toUpperCase()
  const name = normalHost(found[2]!)
  const port = found[3] === undefined ? undefined : Number(found[3])
  const extra = (port === undefined ? 0 : 50) + (method === undefined ? 0 : 25)
  const place = { kind: "host", port, method } as const
  if (name.startsWith("@")) {
    return { ...place, hosts: bundle(name, pattern), suffix: undefined, number: numberOf(fixedShape, extra) }
  }
  if (name.startsWith("*.")) {
    const number = numberOf(openEnd, labels(name.slice(2)) + extra)
    return { ...place, hosts: new Set(), suffix: name.slice(1), number }
  }
  return { ...place, hosts: new Set([name]), suffix: undefined, number: numberOf(exact, labels(name) + extra) }
}

/** Whether a destination fits. A port or method that is not known fits a pattern that names one only in a strict comparison. */
export function matchesHost(pattern: HostPattern, subject: Destination, strict: boolean): boolean {
  const fits = (wanted: number | string | undefined, given: number | string | undefined) =>
    wanted === undefined || wanted === given || (strict && given === undefined)
  if (!fits(pattern.port, subject.port) || !fits(pattern.method, subject.method)) return false
  const host = normalHost(subject.host)
  return pattern.hosts.has(host) || (pattern.suffix !== undefined && endsWithLabel(host, pattern.suffix))
}

/** Whether every host of the inner pattern is one of the outer. */
export function hostInside(inner: HostPattern, outer: HostPattern): boolean {
  if (inner.number <= outer.number) return false
  if (outer.port !== undefined && outer.port !== inner.port) return false
  if (outer.method !== undefined && outer.method !== inner.method) return false
  if (inner.suffix !== undefined) return outer.suffix !== undefined && inner.suffix.endsWith(outer.suffix)
  return [...inner.hosts].every((host) =>
    matchesHost({ ...outer, port: undefined, method: undefined }, { host }, false),
  )
}

function endsWithLabel(host: string, suffix: string): boolean {
  return host.length > suffix.length && host.endsWith(suffix)
}

/** One spelling for a host: lower case, no final dot, and addresses of the sixth version without their brackets. */
export function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$|^\[|\]$/g, "")
}

function labels(host: string): number {
  return host.split(".").length
}

function bundle(name: string, pattern: string): ReadonlySet<string> {
  if (machineBundles.includes(name.slice(1))) return new Set([name])
  const hosts = Object.hasOwn(hostBundles, name.slice(1)) ? hostBundles[name.slice(1)] : undefined
  if (hosts) return new Set(hosts)
  const known = [...Object.keys(hostBundles), ...machineBundles].map((key) => `@${key}`)
  throw patternError(pattern, { reason: `there is no bundle ${name}`, fix: `write one of ${known.join(", ")}` })
}

function hostProblem(pattern: string): { reason: string; fix: string } {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]+)/i.exec(pattern)?.[1]
  if (host) return { reason: "it is an address, not a host", fix: `write "${host}"` }
  return { reason: "it is not a host", fix: 'write "example.org", "*.example.org" or "@docs", with ":port" if needed' }
}
