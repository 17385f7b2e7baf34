import type { PlacedRule } from "@haft/contract"
import type { ScriptSource } from "./facts-of.js"

/** The text that an answer is kept for. */
export type Script = Pick<ScriptSource, "text" | "digest">

/** Whatever a session keeps are answers, also those of a former version in its journal. */
export function answers(rules: readonly PlacedRule[]): readonly PlacedRule[] {
  return rules.map((rule) => ({ ...rule, answer: true }))
}

// Enough of a script to tell what became of it.
const maxShown = 16_000

/** What ties a rule to the text of a script. */
export function boundTo(script: Script | undefined): Pick<PlacedRule, "recipe" | "shown"> {
  if (script === undefined) return {}
  const { text, digest } = script
  return { recipe: digest, shown: text.length > maxShown ? `${text.slice(0, maxShown)}\n…` : text }
}

/** The rules without those that are gone. */
export function without(rules: readonly PlacedRule[], gone: readonly PlacedRule[]): readonly PlacedRule[] {
  return rules.filter((rule) => !gone.includes(rule))
}
