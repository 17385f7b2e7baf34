import {
  authorities,
  type CallPart,
  type Destination,
  type Effect,
  type PlacedRule,
  type Subject,
} from "@haft/contract"
import type { Facts } from "../src/rules/rule-book.js"
import { variables } from "./world.js"

/**
 * The evaluation of rules written a second time, straight from the design (GUARD 3.1 to 3.3): no index, no cache, no
 * compiled pattern, and nothing taken from the code that it is compared with.
 */
export function naiveVerdict(world: NaiveWorld): Verdict {
  const verdict = world.parts.map((part) => verdictOfPart(world, part)).reduce(stricter)
  world.reach(verdict)
  return verdict
}

/** A call with the rules that judge it, and a listener for the steps that are taken. */
export interface NaiveWorld {
  readonly rules: readonly PlacedRule[]
  readonly parts: readonly CallPart[]
  readonly facts: Facts
  reach(step: Step): void
}

export const steps = [
  "1: a star rule with a pattern matches",
  "2: a deny is set aside",
  "2: a deny applies because the inner rule is weaker",
  "2: a deny applies because nothing is inside",
  "2: an ask is set aside",
  "2: an ask applies",
  "2: a managed, manifest or final rule holds",
  "3: silent",
  "4: deny",
  "4: ask",
  "5: a head settles the part",
  "5: the effects settle the part",
  "5: opaque, so the effects settle nothing",
  "5: a host of a command is not covered",
  "5: a rule with a wildcard does not cover what a command deletes",
  "5: a rule with a wildcard does not cover what a command runs unseen",
  "doubt: a rule about commands asks, since what is run is not known",
  "doubt: a rule about commands asks, since code mentions it",
  "doubt: an exact allow settles it",
  "6: a star rule denies",
  "6: a star rule asks",
  "6: a star rule allows",
  "6: no star rule",
  "6: deny * is passed by authority",
  "6: deny * is passed by the same source",
  "6: an allow is too weak to pass deny *",
  "6: an allow of another source does not pass deny *",
  "6: an ask lifts deny *",
  "6: an ask is too weak to lift deny *",
  "allow",
  "ask",
  "deny",
] as const

export type Step = (typeof steps)[number]

type Verdict = "allow" | "ask" | "deny"
type Answer = Verdict | "silent"

/** A head or an effect with the rules that match it. */
interface Asked {
  readonly role: "head" | "effect"
  readonly permission: string
  readonly kind: Subject["kind"]
  readonly matching: readonly PlacedRule[]
}

function verdictOfPart({ rules, facts, reach }: NaiveWorld, part: CallPart): Verdict {
  const asked = [
    ...part.heads.map(({ permission, subject }) => ({ role: "head" as const, permission, subject })),
    ...part.effects.map((effect) => ({ role: "effect" as const, permission: effect.kind, subject: subjectOf(effect) })),
  ].map(({ role, permission, subject }): Asked => {
    const matching = rules.filter((rule) => matches(rule, permission, subject, facts))
    if (matching.some((rule) => rule.permission === "*")) reach("1: a star rule with a pattern matches")
    return { role, permission, kind: subject.kind, matching }
  })
  const answers = asked.map((each) => {
    const answer = answerOf(each.matching, each.kind, reach)
    return answer !== "deny" && isDoubtful(each, part, rules, reach) ? "ask" : answer
  })
  if (answers.includes("silent")) reach("3: silent")
  if (answers.includes("deny")) {
    reach("4: deny")
    return "deny"
  }
  const universal = rules.filter((rule) => rule.permission === "*" && isUniversal(rule))
  const left = universal
    .filter(({ action }) => action === "deny")
    .map((deny) => besideDeny(deny, part, asked, reach))
    .reduce(stricter, "allow")
  if (left === "deny") {
    reach("6: a star rule denies")
    return "deny"
  }
  if (answers.includes("ask")) {
    reach("4: ask")
    return "ask"
  }
  if (left === "ask") return "ask"
  if (isSettled(part, asked, answers, reach)) return "allow"
  const actions = universal.map(({ action }) => action)
  reach(
    actions.includes("ask")
      ? "6: a star rule asks"
      : actions.includes("allow")
        ? "6: a star rule allows"
        : "6: no star rule",
  )
  return actions.includes("allow") && !actions.includes("ask") ? "allow" : "ask"
}

