import type { CapabilityName, ShellRequirement } from "@haft/contract"
import type { HostPattern } from "../rules/pattern/host-pattern.js"

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
  readonly shell: readonly ShellRequirement[]
  readonly capabilities: ReadonlySet<CapabilityName>
}
