import type { CapabilityName, Effect, Hint, Mode, RequirementSet, ShellRequirement } from "@haft/contract"
import type { HostPattern } from "../rules/pattern/host-pattern.js"
import type { Variables } from "../variables.js"

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
