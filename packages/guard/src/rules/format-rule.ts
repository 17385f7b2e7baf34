import type { Rule, RuleSource } from "@haft/contract"

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
  return `--${rule.action} '${formatRule(rule).replaceAll("'", `'\\''`)}'`
}
