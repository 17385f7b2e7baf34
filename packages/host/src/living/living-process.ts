import type { PathRules, Wall, WalledGrant } from "@haft/contract"
import type { ProcessTree } from "../process/process-tree.js"
import type { PreparedWall } from "../sandbox/sandbox.js"

/** A process that outlives its call, with the wall that it started behind. */
export interface LivingParts {
  readonly tree: Pick<ProcessTree, "freeze">
  readonly wall: Pick<PreparedWall, "holds">
  /** What that wall was built from. */
  readonly asked: Wall
  /** The grant of the call that started it. */
  readonly grant: WalledGrant
}

/** Holds a process that outlives its call against the rules of each moment. */
export interface LivingProcess {
  /**
   * Why the process must end under these rules; undefined when it may go on. Under new rules it stands still while it is
   * checked, and stays so when it must end.
   */
  obey(rules: PathRules): Promise<string | undefined>
}

/** Watches over a process whose wall was built by the rules of the call that started it. */
export function createLivingProcess(parts: LivingParts): LivingProcess {
  let settledFor = parts.grant.rulesKey
  return {
    async obey(rules) {
      // Without a wall there is nothing that could be too wide.
      if (parts.wall.holds === undefined && parts.grant.renewed === undefined) return undefined
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

function judgedReason({ grant, asked }: LivingParts): string | undefined {
  if (grant.renewed === undefined) return undefined
  const now = grant.renewed()
  if (now === undefined) return "rules became tighter: they refuse now what started it"
  return isWithinWall(asked, now) ? undefined : "rules became tighter: it could write or reach more than they allow now"
}

async function maskReason({ wall }: LivingParts, rules: PathRules): Promise<string | undefined> {
  // What cannot be found out does not go on.
  const holds = (await wall.holds?.(rules).catch(() => false)) ?? true
  return holds ? undefined : "rules became tighter, or a hidden file was replaced: it could see what they deny"
}

const reach = { look: 0, serve: 0, work: 1, "work+net": 2 } as const

function isWithinWall(old: Wall, now: Wall): boolean {
  return (
    reach[old.profile] <= reach[now.profile] &&
    (now.unconfined || !old.unconfined) &&
    old.hosts.every((host) => now.hosts.includes(host)) &&
    old.approved.every((name) => now.approved.includes(name))
  )
}
