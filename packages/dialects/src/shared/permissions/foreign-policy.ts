import type { Mode, Rule } from "@haft/contract"

/** The tool ids behind the names of another system: one, or several where the arguments choose. */
export type ForeignNames = Readonly<Record<string, string | readonly string[]>>

/** Another system's permission model in our rules; put them in any one scope, all in the same. */
export interface ForeignPolicy {
  readonly rules: readonly Rule[]
  /** The mode that belongs to it, where the model has one of its own. */
  readonly mode?: Mode
  /** Tools that no call may use: not worth showing to a model. */
  readonly deniedTools: readonly string[]
  /** What could not be said exactly, and in which way the rules are stricter. */
  readonly notes: readonly string[]
}

/** The ids behind a name; none for a name that is not in the table. */
export function idsOf(names: ForeignNames, name: string): readonly string[] {
  const ids = Object.hasOwn(names, name) ? names[name] : undefined
  if (ids === undefined) return []
  return typeof ids === "string" ? [ids] : ids
}
