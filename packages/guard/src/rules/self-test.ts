import type { PlacedRule, Subject } from "@haft/contract"
import type { Variables } from "../variables.js"
import { splitWords } from "./pattern/command-pattern.js"
import { parseHostPattern } from "./pattern/host-pattern.js"
import type { SubjectKind } from "./pattern/pattern.js"
import { permissionKind } from "./permission-kind.js"
import { compileRule, type Facts, matchesRule } from "./rule-book.js"

/** One sample of a rule with what came out. */
export interface RuleTestResult {
  readonly rule: PlacedRule
  readonly sample: string
  readonly expected: "match" | "no match"
  readonly passed: boolean
}

/** Runs the samples that rules carry in `match` and `no_match`, each against its own rule. */
export function testRules(rules: readonly PlacedRule[], variables: Variables): readonly RuleTestResult[] {
  return rules.flatMap((rule) => [
    ...(rule.match ?? []).map((sample) => testSample({ rule, sample, expected: "match" }, variables)),
    ...(rule.no_match ?? []).map((sample) => testSample({ rule, sample, expected: "no match" }, variables)),
  ])
}

function testSample(test: Omit<RuleTestResult, "passed">, variables: Variables): RuleTestResult {
  const { rule, sample, expected } = test
  const facts: Facts = { isTracked: () => false, scriptDigest: () => rule.recipe }
  const matches = compileRule(rule, variables).some((compiled) => {
    const kind = compiled.pattern?.kind ?? permissionKind(rule.permission) ?? "path"
    const subject = sampleSubject(sample, kind, variables)
    return subject !== undefined && matchesRule(compiled, subject, facts)
  })
  return { rule, sample, expected, passed: matches === (expected === "match") }
}

/** Reads a sample as the kind of subject that the pattern is about; undefined when it cannot be one. */
function sampleSubject(sample: string, kind: SubjectKind, variables: Variables): Subject | undefined {
  switch (kind) {
    case "path": {
      const path = samplePath(sample, variables)
      return { kind, at: { spelled: sample, absolute: path, resolved: path, kind: "file" } }
    }
    case "host": {
      const [, method, host, port] = /^(?:([A-Z]+) )?([^\s/]+?)(?::(\d+))?$/.exec(sample) ?? []
      if (host === undefined || !isHost(host)) return undefined
      return {
        kind,
        host,
        ...(port === undefined ? {} : { port: Number(port) }),
        ...(method === undefined ? {} : { method }),
      }
    }
    case "command":
      return { kind, argv: splitWords(sample).map((word) => word.text) }
    case "arguments": {
      const split = sample.indexOf("=")
      return split < 0 ? undefined : { kind, values: { [sample.slice(0, split)]: sample.slice(split + 1) } }
    }
  }
}

function samplePath(sample: string, variables: Variables): string {
  if (sample.startsWith("/")) return sample
  if (sample.startsWith("~/")) return `${variables.home}${sample.slice(1)}`
  return `${variables.workspace[0] ?? ""}/${sample.replace(/^\.\//, "")}`
}

function isHost(text: string): boolean {
  try {
    return parseHostPattern(text).hosts.size === 1
  } catch {
    return false
  }
}
