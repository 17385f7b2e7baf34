import type { AnyManifest, BeatenRule, CallPart, FileEffectKind, Finding, Judgement, Mode } from "@haft/contract"
import { type Answered, type Evaluation, evaluate } from "./evaluate.js"
import { findRemedies } from "./remedy.js"
import {
  type CompiledRule,
  comparePrecedence,
  describeSubject,
  ruleInside,
  setAsideBy,
  settle,
  subjectWords,
} from "./rule.js"
import { type Facts, matchingPathRules, type RuleBook } from "./rule-book.js"

/** Judges a whole call by the rules: the verdict, the rule that decided, how each effect was found, and the way out. */
export function judge(book: RuleBook, parts: readonly CallPart[], facts: Facts): Judgement {
  const evaluation = evaluate(book, { parts, facts })
  if (evaluation.verdict === "allow") return permission(evaluation)
  const { verdict } = evaluation
  const decision = objected(evaluation)
  const final = verdict === "ask" && asksFinally(evaluation)
  const remedies = final ? [] : findRemedies(book, { parts, facts }, evaluation)
  return {
    verdict,
    reason: objectionWords(verdict, decision),
    ...(decision.rule ? { decided: decision.rule.deciding } : {}),
    written: verdict === "ask" && decision.rule !== undefined,
    final,
    findings: findingsOf(evaluation),
    ...(remedies.length === 1 ? { remedy: remedies[0]! } : {}),
    ...(remedies.length > 1 ? { remedies } : {}),
  }
}

/** Names the first rule that settled the call: of its effects, else of its heads. */
function permission(evaluation: Evaluation): Judgement {
  const ruled = evaluation.parts.find((part) => part.fallback ?? part.answers.some((answer) => answer.decided))
  const { answers, fallback } = (ruled ?? evaluation.parts[0])!
  const effect = answers.find((answer) => answer.role === "effect")
  const about = effect?.verdict === "allow" ? effect : answers.find((answer) => answer.verdict === "allow")
  const rule = about?.decided ?? fallback
  return {
    verdict: "allow",
    reason: rule?.allowance ?? "it changes and reveals nothing, so no rule is needed",
    ...(rule ? { decided: rule.deciding } : {}),
    written: false,
    final: false,
    findings: findingsOf(evaluation),
  }
}

/** What decided: a rule with what it is about, a `*` rule about a whole part, or nothing at all. */
interface Decision {
  readonly rule: CompiledRule | undefined
  readonly about: Answered | undefined
}

function objected({ verdict, parts }: Evaluation): Decision {
  let best: Decision | undefined
  for (const part of parts) {
    if (part.verdict !== verdict) continue
    for (const answer of part.answers) {
      if (answer.verdict !== verdict || !answer.decided) continue
      if (!best?.rule || comparePrecedence(answer.decided, best.rule) < 0)
        best = { rule: answer.decided, about: answer }
    }
  }
  if (best) return best
  const unsettled = parts.find((part) => part.verdict === verdict)
  const open = unsettled?.answers.find((answer) => answer.role === "effect" && answer.verdict === "silent")
  return { rule: unsettled?.fallback, about: open ?? unsettled?.answers[0] }
}

function asksFinally({ parts }: Evaluation): boolean {
  return parts.some(
    (part) =>
      part.fallback?.alwaysApplies === true ||
      part.answers.some((answer) => answer.verdict === "ask" && answer.decided?.alwaysApplies === true),
  )
}

function objectionWords(verdict: "deny" | "ask", { rule, about }: Decision): string {
  const what = about ? `${about.permission} of ${describeSubject(about.subject)}` : "the call"
  if (!rule) return `no rule settles ${what}`
  const why = rule.placed.why === undefined ? "" : `: ${rule.placed.why}`
  if (verdict === "ask" && rule.placed.action === "deny")
    return `it cannot be known whether ${what} runs what ${rule.text} (${rule.deciding.source}) denies${why}`
  const verb = verdict === "deny" ? "denies" : "asks before"
  return `${rule.text} (${rule.deciding.source}) ${verb} ${what}${why}`
}

function findingsOf({ parts }: Evaluation): Judgement["findings"] {
  if (parts.length === 1) return parts[0]!.answers.map(findingOf)
  return parts.flatMap((part) => part.answers.map(findingOf))
}

/** How one head or effect was decided, for people. */
function findingOf(answer: Answered): Finding {
  const { permission, subject, verdict, decided } = answer
  const words = subjectWords(subject)
  if (!decided) return { permission, subject: words, verdict, beaten: none }
  return { permission, subject: words, verdict, decided: decided.deciding, beaten: beatenBy(decided, answer.matched) }
}

const none: readonly BeatenRule[] = []

function beatenBy(decided: CompiledRule, matched: readonly CompiledRule[]): readonly BeatenRule[] {
  if (matched.length < 2) return none
  const ranked = matched.toSorted(comparePrecedence)
  return ranked
    .filter((rule) => rule !== decided)
    .map((rule) => ({
      text: rule.text,
      specificity: rule.number,
      authority: rule.authority,
      source: rule.deciding.source,
      because: becauseOf(rule, decided, ranked),
    }))
}

