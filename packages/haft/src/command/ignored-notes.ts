import type { Say } from "@haft/language"
import { sourceOf } from "../config/combine-layers.js"
import type { Layer } from "../config/layer.js"
import type { Configuration } from "../config/load-configuration.js"

/** What a source said and does not hold: one note a source, with all its keys and rules, and the reason for each. */
export function ignoredNotes(configuration: Configuration, say: Say): readonly string[] {
  return configuration.layers.flatMap((layer) => {
    const reasons = byReason(layer, configuration, say)
    if (reasons.size === 0) return []
    const words = [...reasons].map(([reason, what]) => {
      if (isOne(what)) return say`${what[0]} is ignored: ${say(reason)}`
      if (what.length === 1) return say`${what[0]} are ignored: ${say(reason)}`
      return say`${what.slice(0, -1).join(", ")} and ${what.at(-1)} are ignored: ${say(reason)}`
    })
    return [`${layer.name}: ${words.join("; ")}`]
  })
}

/** What is ignored of a layer, by the reason: keys by their names, rules by their number. */
function byReason(
  layer: Layer,
  { sayings, ignoredRules }: Configuration,
  say: Say,
): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>()
  for (const entry of layer.entries) {
    const source = sourceOf(layer, entry)
    const said = sayings.find((saying) => saying.key === entry.key && saying.source === source)
    if (said?.reason !== undefined) collect(reasons, said.reason, entry.key)
  }
  for (const reason of new Set(ignoredRules.map((ignored) => ignored.reason))) {
    const count = ignoredRules.filter(
      (ignored) => ignored.reason === reason && layer.rules.includes(ignored.rule),
    ).length
    if (count > 0) collect(reasons, reason, count === 1 ? say`1 allow rule` : say`${count} allow rules`)
  }
  return reasons
}

function collect(reasons: Map<string, string[]>, reason: string, what: string): void {
  reasons.set(reason, [...(reasons.get(reason) ?? []), what])
}

/** Whether it is one key or one rule: several rules begin with their number. */
function isOne([first, ...others]: readonly string[]): boolean {
  return others.length === 0 && !/^(?!1 )\d+ /.test(first!)
}
