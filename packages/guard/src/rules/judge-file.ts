import type { FileEffectKind } from "@haft/contract"
import { matchingPathRules, type RuleBook } from "./book/rule-book.js"
import type { Facts } from "./facts.js"
import { setAsideBy, settle } from "./settle.js"

/** The answer of the rules for one file, without explanation: quick enough for every hit of a search. */
export function judgeFile(
  book: RuleBook,
  kind: FileEffectKind,
  resolvedPath: string,
  facts: Facts,
): "allow" | "deny" | "ask" | "silent" {
  const rules = book.rulesFor(kind)
  const matched = matchingPathRules(rules, { absolute: resolvedPath, resolved: resolvedPath }, facts)
  // Most files meet a single rule, and that rule is the answer.
  return matched.length === 1 ? matched[0]!.placed.action : settle(matched).verdict
}

/**
 * Whether former content of a file may be kept: not when a rule names it as a secret. That a person lets it be read
 * does not make it less of a secret, so only another built-in rule, such as the one for samples, lifts this.
 */
export function mayKeepCopy(book: RuleBook, resolvedPath: string, facts: Facts): boolean {
  return secretKinds.every((kind) => {
    const rules = book.rulesFor(kind)
    const matched = matchingPathRules(rules, { absolute: resolvedPath, resolved: resolvedPath }, facts)
    const builtIn = matched.filter(({ placed }) => placed.source.scope === "defaults")
    return !matched.some(
      (rule) => rule.placed.action === "deny" && rule.placed.secret === true && !setAsideBy(rule, builtIn),
    )
  })
}

const secretKinds: readonly FileEffectKind[] = ["fs.read", "fs.write"]
