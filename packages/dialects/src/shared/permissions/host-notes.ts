import type { Action, Rule } from "@haft/contract"
import { runsCommands } from "@haft/guard"

/**
 * An allowed command does not bring the hosts that it reaches: they get the answer for everything else, which the
 * other systems, who look at the text alone, do not know.
 */
export function hostNotes(rules: readonly Rule[], otherwise: Action): readonly string[] {
  if (otherwise === "allow") return []
  const allowed = [
    ...new Set(
      rules.flatMap(({ permission, action }) => (action === "allow" && runsCommands(permission) ? [permission] : [])),
    ),
  ]
  if (allowed.length === 0) return []
  const verdict = otherwise === "deny" ? "are denied" : "are asked about"
  return [
    `${allowed.join(", ")}: hosts that a command reaches ${verdict}, unless a rule such as net.fetch(HOST) allows them`,
  ]
}
