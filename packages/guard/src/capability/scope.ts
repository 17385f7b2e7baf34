import {
  type CapabilityName,
  type Effect,
  type Hint,
  isInside,
  type Mode,
  type RequirementSet,
  type ShellRequirement,
} from "@haft/contract"
import { type HostPattern, parseHostPattern } from "../rules/pattern/host-pattern.js"
import { matchesPath, pathMatcher, pathOf } from "../rules/pattern/path-matcher.js"
import { type PathVariant, parsePathPattern } from "../rules/pattern/path-pattern.js"
import { expandHosts, type Variables } from "../variables.js"

/** A set of paths, compiled from patterns. */
export interface PathScope {
  /** The patterns with their variables expanded, for messages. */
  readonly places: readonly string[]
  contains(path: string): boolean
}

/** A requirement set, compiled for one session. */
export interface Scope {
  readonly read: PathScope
  readonly write: PathScope
  readonly hosts: readonly HostPattern[]
  /** True for `*`: any host is in scope. */
  readonly everyHost: boolean
  /** Whether arguments may name a proxy. */
  readonly proxies: boolean
  readonly shell: readonly ShellRequirement[]
  readonly capabilities: ReadonlySet<CapabilityName>
}

/** What one call names, and the scopes that it must stay inside. */
export interface CapabilityRequest {
  /** What the tool declares. */
  readonly tool: Scope
  /** What the host grants. */
  readonly granted: Scope
  /** The commands that the agent declares, where its manifest names any. */
  readonly agentShell?: readonly ShellRequirement[] | undefined
  /** What the parent of a subagent may hand on. */
  readonly parent?: Scope
  readonly effects: readonly Effect[]
  /** The commands that the call names, word by word. */
  readonly commands?: readonly (readonly string[])[]
  readonly mode: Mode
  readonly variables: Variables
}

/** The answer of the capability check; the reason completes a sentence such as `Cannot run "read": ...`. */
export interface CapabilityVerdict {
  readonly verdict: "pass" | "deny"
  readonly reason: string
  /** What the model can do instead. */
  readonly hint?: Hint
  /** What the user can do about it. */
  readonly fix?: string
}

/** The scopes that all must contain an effect, each with what to say when it does not. */
export function scopesOf({ tool, granted, parent }: CapabilityRequest): readonly (readonly [Scope, string])[] {
  const scopes = [
    [tool, "what this tool can reach"],
    [granted, "what this session was granted"],
  ] as const
  return parent ? [...scopes, [parent, "what the parent may hand on"]] : scopes
}

/** All that any of the sets asks for: what an agent declares is the union of its manifest and its tools. */
export function unionRequirements(sets: readonly RequirementSet[]): RequirementSet {
  const read = unique(sets.flatMap((set) => set.fs?.read ?? []))
  const write = unique(sets.flatMap((set) => set.fs?.write ?? []))
  const hosts = unique(sets.flatMap((set) => set.net?.hosts ?? []))
  const proxies = sets.some((set) => set.net?.proxies)
  const shell = uniqueShell(sets.flatMap((set) => set.shell ?? []))
  const capabilities = unique<CapabilityName>(sets.flatMap((set) => set.capabilities ?? []))
  return {
    ...(read.length + write.length > 0
      ? { fs: { ...(read.length > 0 ? { read } : {}), ...(write.length > 0 ? { write } : {}) } }
      : {}),
    ...(hosts.length > 0 ? { net: { hosts, ...(proxies ? { proxies } : {}) } } : {}),
    ...(shell.length > 0 ? { shell } : {}),
    ...(capabilities.length > 0 ? { capabilities } : {}),
  }
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)]
}

function uniqueShell(requirements: readonly ShellRequirement[]): readonly ShellRequirement[] {
  return [...new Map(requirements.map((requirement) => [JSON.stringify(requirement), requirement])).values()]
}

/** Compiles what a tool or a host declares. An unknown variable throws; an empty one gives an empty scope. */
export function compileRequirements(requires: RequirementSet, variables: Variables): Scope {
  const hosts = expandHosts(requires.net?.hosts ?? [], variables)
  return {
    read: pathScope(requires.fs?.read ?? [], variables),
    write: pathScope(requires.fs?.write ?? [], variables),
    hosts: hosts.filter((host) => host !== anyHost).map(parseHostPattern),
    everyHost: hosts.includes(anyHost),
    proxies: requires.net?.proxies ?? false,
    shell: requires.shell ?? [],
    capabilities: new Set(requires.capabilities ?? []),
  }
}

function pathScope(patterns: readonly string[], variables: Variables): PathScope {
  const variants = patterns.flatMap((pattern) => parsePathPattern(wholeFolder(pattern), variables, "manifest").variants)
  const tests = variants.map(testOf)
  return {
    places: [...new Set(variants.map((variant) => pathOf(variant.parts)))],
    contains: (path) => tests.some((test) => test(path)),
  }
}

/** A variable alone names a folder, so it means all that is below. */
function wholeFolder(pattern: string): string {
  return /^\{[^{}]*\}$/.test(pattern) ? `${pattern}/**` : pattern
}

function testOf({ parts }: PathVariant): (path: string) => boolean {
  const matcher = pathMatcher(parts)
  if (matcher.by === "everything") return () => true
  if (matcher.by === "path") {
    const { path, below } = matcher
    return below ? (other) => isInside(other, path) : (other) => other === path
  }
  return (path) => matchesPath(parts, path)
}

// A tool that goes where its arguments say; which hosts it may reach is for grants and rules.
const anyHost = "*"
