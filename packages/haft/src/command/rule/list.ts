import { authorities, type PlacedRule } from "@haft/contract"
import { defaultRules, describeSource, formatRule, modeRules, specificity, visibleLine } from "@haft/guard"
import { variablesFor } from "../../config/variables.js"
import { table } from "../../terminal/columns.js"
import type { Style } from "../../terminal/style.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { type Setup, setUp } from "../setup.js"

/** `haft rule list`: the rules that hold here, strongest source first. */
export const run: Run = async (invocation, io) => {
  const setup = await setUp(invocation, io)
  const onlyDefaults = invocation.flag("defaults")
  const { rules, ignoredRules } = setup.configuration
  const held = (onlyDefaults ? defaultRules() : heldRules(setup, rules)).map((rule) => rowOf(rule, setup))
  const ignored = onlyDefaults
    ? []
    : ignoredRules.map(({ rule, reason }) => ({ ...rowOf(rule, setup), ignored: reason }))
  printRows(invocation, io, [...held, ...ignored], (style) => words([...held, ...ignored], style))
  return exitCodes.ok
}

/** These rules and the built-in ones that hold with them, strongest source first. */
export function heldRules({ configuration: { values } }: Setup, rules: readonly PlacedRule[]): readonly PlacedRule[] {
  const edits = values.get("mode") === "accept-edits" ? modeRules("accept-edits") : []
  return [...rules, ...defaultRules(), ...edits].sort((one, other) => authorityOf(other) - authorityOf(one))
}

/** The numbers that decide which of two rules wins. */
export function strengthOf(
  rule: PlacedRule,
  setup: Setup,
): { readonly specificity: number; readonly authority: number } {
  return { specificity: specificity(rule, variablesFor(setup)), authority: authorityOf(rule) }
}

function authorityOf({ authority, source }: PlacedRule): number {
  return authority ?? authorities[source.scope]
}

interface Row {
  readonly action: string
  readonly rule: string
  readonly specificity: number
  readonly authority: number
  readonly source: string
  readonly final?: true
  readonly secret?: true
  readonly why?: string
  readonly ignored?: string
}

function rowOf(rule: PlacedRule, setup: Setup): Row {
  return {
    action: rule.action,
    rule: formatRule(rule),
    ...strengthOf(rule, setup),
    source: describeSource(rule.source),
    ...(rule.final ? { final: true } : {}),
    ...(rule.secret ? { secret: true } : {}),
    ...(rule.why ? { why: rule.why } : {}),
  }
}

function words(rows: readonly Row[], style: Style): string {
  const drawn = rows.map((row) => [
    row.action,
    visibleLine(row.rule, 80),
    String(row.specificity),
    String(row.authority),
    visibleLine(row.source),
    [
      row.final ? style.say`final` : "",
      row.ignored ? style.say`ignored: ${style.say(row.ignored)}` : "",
      visibleLine(style.say(row.why ?? "")),
    ]
      .filter(Boolean)
      .join(", "),
  ])
  return table(["ACTION", "RULE", "NUMBER", "AUTHORITY", "SOURCE", ""], drawn, style)
}
