import type { PlacedRule } from "@haft/contract"
import type { Variables } from "../variables.js"
import { compileRule } from "./rule-book.js"

/** The number of a rule: 100 for each step from universal to exact, and how many of its parts have no wildcard. */
export function specificity(rule: PlacedRule, variables: Variables): number {
  // The first is the kind that the pattern was most likely written for.
  return compileRule(rule, variables)[0]!.number
}