/** Steps 2 and 3. */
function answerOf(matching: readonly PlacedRule[], kind: Subject["kind"], reach: NaiveWorld["reach"]): Answer {
  const holding = matching.filter((rule) => rule.action !== "allow" && holds(rule, matching, kind, reach))
  for (const action of ["deny", "ask"] as const) if (holding.some((rule) => rule.action === action)) return action
  return matching.some((rule) => rule.action === "allow") ? "allow" : "silent"
}

function holds(
  rule: PlacedRule,
  matching: readonly PlacedRule[],
  kind: Subject["kind"],
  reach: NaiveWorld["reach"],
): boolean {
  if (rule.final || rule.source.scope === "managed" || rule.source.scope === "manifest") {
    reach("2: a managed, manifest or final rule holds")
    return true
  }
  const inner = matching.filter((other) => isMilder(other, rule) && liesInside(other, rule, kind))
  if (rule.action === "ask") {
    reach(inner.length > 0 ? "2: an ask is set aside" : "2: an ask applies")
    return inner.length === 0
  }
  if (inner.some((other) => authorityOf(other) >= authorityOf(rule))) {
    reach("2: a deny is set aside")
    return false
  }
  const weaker = "2: a deny applies because the inner rule is weaker"
  reach(inner.length > 0 ? weaker : "2: a deny applies because nothing is inside")
  return true
}

/** Decision 025: rules about commands that somebody wrote ask where it cannot be known whether one of these is run. */
function isDoubtful(
  { role, permission, kind, matching }: Asked,
  { runs }: CallPart,
  rules: readonly PlacedRule[],
  reach: NaiveWorld["reach"],
): boolean {
  if (role !== "head" || kind !== "command" || runs === undefined) return false
  const doubtful = rules.filter((rule) => {
    if (rule.permission !== permission || rule.action === "allow" || isUniversal(rule) || authorityOf(rule) <= 0)
      return false
    return (
      runs.what === "anything" || rule.pattern!.split(" ").every((word) => hasStar(word) || mentions(runs.text, word))
    )
  })
  const exact = matching.filter(({ action, pattern = "*" }) => action === "allow" && !hasStar(pattern))
  const left = doubtful.filter((rule) => !exact.some((allow) => authorityOf(allow) >= authorityOf(rule)))
  if (left.length < doubtful.length) reach("doubt: an exact allow settles it")
  if (left.length === 0) return false
  const mentioned = "doubt: a rule about commands asks, since code mentions it"
  reach(runs.what === "code" ? mentioned : "doubt: a rule about commands asks, since what is run is not known")
  return true
}

function mentions(text: string, word: string): boolean {
  return text.split(/[^\w/-]+/).some((each) => each === word || each.endsWith(`/${word}`))
}

