import { sourceOf } from "../config/combine-layers.js"
import type { Layer } from "../config/layer.js"
import type { Configuration } from "../config/load-configuration.js"

/** What a source said and does not hold: one note a source, with all its keys and rules, and the reason for each. */
export function ignoredNotes(configuration: Configuration): readonly string[] {
  return configuration.layers.flatMap((layer) => {
    const reasons = byReason(layer, configuration)
    if (reasons.size === 0) return []
    const words = [...reasons].map(
      ([reason, what]) => `${listed(what)} ${isOne(what) ? "is" : "are"} ignored: ${reason}`,
    )
    return [`${layer.name}: ${words.join("; ")}`]
  })
}

/** What is ignored of a layer, by the reason: keys by their names, rules by their number. */
function byReason(layer: Layer, { sayings, ignoredRules }: Configuration): ReadonlyMap<string, readonly string[]> {
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
    if (count > 0) collect(reasons, reason, count === 1 ? "1 allow rule" : `${count} allow rules`)
  }
  return reasons
}

function collect(reasons: Map<string, string[]>, reason: string, what: string): void {
  reasons.set(reason, [...(reasons.get(reason) ?? []), what])
}

function isOne([first, ...others]: readonly string[]): boolean {
  return others.length === 0 && !/^\d+ allow rules$/.test(first!)
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}
