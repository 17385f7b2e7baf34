import { authorities, type CallPart, type Effect, type Head, type Subject } from "@haft/contract"
import { mayBegin, mentionsCommand } from "./pattern/command-pattern.js"
import { exact, numberOf } from "./pattern/number.js"
import { type CompiledRule, comparePrecedence, type Settled, settle } from "./rule.js"
import { type Facts, matchesRule, matchingRules, type RuleBook } from "./rule-book.js"

/** A head or an effect of a call with the answer of the rules. */
export interface Answered extends Settled {
  readonly permission: string
  readonly subject: Subject
  readonly role: "head" | "effect"
}

/** A part of a call with the answers for all its heads and effects. */
export interface EvaluatedPart {
  readonly part: CallPart
  readonly answers: readonly Answered[]
  readonly verdict: "allow" | "deny" | "ask"
  /** The rule that answered for the part as a whole: a `*` rule, or the ask that a `deny *` leaves; undefined when none did. */
  readonly fallback: CompiledRule | undefined
}

/** The rules applied to a whole call. */
export interface Evaluation {
  readonly verdict: "allow" | "deny" | "ask"
  readonly parts: readonly EvaluatedPart[]
}

/** A call that is judged: its parts, and perhaps one rule that is tried in addition. */
export interface EvaluationRequest {
  readonly parts: readonly CallPart[]
  readonly facts: Facts
  readonly extra?: readonly CompiledRule[]
}

/** Answers every head and effect, then decides each part; the strictest part decides. The order of rules has no influence. */
export function evaluate(book: RuleBook, request: EvaluationRequest): Evaluation {
  const parts = request.parts.map((part) => evaluatePart(book, part, request))
  return { verdict: strictest(parts) ?? "ask", parts }
}

function evaluatePart(book: RuleBook, part: CallPart, request: EvaluationRequest): EvaluatedPart {
  const answers: Answered[] = []
  for (const head of part.heads) answers.push(answerHead(book, part, head, request))
  for (const effect of part.effects) answers.push(answer(book, effect.kind, subjectOf(effect), "effect", request))
  const objection = strictest(answers)
  if (objection === "deny") return { part, answers, verdict: "deny", fallback: undefined }
  const exception = book.universalDenies.length > 0 ? exceptionOf(book.universalDenies, part, answers) : undefined
  if (exception?.verdict === "deny") return { part, answers, ...exception }
  if (objection === "ask") return { part, answers, verdict: "ask", fallback: undefined }
  if (exception?.verdict === "ask") return { part, answers, ...exception }
  if (isSettled(part, answers)) return { part, answers, verdict: "allow", fallback: undefined }
  const fallback = book.fallbacks[0]
  return { part, answers, verdict: fallback?.placed.action ?? (isHarmless(part) ? "allow" : "ask"), fallback }
}

/**
 * What each `deny *` leaves of a part: nothing, unless allows and asks that are strong enough for it settle the part by
 * themselves. Every one of them is looked at, not only the strongest: adding a deny must never widen.
 */
function exceptionOf(
  denies: readonly CompiledRule[],
  part: CallPart,
  answers: readonly Answered[],
): Pick<EvaluatedPart, "verdict" | "fallback"> | undefined {
  let asked: CompiledRule | undefined
  for (const deny of denies) {
    const strong = answers.map((each, index) =>
      part.heads[index]?.strictOnly
        ? { ...each, verdict: "silent" as const }
        : { ...each, ...strongAnswer(each, deny) },
    )
    if (strong.some(({ verdict }) => verdict === "deny")) return { verdict: "deny", fallback: deny }
    // A person may still say yes to what a strong ask is about, so here it counts like an allow.
    if (!isSettled(part, strong, isAllowedOrAsked)) return { verdict: "deny", fallback: deny }
    asked ??= strong.find(({ verdict }) => verdict === "ask")?.decided
  }
  return asked && { verdict: "ask", fallback: asked }
}

function strongAnswer({ matched }: Answered, deny: CompiledRule): Settled {
  return settle(matched.filter((rule) => rule.placed.action === "deny" || isStrongEnough(rule, deny)))
}

/** A `deny *` of a manifest makes an allow-list of that manifest, to which nobody else adds; likewise for managed rules. */
function isStrongEnough(rule: CompiledRule, deny: CompiledRule): boolean {
  const { scope } = deny.placed.source
  if (scope === "manifest" || scope === "managed") return rule.placed.source.scope === scope
  return rule.authority >= deny.authority
}

/** A command such as `true` or `pwd`: there is nothing that a rule could be about, so only a `*` rule speaks of it. */
function isHarmless({ harmless, opaque, effects }: CallPart): boolean {
  return harmless === true && !opaque && effects.length === 0
}

