import type { Effect, Hint, Mode, ShellRequirement } from "@haft/contract"
import type { Variables } from "../variables.js"
import type { Scope } from "./scope.js"

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