function becauseOf(rule: CompiledRule, decided: CompiledRule, matched: readonly CompiledRule[]): string {
  const aside = rule.strict ? setAsideBy(rule, matched) : undefined
  if (aside) return `${aside.text} is inside it`
  if (rule.placed.action === decided.placed.action) return `${decided.text} says the same and is named first`
  // What is left is milder than the rule that decided and could not set it aside.
  if (decided.alwaysApplies) return `${decided.text} always applies`
  if (!ruleInside(rule, decided)) return `it is not inside ${decided.text}`
  return `its authority ${rule.authority} is below ${decided.authority}`
}

/** The answer of the rules for one file, without explanation: quick enough for every hit of a search. */
export function judgeFile(
  book: RuleBook,
  kind: FileEffectKind,
  resolvedPath: string,
  facts: Facts,
): "allow" | "deny" | "ask" | "silent" {
  const rules = book.rulesFor(kind)
  const matched = matchingPathRules(rules, { absolute: resolvedPath, resolved: resolvedPath }, facts)
  // Most files meet a single rule, and that rule is the answer.
  return matched.length === 1 ? matched[0]!.placed.action : settle(matched).verdict
}

/** Whether the rules deny a file; quick enough for every name of a workspace. */
export function deniesFile(book: RuleBook, kind: FileEffectKind, resolvedPath: string, facts: Facts): boolean {
  if (!book.rulesFor(kind).deniedPaths.mayMatch(resolvedPath)) return false
  return judgeFile(book, kind, resolvedPath, facts) === "deny"
}

/** Whether the rules deny none of these names in a folder, which have slashes between them; false where that is not plain. */
export function deniesNoneIn(book: RuleBook, folder: string, names: string): boolean {
  return secretKinds.every((kind) => !book.rulesFor(kind).deniedPaths.mayMatchIn(folder, names))
}

/**
 * Whether former content of a file may be kept: not when a rule names it as a secret. That a person lets it be read
 * does not make it less of a secret, so only another built-in rule, such as the one for samples, lifts this.
 */
export function mayKeepCopy(book: RuleBook, resolvedPath: string, facts: Facts): boolean {
  return secretKinds.every((kind) => {
    const rules = book.rulesFor(kind)
    if (!rules.deniedPaths.mayMatch(resolvedPath)) return true
    const matched = matchingPathRules(rules, { absolute: resolvedPath, resolved: resolvedPath }, facts)
    const builtIn = matched.filter(({ placed }) => placed.source.scope === "defaults")
    return !matched.some(
      (rule) => rule.placed.action === "deny" && rule.placed.secret === true && !setAsideBy(rule, builtIn),
    )
  })
}

const secretKinds: readonly FileEffectKind[] = ["fs.read", "fs.write"]

/** What a mode decides by. */
export interface ModeInput {
  readonly mode: Mode
  readonly judgement: Judgement
  readonly watchdog: "pass" | "ask"
  readonly tool: AnyManifest
  /** True when every effect of the call stays inside the roots, a full sandbox and the granted hosts. */
  readonly contained: boolean
}

/** What remains of a verdict in a mode. `converted` says that an ask became allow. */
export interface ModeOutcome {
  readonly verdict: "allow" | "deny" | "ask"
  readonly reason: string
  readonly converted: boolean
}

/** Applies a mode after rules and watchdog: only `auto` converts, and only asks that nobody wrote. */
export function applyMode({ mode, judgement, watchdog, tool, contained }: ModeInput): ModeOutcome {
  if (judgement.verdict === "deny") return kept("deny", "no mode beats a deny")
  if (watchdog === "ask") return kept("ask", "an ask of the watchdog is final")
  if (judgement.verdict === "allow") return kept("allow", "the rules allow it")
  if (mode !== "auto") return kept("ask", `mode ${mode} asks for what no rule settles`)
  if (judgement.final) return kept("ask", "only a person may answer a final ask")
  if (judgement.written) return kept("ask", "a rule says to ask")
  if (!isConvertible(tool)) return kept("ask", `mode auto never answers for ${tool.id}`)
  if (!contained) return kept("ask", "mode auto answers only for what stays inside the roots and the sandbox")
  return { verdict: "allow", reason: "mode auto: no rule objects and every effect is contained", converted: true }
}

function kept(verdict: ModeOutcome["verdict"], reason: string): ModeOutcome {
  return { verdict, reason, converted: false }
}

/** Tools that reach what no sandbox can hold need a rule of their own. */
function isConvertible({ requires, inAutoMode }: AnyManifest): boolean {
  if (inAutoMode === "never") return false
  const capabilities: readonly string[] = requires.capabilities ?? []
  return !["clipboard", "config", "servers"].some((name) => capabilities.includes(name))
}

/** Of a child's own judgement and its parent's the one that holds: deny over ask over allow, a final ask over others. */
export function stricterJudgement(own: Judgement, parent: Judgement): Judgement {
  return rank(parent) > rank(own) ? parent : own
}

function rank({ verdict, written, final }: Judgement): number {
  if (verdict === "deny") return 4
  if (verdict === "allow") return 0
  return final ? 3 : written ? 2 : 1
}
