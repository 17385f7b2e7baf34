/** Capabilities that are neither files, network nor commands. */
export const capabilityNames = ["clipboard", "index", "box", "lsp", "config", "servers"] as const

export type CapabilityName = (typeof capabilityNames)[number]

/** A pattern for one argument of a command: the exact word, any one word, or a word with that beginning. */
export type ArgumentPattern = string | { readonly wildcard: true } | { readonly prefix: string }

/** A program that a tool or an agent may start, with ordered patterns for its arguments. */
export interface ShellRequirement {
  readonly cmd: string
  readonly args?: readonly ArgumentPattern[]
}

/**
 * What a tool needs from the world. Path patterns may use {workspace}, {ad-hoc} and {user-data}, hosts {web-search} and
 * {search-engines}; an unknown variable throws when the manifest is compiled, an empty one gives an empty scope.
 */
export interface RequirementSet {
  readonly fs?: { readonly read?: readonly string[]; readonly write?: readonly string[] }
  readonly net?: {
    readonly hosts: readonly string[]
    /** Arguments may name a proxy, whose host is none of these; the session's grant and the rules decide about it. */
    readonly proxies?: true
  }
  readonly shell?: readonly ShellRequirement[]
  readonly capabilities?: readonly CapabilityName[]
}
