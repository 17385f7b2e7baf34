import type { BeatenRule, Finding } from "@haft/contract"
import { type CompiledRule, comparePrecedence, ruleInside } from "./book/compiled-rule.js"
import { subjectWords } from "./describe-subject.js"
import type { Answered } from "./evaluate.js"
import { setAsideBy } from "./settle.js"

/** How one head or effect was decided, for people. */
export function findingOf(answer: Answered): Finding {
  const { permission, subject, verdict, decided } = answer
  const words = subjectWords(subject)
  if (!decided) return { permission, subject: words, verdict, beaten: none }
  return { permission, subject: words, verdict, decided: decided.deciding, beaten: beatenBy(decided, answer.matched) }
}

const none: readonly BeatenRule[] = []

function beatenBy(decided: CompiledRule, matched: readonly CompiledRule[]): readonly BeatenRule[] {
  if (matched.length < 2) return none
  const ranked = matched.toSorted(comparePrecedence)
  return ranked
    .filter((rule) => rule !== decided)
    .map((rule) => ({
      text: rule.text,
      specificity: rule.number,
      authority: rule.authority,
      source: rule.deciding.source,
      because: becauseOf(rule, decided, ranked),
    }))
}

function becauseOf(rule: CompiledRule, decided: CompiledRule, matched: readonly CompiledRule[]): string {
  const aside = rule.strict ? setAsideBy(rule, matched) : undefined
  if (aside) return `${aside.text} lies inside it`
  if (rule.placed.action === decided.placed.action) return `${decided.text} says the same and is named first`
  // What is left is milder than the rule that decided and could not set it aside.
  if (decided.alwaysStands) return `${decided.text} always stands`
  if (!ruleInside(rule, decided)) return `it does not lie inside ${decided.text}`
  return `its authority ${rule.authority} is below ${decided.authority}`
}
