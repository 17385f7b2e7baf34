import { defaultRules, describeSource, formatRule, modeRules, testRules, visibleLine } from "@haft/guard"
import { variablesFor } from "../../config/variables.js"
import { columns } from "../../terminal/columns.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { type Setup, setUp } from "../setup.js"

/** `haft rule test`: every rule against its own samples. */
export const run: Run = async (invocation, io) => {
  const setup = await setUp(invocation, io)
  const rows = testSamples(setup).map(({ rule, sample, expected, passed }) => ({
    rule: formatRule(rule),
    source: describeSource(rule.source),
    sample,
    expected,
    passed,
  }))
  const failed = rows.filter(({ passed }) => !passed)
  printRows(invocation, io, rows, (style) => {
    const lines = failed.map((row) => [
      style.red(style.say`failed`),
      visibleLine(row.rule),
      row.expected === "match"
        ? style.say`should match ${visibleLine(row.sample)}`
        : style.say`should not match ${visibleLine(row.sample)}`,
      visibleLine(row.source),
    ])
    return [columns(lines), style.say`${rows.length - failed.length} passed, ${failed.length} failed`]
      .filter(Boolean)
      .join("\n")
  })
  return failed.length > 0 ? exitCodes.checkFailed : exitCodes.ok
}

/** Every rule against its own samples, those included that do not hold here. */
export function testSamples(setup: Setup): ReturnType<typeof testRules> {
  const { rules, ignoredRules } = setup.configuration
  const all = [...rules, ...ignoredRules.map(({ rule }) => rule), ...defaultRules(), ...modeRules("accept-edits")]
  return testRules(all, variablesFor(setup))
}
