import type { Rule, RuleProposal } from "@haft/contract"
import { interpreters } from "../command/program/family/interpreters.js"
import { networkPrograms } from "../command/program/family/network-programs.js"
import { packageManagers } from "../command/program/family/package-managers.js"
import { runningPrograms } from "../command/wrapper/running-programs.js"
import { shellWrappers, transparentWrappers } from "../command/wrapper/transparent-wrappers.js"
import { splitWords } from "./pattern/words.js"
import { permissionKind } from "./permission-kind.js"
import { testRules } from "./self-test.js"

/** Why a rule that a person wrote must not be saved as the answer to an ask; undefined when it may be. */
export function whyNotSavable(rule: Rule, proposal: RuleProposal): string | undefined {
  if (rule.permission === "*") return "it would answer for every tool; name one"
  const runner = openRunner(rule)
  if (runner !== undefined) return `${runner} runs whatever further words say; name the whole command`
  const isSameTool = rule.permission === proposal.rule.permission && proposal.rule.pattern === undefined
  if (isSameTool || coversSample(rule, proposal.matches)) return undefined
  return `it does not cover ${proposal.matches}`
}

/** Whether a rule matches a sample as it is shown beside it. */
export function coversSample(rule: Rule, sample: string): boolean {
  return testRules([{ ...rule, match: [sample], no_match: [], source: { scope: "session" } }], anywhere)[0]!.passed
}

/** The program behind which an open end would allow anything; undefined where it would not. */
function openRunner({ permission, pattern }: Rule): string | undefined {
  // A request is written like a command, and runs none.
  if (permissionKind(permission) !== "command" || permission === "http_request") return undefined
  const words = splitWords(pattern ?? "*").map(({ text }) => text)
  if (!/^\*\*?$/.test(words.at(-1) ?? "*")) return undefined
  // Variables that are set before a command are part of its line, and not the program.
  const program = words.find((word) => !/^\w+=/.test(word)) ?? "*"
  if (program.includes("*")) return "a command line"
  return runners.has(program.slice(program.lastIndexOf("/") + 1)) ? `"${program}"` : undefined
}

const runners: ReadonlySet<string> = new Set([
  ...Object.keys({ ...interpreters, ...networkPrograms, ...packageManagers, ...runningPrograms }),
  ...transparentWrappers.keys(),
  ...shellWrappers,
])

// Samples and patterns of a workspace start at the same place, wherever that is.
const anywhere = {
  workspace: ["/workspace"],
  adHoc: [],
  userData: undefined,
  home: "/home",
  haftHome: "/haft",
  haftConfig: "/haft-config",
  scratch: [],
  sidecars: [],
}
