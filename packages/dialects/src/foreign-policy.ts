import { type Action, type Dialect, ToolError, type ToolTier } from "@haft/contract"
import { type A3sPolicy, compileA3s } from "./a3s/permissions.js"
import { type AsyarSettings, compileAsyar } from "./asyar/permissions.js"
import { type ClawSettings, clawModes, compileClaw } from "./claw/permissions.js"
import { dialectTools, loadDialect } from "./dialects.js"
import { lobeIntervention } from "./lobe/intervention.js"
import { compileLobe, type LobeSettings, lobeApprovalModes } from "./lobe/permissions.js"
import type { ForeignNames, ForeignPolicy } from "./shared/permissions/foreign-policy.js"

/** The settings of each system's own permission model; what its tools ask for is known and need not be given. */
export interface ForeignSettings {
  readonly asyar: AsyarSettings
  readonly claw: Omit<ClawSettings, "tiers">
  readonly a3s: A3sPolicy
  readonly lobe: Omit<LobeSettings, "policies">
}

/** Another system's permissions as rules for `createHaft`; what cannot be said exactly comes out stricter, with a note. */
export async function foreignPolicy<Name extends keyof ForeignSettings>(
  name: Name,
  settings: ForeignSettings[Name],
): Promise<ForeignPolicy> {
  const dialect = await loadDialect(name)
  return withOurTools(compilers[name](settings as never, namesOf(dialect), dialect))
}

const a3sDefaults: readonly Action[] = ["ask", "allow", "deny"]

/** The modes of other systems that need no further settings, as `system:mode`. */
export const policyNames: readonly string[] = [
  ...clawModes.map((mode) => `claw:${mode}`),
  ...a3sDefaults.map((action) => `a3s:${action}`),
  ...lobeApprovalModes.map((mode) => `lobe:${mode}`),
]

/** The permissions of another system in one of its modes, for instance `claw:read-only`. */
export async function policyNamed(name: string): Promise<ForeignPolicy> {
  const [system, mode] = name.split(":") as [string, never]
  if (!policyNames.includes(name)) {
    throw new ToolError("invalid_args", `Cannot use the policy "${name}": it must be one of ${policyNames.join(", ")}`)
  }
  if (system === "claw") return foreignPolicy("claw", { mode })
  return system === "a3s" ? foreignPolicy("a3s", { default: mode }) : foreignPolicy("lobe", { approvalMode: mode })
}

/**
 * Beside a `deny *` what is allowed to a tool that only the dialect has is allowed to the one of ours that it is judged
 * like: otherwise our own `read` would be denied where the other system reads.
 */
async function withOurTools(policy: ForeignPolicy): Promise<ForeignPolicy> {
  const { rules } = policy
  if (!rules.some(({ permission, action }) => permission === "*" && action === "deny")) return policy
  const like = new Map((await dialectTools()).map(({ manifest }) => [manifest.id, manifest.judgedLike]))
  const named = new Set(rules.map(({ permission }) => permission))
  const ours = rules.flatMap((rule) => {
    const id = rule.action === "allow" ? like.get(rule.permission) : undefined
    return id === undefined || named.has(id) ? [] : [{ ...rule, permission: id }]
  })
  return { ...policy, rules: [...rules, ...ours] }
}

type Compile<Settings> = (settings: Settings, names: ForeignNames, dialect: Dialect) => ForeignPolicy

const compilers: { readonly [Name in keyof ForeignSettings]: Compile<ForeignSettings[Name]> } = {
  asyar: compileAsyar,
  a3s: compileA3s,
  claw: (settings, names, { tools }) => {
    const tiers: Record<string, ToolTier> = {}
    for (const { name, aliases = [], tier } of tools) {
      if (tier !== undefined) for (const each of [name, ...aliases]) tiers[each] = tier
    }
    return compileClaw({ ...settings, tiers }, names)
  },
  lobe: (settings, names, { tools }) => {
    const policies = Object.fromEntries(
      tools.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((each) => [each, lobeIntervention(name)])),
    )
    return compileLobe({ ...settings, policies }, names)
  },
}

/** The tools behind each name, also behind its other names: where the arguments choose between two, both. */
function namesOf({ tools }: Dialect): ForeignNames {
  return Object.fromEntries(
    tools.flatMap((row) => {
      const ids = typeof row.tool === "string" ? row.tool : (row.choices ?? [])
      return [row.name, ...(row.aliases ?? [])].map((name) => [name, ids] as const)
    }),
  )
}
