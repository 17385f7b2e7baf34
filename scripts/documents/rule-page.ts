import { authorities, type PlacedRule } from "@haft/contract"
import { formatRule } from "@haft/guard"
import { code, generatedNote, page, table } from "./markdown.js"

/** The page of the rules that hold before anyone writes one. */
export function rulePage(rules: readonly PlacedRule[]): string {
  return page(
    generatedNote,
    "# Default rules",
    "What these rules do not settle asks. `haft rule list --defaults` prints the same list, `haft explain TOOL ...` shows which rule decides a call.",
    table(
      ["action", "rule", "notes"],
      rules.map((rule) => [rule.action, code(formatRule(rule)), notes(rule)]),
    ),
    "## Who beats whom",
    "A deny or an ask applies unless a milder rule is inside it. To set aside a deny that rule also needs at least its authority.",
    table(
      ["scope", "authority"],
      Object.entries(authorities).map(([scope, number]) => [scope, String(number)]),
    ),
  )
}

function notes(rule: PlacedRule): string {
  return [
    rule.secret ? "secret" : "",
    rule.authority === undefined ? "" : `authority ${rule.authority}`,
    rule.final ? "final: asked once for each call" : "",
    rule.untrackedOnly ? "only files that the commit at the start of the session does not hold" : "",
    rule.why ?? "",
  ]
    .filter((note) => note !== "")
    .join("; ")
}
