import type { PathRules, SandboxedGrant, SandboxSpec } from "@haft/contract"
import type { PreparedSandbox } from "../../sandbox/sandbox.js"
import type { ProcessTree } from "../process/process-tree.js"

/** A process that outlives its call, with the sandbox that it started behind. */
export interface LongLivedParts {
  readonly tree: Pick<ProcessTree, "freeze">
  readonly sandbox: Pick<PreparedSandbox, "holds">
  /** What that sandbox was built from. */
  readonly asked: SandboxSpec
  /** The grant of the call that started it. */
  readonly grant: SandboxedGrant
}

/** Holds a process that outlives its call against the rules of each moment. */
export interface LongLivedProcess {
  /**
   * Why the process must end under these rules; undefined when it may go on. Under new rules it stands still while it is
   * checked, and stays so when it must end.
   */
  obey(rules: PathRules): Promise<string | undefined>
}

/** Watches over a process whose sandbox was built by the rules of the call that started it. */
export function createLongLivedProcess(parts: LongLivedParts): LongLivedProcess {
  let settledFor = parts.grant.rulesKey
  return {
    async obey(rules) {
      // Without a sandbox there is nothing that could be too wide.
      if (parts.sandbox.holds === undefined && parts.grant.renewed === undefined) return undefined
      const isNew = rules.rulesKey === undefined || rules.rulesKey !== settledFor
      const goOn = isNew ? await parts.tree.freeze() : undefined
      const reason = (isNew ? judgedReason(parts) : undefined) ?? (await maskReason(parts, rules))
      if (reason !== undefined) {
        if (goOn === undefined) await parts.tree.freeze()
        return reason
      }
      settledFor = rules.rulesKey
      goOn?.()
      return undefined
    },
  }
}

function judgedReason({ grant, asked }: LongLivedParts): string | undefined {
  if (grant.renewed === undefined) return undefined
  const now = grant.renewed()
  if (now === undefined) return "rules became tighter: they refuse now what started it"
  return isWithinSandbox(asked, now)
    ? undefined
    : "rules became tighter: it could write or reach more than they allow now"
}

async function maskReason({ sandbox }: LongLivedParts, rules: PathRules): Promise<string | undefined> {
  // What cannot be found out does not go on.
  const holds = (await sandbox.holds?.(rules).catch(() => false)) ?? true
  return holds ? undefined : "rules became tighter, or a hidden file was replaced: it could see what they deny"
}

const reach = { "read-only": 0, server: 0, "workspace-write": 1, "workspace-write+net": 2 } as const

function isWithinSandbox(old: SandboxSpec, now: SandboxSpec): boolean {
  return (
    reach[old.profile] <= reach[now.profile] &&
    (now.unconfined || !old.unconfined) &&
    old.hosts.every((host) => now.hosts.includes(host)) &&
    old.approved.every((name) => now.approved.includes(name))
  )
}