/** Step 5, with decision 025: a rule with a wildcard covers neither what a command deletes nor what it runs unseen. */
function isSettled(
  part: CallPart,
  asked: readonly Asked[],
  answers: readonly Answer[],
  reach: NaiveWorld["reach"],
  yes: readonly Answer[] = ["allow"],
): boolean {
  const allowed = (index: number) => yes.includes(answers[index]!)
  const isCommand = asked.some(({ role, permission }) => role === "head" && permission === "shell.run")
  const heads = asked.flatMap(({ role }, index) => (role === "head" && allowed(index) ? [index] : []))
  if (heads.length > 0) {
    const isOpen = (kind: string) =>
      isCommand && asked.some(({ permission }, index) => permission === kind && !allowed(index))
    const isWhole = heads.some((index) =>
      asked[index]!.matching.some(
        (rule) => [answers[index], "allow"].includes(rule.action) && (isUniversal(rule) || !hasStar(rule.pattern!)),
      ),
    )
    if (isOpen("net.fetch")) reach("5: a host of a command is not covered")
    else if (!isWhole && isOpen("fs.delete")) reach("5: a rule with a wildcard does not cover what a command deletes")
    else if (!isWhole && part.runs?.what === "anything")
      reach("5: a rule with a wildcard does not cover what a command runs unseen")
    else {
      reach("5: a head settles the part")
      return true
    }
  }
  const effects = asked.flatMap(({ role }, index) => (role === "effect" ? [index] : []))
  if (effects.length === 0 || !effects.every(allowed)) return false
  reach(part.opaque ? "5: opaque, so the effects settle nothing" : "5: the effects settle the part")
  return !part.opaque
}

/**
 * Step 6, its second half. What is left of a part beside one `deny *`: only allows and asks that are strong enough count.
 * The page speaks of the strongest such deny; each is looked at, since otherwise adding a deny could widen.
 */
function besideDeny(deny: PlacedRule, part: CallPart, asked: readonly Asked[], reach: NaiveWorld["reach"]): Verdict {
  const { scope } = deny.source
  const ownOnly = scope === "managed" || scope === "manifest"
  const isStrong = (rule: PlacedRule) =>
    ownOnly ? rule.source.scope === scope : authorityOf(rule) >= authorityOf(deny)
  const strong = asked.map((each) => ({
    ...each,
    matching: each.matching.filter((rule) => rule.action === "deny" || isStrong(rule)),
  }))
  const answers = strong.map(({ matching, kind }) => answerOf(matching, kind, unheard))
  if (!answers.includes("deny") && isSettled(part, strong, answers, unheard, ["allow", "ask"])) {
    if (answers.includes("ask")) reach("6: an ask lifts deny *")
    else reach(ownOnly ? "6: deny * is passed by the same source" : "6: deny * is passed by authority")
    return answers.includes("ask") ? "ask" : "allow"
  }
  const weak = asked.flatMap(({ matching }) => matching.filter((rule) => !isStrong(rule)))
  if (weak.some(({ action }) => action === "ask")) reach("6: an ask is too weak to lift deny *")
  const other = "6: an allow of another source does not pass deny *"
  if (weak.some(({ action }) => action === "allow")) reach(ownOnly ? other : "6: an allow is too weak to pass deny *")
  return "deny"
}

function unheard(): void {}

function stricter(one: Verdict, other: Verdict): Verdict {
  return one === "deny" || other === "deny" ? "deny" : one === "ask" || other === "ask" ? "ask" : "allow"
}

function isMilder(milder: PlacedRule, rule: PlacedRule): boolean {
  return milder.action === "allow" || (milder.action === "ask" && rule.action === "deny")
}

function authorityOf({ authority, source }: PlacedRule): number {
  return authority ?? authorities[source.scope]
}

function subjectOf(effect: Effect): Subject {
  return effect.kind === "net.fetch" ? { ...effect, kind: "host" } : { kind: "path", at: effect.at }
}

function isUniversal({ pattern }: PlacedRule): boolean {
  return pattern === undefined || pattern === "*" || pattern === "**"
}

/** Step 1, with the patterns of 3.1. */
function matches(rule: PlacedRule, permission: string, subject: Subject, { isTracked }: Facts): boolean {
  if (rule.permission === "*" ? isUniversal(rule) : rule.permission !== permission) return false
  if (rule.untrackedOnly && subject.kind === "path" && isTracked(subject.at.resolved)) return false
  return isUniversal(rule) || patterns[subject.kind].matches(rule.pattern!, subject as never, rule.action !== "allow")
}