/** A head that only strict rules look at: what has no pattern already spoke about the head of that permission that it comes with. */
function answerHead(book: RuleBook, part: CallPart, head: Head, request: EvaluationRequest): Answered {
  const { permission, subject, strictOnly } = head
  const found = answer(book, permission, subject, "head", request)
  if (!strictOnly) return subject.kind === "command" ? withDoubt(book, part, { ...found, subject }) : found
  const isSpokenFor = part.heads.some((other) => !other.strictOnly && other.permission === permission)
  const { verdict, decided } = settle(found.matched.filter((rule) => rule.pattern !== undefined || !isSpokenFor))
  return verdict === "deny" || verdict === "ask"
    ? { ...found, verdict, decided }
    : { ...found, verdict: "silent", decided: undefined }
}

function answer(
  book: RuleBook,
  permission: string,
  subject: Subject,
  role: Answered["role"],
  { facts, extra }: EvaluationRequest,
): Answered {
  let matched = matchingRules(book, permission, subject, facts)
  if (extra) {
    const more = extra.filter((rule) => rule.placed.permission === permission && matchesRule(rule, subject, facts))
    if (more.length > 0) matched = [...matched, ...more]
  }
  const { verdict, decided } = settle(matched)
  return { permission, subject, role, verdict, decided, matched }
}

type CommandSubject = Extract<Subject, { kind: "command" }>

/**
 * Rules against certain commands, written by somebody, also ask where it cannot be known whether a command is or runs one of
 * them: its words or what it runs are not known, or code that is not followed mentions it. An allow for exactly this command settles that.
 */
function withDoubt(book: RuleBook, { runs }: CallPart, found: Answered & { subject: CommandSubject }): Answered {
  const { argv, begins = [] } = found.subject
  if (found.verdict === "deny" || (runs === undefined && argv.length > 0)) return found
  const objections = book.rulesFor(found.permission).others.filter(({ placed, pattern, authority }) => {
    // A star rule is about paths and hosts as well, and says nothing of programs.
    if (placed.action === "allow" || placed.permission === "*" || pattern?.kind !== "command") return false
    if (authority <= authorities.defaults) return false
    if (found.matched.some((rule) => isExactAllow(rule) && rule.authority >= authority)) return false
    if (runs?.what === "anything" || (argv.length === 0 && mayBegin(pattern, begins))) return true
    return runs?.what === "code" && mentionsCommand(runs.text, pattern)
  })
  if (objections.length === 0) return found
  return { ...found, verdict: "ask", decided: objections.toSorted(comparePrecedence)[0] }
}

function isExactAllow({ placed, pattern }: CompiledRule): boolean {
  return placed.action === "allow" && pattern !== undefined && pattern.number >= numberOf(exact, 0)
}

/**
 * An allowed head covers silent effects, except the hosts of a command: those must be allowed themselves. What a command
 * deletes, and what it runs that cannot be known, is covered only by a rule for exactly this command or for all of them.
 */
function isSettled(part: CallPart, answers: readonly Answered[], isYes = isAllowed): boolean {
  const effects = answers.filter((each) => each.role === "effect")
  const heads = answers.filter((each) => each.role === "head" && isYes(each))
  const isCommand = part.heads.some((head) => head.permission === "shell.run")
  if (heads.length > 0) {
    const isWhole = !isCommand || heads.some(namesWholeCommand)
    const uncovered = isCommand ? (isWhole ? hosts : hostsAndDeletes) : nothing
    if (
      (isWhole || part.runs?.what !== "anything") &&
      effects.every((each) => !uncovered.has(each.permission) || isYes(each))
    )
      return true
  }
  return !part.opaque && effects.length > 0 && effects.every(isYes)
}

const nothing: ReadonlySet<string> = new Set()
const hosts: ReadonlySet<string> = new Set(["net.fetch"])
const hostsAndDeletes: ReadonlySet<string> = new Set(["net.fetch", "fs.delete"])

function isAllowed({ verdict }: Answered): boolean {
  return verdict === "allow"
}

function isAllowedOrAsked({ verdict }: Answered): boolean {
  return verdict === "allow" || verdict === "ask"
}

/** Whether a rule that says yes has no wildcard, or no pattern at all. */
function namesWholeCommand({ matched, verdict }: Answered): boolean {
  return matched.some(
    ({ placed: { action }, pattern }) =>
      (action === "allow" || (action === "ask" && verdict === "ask")) &&
      (pattern === undefined || pattern.number >= numberOf(exact, 0)),
  )
}

/** Deny over ask over allow; undefined when there is none of them. */
function strictest(list: readonly { readonly verdict: Answered["verdict"] }[]): EvaluatedPart["verdict"] | undefined {
  let found: EvaluatedPart["verdict"] | undefined
  for (const { verdict } of list) {
    if (verdict === "deny") return "deny"
    if (verdict === "ask") found = "ask"
    else if (verdict === "allow") found ??= "allow"
  }
  return found
}

function subjectOf(effect: Effect): Subject {
  return effect.kind === "net.fetch" ? { ...effect, kind: "host" } : { kind: "path", at: effect.at }
}
