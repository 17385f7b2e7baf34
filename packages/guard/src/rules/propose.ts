import type { CallPart, Judgement, Rule, RuleProposal, Subject } from "@haft/contract"
import { hidesScript } from "../command/script/script-of.js"
import { nameOf } from "../path.js"
import { isOpenSubcommand } from "./open-subcommands.js"
import { permissionKind, runsCommands } from "./permission-kind.js"
import { joinWords } from "./rule.js"

/**
 * The rule that "session" or "project" would save, with a sample on either side of it. Undefined when no rule
 * could settle the call: a final ask, a deny, text kept in a place that is not known, or more than one rule would take.
 */
export function proposeRule(tool: string, parts: readonly CallPart[], judgement: Judgement): RuleProposal | undefined {
  const { remedy } = judgement
  if (judgement.verdict !== "ask" || judgement.final || !remedy) return undefined
  const subject = subjectFor(remedy, parts)
  if (remedy.pattern === undefined || subject === undefined) {
    return { rule: remedy, matches: `${tool} with any arguments`, differs: "any other tool" }
  }
  switch (subject.kind) {
    case "path":
      return proposePath(remedy, remedy.pattern, judgement)
    case "command":
      if (isRequest(remedy.permission)) return proposeMethod(remedy, subject.argv)
      // What such a command runs may change without anybody seeing it, so that no answer for it is kept.
      return hidesScript(subject.argv) ? undefined : proposeCommand(remedy, subject.argv)
    case "host":
      return proposeHost(remedy, remedy.pattern, parts, judgement)
    default:
      return { rule: remedy, matches: remedy.pattern, differs: `other.${remedy.pattern}` }
  }
}

/** A request is written like a command. */
function isRequest(permission: string): boolean {
  return permissionKind(permission) === "command" && !runsCommands(permission)
}

/**
 * Of a request its method: an answer about reading says nothing of sending and deleting. A tool is kept by its own name,
 * since it has one method or names it among its words.
 */
function proposeHost(
  remedy: Rule,
  host: string,
  parts: readonly CallPart[],
  { written }: Judgement,
): RuleProposal | undefined {
  const [head] = parts.length === 1 ? parts[0]!.heads : []
  const isCommand = parts.some(({ heads }) => heads.some(({ permission }) => permission === "shell.run"))
  if (!written && !isCommand && remedy.permission === "net.fetch" && head !== undefined) {
    const rule: Rule = { ...remedy, permission: head.permission }
    if (head.subject.kind === "host") return { rule, matches: host, differs: `other.${host}`, also: everyAddress }
    if (head.subject.kind === "command") return proposeMethod(rule, head.subject.argv)
  }
  const requests = parts.flatMap(({ effects }) => effects.filter((effect) => effect.kind === "net.fetch"))
  const methods = new Set(requests.map(({ method }) => method))
  const [method] = methods
  // Of what is no single known method an answer would say more than the question did: that takes a rule that somebody writes.
  if (methods.size > 1 || method === undefined) return undefined
  const pattern = `${method} ${host}`
  return {
    rule: { ...remedy, pattern },
    ...{ matches: pattern, differs: `${otherThan(method)} ${host}` },
    also: `${everyAddress}, and for every tool and command`,
  }
}

function proposeMethod(remedy: Rule, argv: readonly string[]): RuleProposal {
  const [method = "", place = ""] = argv
  const pattern = joinWords(argv)
  return {
    rule: { ...remedy, pattern },
    ...{ matches: pattern, differs: joinWords([otherThan(method), place]), also: everyAddress },
  }
}

const everyAddress = "it holds for every address of this host"

function otherThan(method: string): string {
  return method === "POST" ? "DELETE" : "POST"
}

/** Of a file in a folder of the workspace its folder; an ask that somebody wrote is lifted for the one file only. */
function proposePath(remedy: Rule, pattern: string, { written }: Judgement): RuleProposal {
  const name = nameOf(pattern)
  const folder = pattern.slice(0, Math.max(0, pattern.length - name.length - 1))
  if (name === "**") {
    return { rule: remedy, matches: `${folder}/a`, differs: `${sibling(folder)}/a` }
  }
  const widened = !written && remedy.permission.startsWith("fs.") && folder !== "" && !pattern.startsWith("/")
  if (!widened) return { rule: remedy, matches: pattern, differs: sibling(pattern) }
  const above = folder.includes("/") ? `${folder.slice(0, folder.lastIndexOf("/"))}/${name}` : name
  return { rule: { ...remedy, pattern: `${folder}/**` }, matches: pattern, differs: above }
}

/** The exact command, unless the program and its subcommand are known to do no more with other words. */
function proposeCommand(remedy: Rule, argv: readonly string[]): RuleProposal {
  const [program = "", subcommand = ""] = argv
  const matches = joinWords(argv)
  if (argv.length > 2 && isOpenSubcommand(program, subcommand)) {
    const beginning = joinWords([program, subcommand])
    return { rule: { ...remedy, pattern: `${beginning} *` }, matches, differs: `${program} other` }
  }
  return { rule: remedy, matches, differs: `${matches} more` }
}

function sibling(path: string): string {
  const name = nameOf(path)
  return `${path.slice(0, path.length - name.length)}other-${name}`
}

/** What the rule is about: of several commands in a line, the one that it names. */
function subjectFor({ permission, pattern }: Rule, parts: readonly CallPart[]): Subject | undefined {
  const heads = parts.flatMap((part) => part.heads).filter((head) => head.permission === permission && !head.strictOnly)
  const named = heads.find(({ subject }) => subject.kind === "command" && joinWords(subject.argv) === pattern)
  if (named) return named.subject
  if (heads[0]) return heads[0].subject
  for (const part of parts) {
    const effect = part.effects.find((each) => each.kind === permission)
    if (effect) return effect.kind === "net.fetch" ? { ...effect, kind: "host" } : { kind: "path", at: effect.at }
  }
  return undefined
}