/** 3.2: whether one rule is inside another, for a subject of a kind. */
function liesInside(inner: PlacedRule, outer: PlacedRule, kind: Subject["kind"]): boolean {
  if (outer.permission !== "*" && outer.permission !== inner.permission) return false
  if (isUniversal(inner)) return false
  if (isUniversal(outer)) return true
  const { number, inside } = patterns[kind]
  return number(inner.pattern!) > number(outer.pattern!) && inside(inner.pattern!, outer.pattern!)
}

interface PatternKind<Kind extends Subject["kind"]> {
  matches(pattern: string, subject: Extract<Subject, { kind: Kind }>, strict: boolean): boolean
  number(pattern: string): number
  inside(inner: string, outer: string): boolean
}

const hasStar = (text: string) => /[*?]/.test(text)

/** Class, then how many parts have no wildcard. */
function numberOf(patternClass: 1 | 2 | 3, fixed: number): number {
  return 100 * patternClass + Math.min(99, fixed)
}

function globTest(glob: string, text: string): boolean {
  if (glob === "") return text === ""
  if (glob[0] === "*") return globTest(glob.slice(1), text) || (text !== "" && globTest(glob, text.slice(1)))
  return text !== "" && (glob[0] === "?" || glob[0] === text[0]) && globTest(glob.slice(1), text.slice(1))
}

