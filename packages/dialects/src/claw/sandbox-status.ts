/** What a call asks of the sandbox. */
export interface SandboxWish {
  readonly dangerouslyDisableSandbox?: boolean | undefined
  readonly namespaceRestrictions?: boolean | undefined
  readonly isolateNetwork?: boolean | undefined
  readonly filesystemMode?: string | undefined
  readonly allowedMounts?: readonly string[] | undefined
}

/** What really confined a command, as our tools say it. */
export interface IsolationFacts {
  readonly level: string
  readonly network: string
  readonly notes: readonly string[]
}

/**
 * Beside what was asked for, what held. The host decides about the wall and a call cannot loosen it, so the two may differ;
 * nothing is claimed that was not enforced.
 */
export function sandboxStatus(wish: SandboxWish, { level, network, notes }: IsolationFacts) {
  const isConfined = level !== "none"
  const hasNamespaces = isConfined && level !== "profile"
  const reasons = isConfined ? notes : ["the command ran outside the sandbox", ...notes]
  return {
    enabled: isConfined,
    requested: {
      enabled: wish.dangerouslyDisableSandbox !== true,
      namespace_restrictions: wish.namespaceRestrictions ?? true,
      network_isolation: wish.isolateNetwork ?? false,
      filesystem_mode: wish.filesystemMode ?? "workspace-only",
      allowed_mounts: wish.allowedMounts ?? [],
    },
    supported: isConfined,
    active: isConfined,
    namespace_supported: hasNamespaces,
    namespace_active: hasNamespaces,
    network_supported: isConfined,
    network_active: isConfined && network === "none",
    filesystem_mode: isConfined ? "workspace-only" : "off",
    filesystem_active: isConfined,
    allowed_mounts: [],
    in_container: level === "container",
    container_markers: [],
    fallback_reason: reasons.length === 0 ? null : reasons.join("; "),
  }
}
