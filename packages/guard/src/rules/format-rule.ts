import type { Rule, RuleSource } from "@haft/contract"
import { isOwnNetwork } from "./own-network.js"

/** A rule without its action, as flags take it: `fs.read(src/**)`. */
export function formatRule(rule: Rule): string {
  return rule.pattern === undefined ? rule.permission : `${rule.permission}(${rule.pattern})`
}

/** Where a rule stands, in words: `project haft.jsonc:41`, `flag`, `defaults`. */
export function describeSource(source: RuleSource): string {
  if (source.file === undefined) return source.scope
  return `${source.scope} ${source.file}${source.line === undefined ? "" : `:${source.line}`}`
}

/** The flag that adds a rule, ready to paste into a shell. */
export function flagFor(rule: Rule): string {
  // An address that is not public needs more than a rule: the user has to name it.
  if (rule.action === "allow" && rule.permission === "net.fetch" && isOwnNetwork(rule.pattern ?? "")) {
    return `--grant-net ${rule.pattern}`
  }
  return `--${rule.action} '${formatRule(rule).replaceAll("'", `'\\''`)}'`
}
