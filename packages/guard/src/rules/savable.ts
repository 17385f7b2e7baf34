import type { Rule, RuleProposal } from "@haft/contract"
import { interpreters } from "../command/program/family/interpreters.js"
import { networkPrograms } from "../command/program/family/network-programs.js"
import { packageManagers } from "../command/program/family/package-managers.js"
import { type Argument, Findings, literal, mayBeOption, unknown } from "../command/program/findings.js"
import { knownProgram, shellWrappers, transparentWrappers } from "../command/program/known-programs.js"
import { applyProgram } from "../command/program/program.js"
import { runningPrograms } from "../command/program/running-programs.js"
import { runsKeptText } from "../command/script/script-of.js"
import { nameOf } from "../path.js"
import { isOpenSubcommand } from "./open-subcommands.js"
import { splitWords, type Word } from "./pattern/command-pattern.js"
import { hasWildcard } from "./pattern/glob.js"
import { runsCommands } from "./permission-kind.js"
import { testRules } from "./self-test.js"

/** Why a rule that a person wrote must not be saved as the answer to an ask; undefined when it may be. */
export function whyNotSavable(rule: Rule, proposal: RuleProposal): string | undefined {
  if (rule.permission === "*") return "it would answer for every tool; name one"
  const runner = openRunner(rule)
  if (runner !== undefined) return `${runner} runs or writes whatever further words say; name the whole command`
  if (namesNoMethod(rule, proposal)) return `it would hold for every method; name one, as in ${proposal.matches}`
  const isSameTool = rule.permission === proposal.rule.permission && proposal.rule.pattern === undefined
  if (isSameTool || coversSample(rule, proposal.matches)) return undefined
  return `it does not cover ${proposal.matches}`
}

/** An answer about one method does not become one about all of them, which an answer of a former version may look like. */
function namesNoMethod({ permission, pattern }: Rule, proposal: RuleProposal): boolean {
  return permission === "net.fetch" && /^[A-Z]+ /.test(proposal.matches) && !/^[A-Za-z]+ /.test(pattern ?? "")
}

/** Why an allow that nobody was asked about settles nothing, or less than it says, where answers are kept; undefined when it may be there. */
export function whyNoAnswer({ permission, pattern, action }: Rule): string | undefined {
  if (action !== "allow") return undefined
  if (permission === "net.fetch") return /^[A-Za-z]+ /.test(pattern ?? "") ? undefined : "an answer is about one method"
  if (!runsCommands(permission)) return undefined
  const runsText = runsKeptText(splitWords(pattern ?? "*").map(({ text }) => text))
  return runsText ? "an answer for a command that runs a script holds for the text that was shown" : undefined
}

/** Whether a rule matches a sample as it is shown beside it. */
export function coversSample(rule: Rule, sample: string): boolean {
  return testRules([{ ...rule, match: [sample], no_match: [], source: { scope: "session" } }], anywhere)[0]!.passed
}

/** The program that a wildcard would let run anything; undefined where it would not. */
function openRunner({ permission, pattern }: Rule): string | undefined {
  if (!runsCommands(permission)) return undefined
  const line = splitWords(pattern ?? "*").map(argumentOf)
  // Variables that are set before a command are part of its line, and not the program.
  const start = line.findIndex((word) => !/^\w+=/.test(word.text))
  const [program, ...words] = start < 0 ? [] : line.slice(start)
  if (program?.kind !== "literal") return "a command line"
  if (words.every(({ kind }) => kind === "literal")) return undefined
  const name = nameOf(program.text)
  const isOpen = runners.has(name) ? mayTakeOption(words) : isSteerable(name, words)
  return isOpen ? `"${program.text}"` : undefined
}

/** A word of a pattern as command analysis reads it; a star at the end means any number of words. */
function argumentOf({ text, quoted }: Word, index: number, { length }: readonly Word[]): Argument {
  if (quoted || !hasWildcard(text)) return literal(text)
  if (index === length - 1 && /^\*\*?$/.test(text)) return unknown(text)
  return unknown(text, /^[-*?]/.test(text) ? "one word" : "no option")
}

/** Of a program that runs others any option may name one, and so may the word behind an option. */
function mayTakeOption(words: readonly Argument[]): boolean {
  return words.some((word, index) => {
    const before = words[index - 1]
    return word.kind !== "literal" && (mayBeOption(word) || (before !== undefined && mayBeOption(before)))
  })
}

function isSteerable(name: string, words: readonly Argument[]): boolean {
  const program = knownProgram(name)
  if (program === undefined || isOpenSubcommand(name, words[0]?.text ?? "")) return false
  const findings = new Findings()
  applyProgram(program, words, findings)
  return findings.steerable
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
  tmp: [],
}
