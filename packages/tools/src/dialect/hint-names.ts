/** Our names by those of another system, longer phrases first. */
export type HintNames = readonly (readonly [ours: string, theirs: string])[]

/**
 * The next step with the names under which that system has our tools: a name that cannot be called there is no step.
 * Only where a tool is named as one, because the same words are verbs too.
 */
export function hintIn(names: HintNames, hint: string): string {
  if (names.length === 0) return hint
  const ours = names.map(([name]) => name).join("|")
  const named = new RegExp(`\\b(with|use) (${ours})(?![\\w-])`, "gi")
  return hint.replace(named, (_all, before: string, name: string) => `${before} ${new Map(names).get(name) ?? name}`)
}
