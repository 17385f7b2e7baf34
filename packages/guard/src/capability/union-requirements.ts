import type { CapabilityName, RequirementSet, ShellRequirement } from "@haft/contract"

/** All that any of the sets asks for: what an agent declares is the union of its manifest and its tools. */
export function unionRequirements(sets: readonly RequirementSet[]): RequirementSet {
  const read = unique(sets.flatMap((set) => set.fs?.read ?? []))
  const write = unique(sets.flatMap((set) => set.fs?.write ?? []))
  const hosts = unique(sets.flatMap((set) => set.net?.hosts ?? []))
  const shell = uniqueShell(sets.flatMap((set) => set.shell ?? []))
  const capabilities = unique<CapabilityName>(sets.flatMap((set) => set.capabilities ?? []))
  return {
    ...(read.length + write.length > 0
      ? { fs: { ...(read.length > 0 ? { read } : {}), ...(write.length > 0 ? { write } : {}) } }
      : {}),
    ...(hosts.length > 0 ? { net: { hosts } } : {}),
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
