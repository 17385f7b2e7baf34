import type { EndedProcess, PathRules } from "@haft/contract"

/** Something that keeps processes alive between calls, and ends those that new rules forbid. */
export interface RulesWatch {
  /** Resolves to what had to be ended. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]>
  /** Notes the moment at which something begins to start; the answer gives the rules that came meanwhile. */
  starting(): () => PathRules | undefined
}

/** Makes the watch of one kind of process: `obeyAll` holds each running one against the rules. */
export function createRulesWatch(obeyAll: (rules: PathRules) => Promise<readonly EndedProcess[]>): RulesWatch {
  let latest: PathRules | undefined
  let count = 0
  return {
    rulesChanged(rules) {
      latest = rules
      count += 1
      return obeyAll(rules)
    },
    starting() {
      const before = count
      return () => (count === before ? undefined : latest)
    },
  }
}
