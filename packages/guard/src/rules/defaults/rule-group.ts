import type { Action, PlacedRule } from "@haft/contract"

/** Rules that share everything but their pattern: one for each permission with each pattern. */
export interface RuleGroup {
  readonly action: Action
  readonly permissions: readonly string[]
  /** Absent for rules without a pattern. */
  readonly patterns?: readonly string[]
  readonly why?: string
  readonly authority?: number
  readonly final?: boolean
  readonly untrackedOnly?: boolean
  readonly secret?: boolean
}

/** Writes the groups out as single rules. */
export function placeGroups(groups: readonly RuleGroup[]): readonly PlacedRule[] {
  const rules = groups.flatMap(({ permissions, patterns, ...shared }) =>
    permissions.flatMap((permission) =>
      (patterns ?? [undefined]).map((pattern) => ({
        permission,
        ...(pattern === undefined ? {} : { pattern }),
        ...shared,
        source: { scope: "defaults" },
      })),
    ),
  ) as readonly PlacedRule[]
  for (const rule of rules) shipped.add(rule)
  return rules
}

/** Whether a rule is one of those that come with this package, whose patterns are known to be sound. */
export function isShipped(rule: PlacedRule): boolean {
  return shipped.has(rule)
}

const shipped = new WeakSet<PlacedRule>()