const path: PatternKind<"path"> = {
  matches: (pattern, { at }, strict) =>
    strict
      ? [at.absolute, at.resolved].some((each) => pathTest(absolute(pattern).toLowerCase(), each.toLowerCase()))
      : pathTest(absolute(pattern), at.resolved),
  number(pattern) {
    const parts = partsOf(absolute(pattern))
    const fixed = parts.filter((part) => !hasStar(part)).length
    return numberOf(parts.at(-1) === "**" ? 1 : fixed < parts.length ? 2 : 3, fixed)
  },
  inside(innerPattern, outerPattern) {
    const [inner, outer] = [absolute(innerPattern).toLowerCase(), absolute(outerPattern).toLowerCase()]
    if (!hasStar(inner)) return pathTest(outer, inner)
    const [begin, rest] = splitAtStar(outer)
    const [ownBegin, ownRest] = splitAtStar(inner)
    if (rest[0] !== "**" || begin.some((part, index) => ownBegin[index] !== part)) return false
    if (rest.length === 1) return true
    if (ownBegin.length > begin.length && ownRest.join("/") === rest.join("/")) return true
    const [name, glob] = [/^\/\*\*\/([^/*?]+)$/.exec(inner)?.[1], /^\/\*\*\/([^/]+)$/.exec(outer)?.[1]]
    return name !== undefined && glob !== undefined && globTest(glob, name)
  },
}

function absolute(pattern: string): string {
  if (pattern.startsWith("/")) return pattern
  if (pattern.startsWith("~/")) return variables.home + pattern.slice(1)
  return pattern.startsWith("**/") ? `/${pattern}` : `${variables.workspace[0]}/${pattern}`
}

function partsOf(pattern: string): readonly string[] {
  return pattern.split("/").slice(1)
}

function splitAtStar(pattern: string): readonly [readonly string[], readonly string[]] {
  const parts = partsOf(pattern)
  const at = parts.findIndex(hasStar)
  return [parts.slice(0, at), parts.slice(at)]
}

function pathTest(pattern: string, text: string): boolean {
  const walk = (parts: readonly string[], names: readonly string[]): boolean => {
    const [part, ...rest] = parts
    if (part === undefined) return names.length === 0
    if (part === "**") return walk(rest, names) || (names.length > 0 && walk(parts, names.slice(1)))
    return names.length > 0 && globTest(part, names[0]!) && walk(rest, names.slice(1))
  }
  return walk(partsOf(pattern), partsOf(text))
}

const host: PatternKind<"host"> = {
  matches: (pattern, subject, strict) => hostTest(pattern, subject, strict),
  number(pattern) {
    const { name, port, method } = hostParts(pattern)
    const labels = name.split(".").filter((label) => label !== "*").length
    const more = (port === undefined ? 0 : 50) + (method === undefined ? 0 : 25)
    return numberOf(name.startsWith("*.") ? 1 : 3, labels + more)
  },
  inside(inner, outer) {
    const [own, other] = [hostParts(inner), hostParts(outer)]
    if (other.port !== undefined && other.port !== own.port) return false
    if (other.method !== undefined && other.method !== own.method) return false
    if (own.name.startsWith("*.")) return other.name.startsWith("*.") && own.name.endsWith(other.name.slice(1))
    return hostTest(other.name, { host: own.name }, false)
  },
}

interface HostParts {
  readonly name: string
  readonly port: number | undefined
  readonly method: string | undefined
}

function hostParts(pattern: string): HostParts {
  const words = pattern.split(" ")
  const [name, port] = words.at(-1)!.split(":")
  return {
    name: name!,
    port: port === undefined ? undefined : Number(port),
    method: words.length > 1 ? words[0] : undefined,
  }
}

function hostTest(pattern: string, subject: Destination, strict: boolean): boolean {
  const { name, port, method } = hostParts(pattern)
  if (port !== undefined && subject.port !== port && !(strict && subject.port === undefined)) return false
  if (method !== undefined && subject.method !== method && !(strict && subject.method === undefined)) return false
  const asked = subject.host.toLowerCase()
  return name.startsWith("*.") ? asked.endsWith(name.slice(1)) && asked !== name.slice(2) : asked === name
}

const command: PatternKind<"command"> = {
  matches(pattern, { argv, program = 0 }, strict) {
    const named = pattern.split(" ")[program] ?? "*"
    return (strict || program === 0 || !hasStar(named)) && commandTest(pattern, argv, strict)
  },
  number(pattern) {
    const words = pattern.split(" ")
    const fixed = words.filter((word) => !hasStar(word)).length
    return numberOf(words.at(-1) === "*" ? 1 : fixed < words.length ? 2 : 3, fixed)
  },
  inside(inner, outer) {
    if (!hasStar(inner)) return commandTest(outer, inner.split(" "), true)
    const begin = outer.split(" ").slice(0, -1)
    if (!outer.endsWith(" *") || begin.some(hasStar)) return false
    return begin.every((word, index) => inner.split(" ")[index] === word)
  },
}

function commandTest(pattern: string, argv: readonly string[], strict: boolean): boolean {
  const words = pattern.split(" ")
  const open = words.at(-1) === "*"
  const fixed = open ? words.slice(0, -1) : words
  if (open ? argv.length < fixed.length : argv.length !== fixed.length) return false
  return fixed.every((word, index) => {
    const given = argv[index]!
    return globTest(word, given) || (strict && index === 0 && globTest(word, given.slice(given.lastIndexOf("/") + 1)))
  })
}

const argument: PatternKind<"arguments"> = {
  matches(pattern, { values }, strict) {
    const [name, glob] = pattern.split("=") as [string, string]
    const value = values[name]
    const fits = (each: unknown) => typeof each === "string" && globTest(glob, each)
    if (!Array.isArray(value)) return fits(value)
    return strict ? value.some(fits) : value.length > 0 && value.every(fits)
  },
  number: (pattern) => (hasStar(pattern) ? numberOf(2, 0) : numberOf(3, 1)),
  inside: (inner, outer) =>
    !hasStar(inner) && argument.matches(outer, { kind: "arguments", values: valuesOf(inner) }, true),
}

function valuesOf(pattern: string): Readonly<Record<string, string>> {
  const [name, value] = pattern.split("=") as [string, string]
  return { [name]: value }
}

const patterns = { path, host, command, arguments: argument }
