import { bestEffort, type EndedProcess, type PathRules, type SandboxedGrant, type SandboxSpec } from "@haft/contract"
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

/** Holds a process, whose sandbox was built by the rules of the call that started it, against the rules of each moment. */
export class LongLivedProcess {
  private settledFor: PathRules["rulesKey"]

  constructor(private readonly parts: LongLivedParts) {
    this.settledFor = parts.grant.rulesKey
  }

  /**
   * Why the process must end under these rules; undefined when it may go on. Under new rules it is stopped while it is
   * checked, and stays so when it must end.
   */
  async obey(rules: PathRules): Promise<string | undefined> {
    const { tree, sandbox, grant } = this.parts
    // Without a sandbox there is nothing that could be too wide.
    if (sandbox.holds === undefined && grant.renewed === undefined) return undefined
    const isNew = rules.rulesKey === undefined || rules.rulesKey !== this.settledFor
    const goOn = isNew ? await tree.freeze() : undefined
    const reason = (isNew ? judgedReason(this.parts) : undefined) ?? (await maskReason(this.parts, rules))
    if (reason !== undefined) {
      if (goOn === undefined) await tree.freeze()
      return reason
    }
    this.settledFor = rules.rulesKey
    goOn?.()
    return undefined
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
  const isHolding =
    !sandbox.holds || (await bestEffort("a process whose masks are not known is ended", sandbox.holds(rules)))
  return isHolding ? undefined : "rules became tighter, or a hidden file was replaced: it could see what they deny"
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

/** Ends processes of one kind that new rules forbid: `obeyAll` holds each running one against the rules. */
export class RulesWatch {
  private latest: PathRules | undefined
  private count = 0

  constructor(private readonly obeyAll: (rules: PathRules) => Promise<readonly EndedProcess[]>) {}

  /** Resolves to what had to be ended. */
  changed(rules: PathRules): Promise<readonly EndedProcess[]> {
    this.latest = rules
    this.count += 1
    return this.obeyAll(rules)
  }

  /** Notes the moment at which something begins to start; the answer gives the rules that came meanwhile. */
  starting(): () => PathRules | undefined {
    const before = this.count
    return () => (this.count === before ? undefined : this.latest)
  }
}
