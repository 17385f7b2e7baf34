import { formatRule, visibleLine } from "@haft/guard"
import { columns } from "../../terminal/columns.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { setUp } from "../setup.js"
import { knownKey } from "./known-key.js"

/** `haft config get`: the value that holds, or all of them. */
export const run: Run = async (invocation, io) => {
  const [key] = invocation.operands
  if (key !== undefined && key !== "rules") knownKey(key)
  const { values, rules } = (await setUp(invocation, io)).configuration
  if (key === "rules")
    printValue(invocation, io, rules, () => rules.map((rule) => `${rule.action} ${formatRule(rule)}`).join("\n"))
  else if (key !== undefined) {
    const value = values.find(key) ?? null
    printValue(invocation, io, value, () =>
      value === null ? "" : typeof value === "string" ? value : JSON.stringify(value),
    )
  } else {
    const all = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
    printValue(invocation, io, Object.fromEntries(all), () =>
      columns(all.map(([name, value]) => [name, visibleLine(JSON.stringify(value))])),
    )
  }
  return exitCodes.ok
}
