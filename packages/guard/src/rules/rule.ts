import {
  type Action,
  authorities,
  type DecidingRule,
  type Located,
  type PlacedRule,
  type Rule,
  type RuleSource,
  type Subject,
  ToolError,
} from "@haft/contract"
import { type Pattern, patternInside } from "./pattern/pattern.js"

/** A rule made ready for one kind of subject. */
export interface CompiledRule {
  readonly placed: PlacedRule
  /** Undefined when the rule is universal. */
  readonly pattern: Pattern | undefined
  readonly text: string
  readonly number: number
  readonly authority: number
  /** Deny and ask compare strictly: the spelled and the resolved path, folded. */
  readonly strict: boolean
  /** No other rule sets it aside. */
  readonly alwaysApplies: boolean
  /** What findings and judgements show when this rule decides. */
  readonly deciding: DecidingRule
  /** The reason of a call that this rule allows; worded once, since most calls are allowed. */
  readonly allowance: string
}

/** Puts a placed rule and its compiled pattern together. */
export function compiledRule(placed: PlacedRule, pattern: Pattern | undefined): CompiledRule {
  const { action, source } = placed
  const strict = action !== "allow"
  const text = formatRule(placed)
  const number = pattern?.number ?? 0
  const authority = placed.authority ?? authorities[source.scope]
  const immutable = placed.final === true || source.scope === "managed" || source.scope === "manifest"
  const alwaysApplies = strict && immutable
  const deciding = {
    rule: placed,
    text,
    specificity: number,
    authority,
    source: describeSource(source),
    final: alwaysApplies,
  }
  const allowance = `${text} (${deciding.source}) allows it`
  return { placed, pattern, text, number, authority, strict, alwaysApplies, deciding, allowance }
}

/** Whether the inner rule is inside the outer, so that it may set it aside. */
export function ruleInside(inner: CompiledRule, outer: CompiledRule): boolean {
  const { permission } = outer.placed
  // A rule about everything is never a special case of a rule about one thing.
  if (permission !== "*" && permission !== inner.placed.permission) return false
  if (inner.pattern === undefined || inner.number <= outer.number) return false
  return outer.pattern === undefined || patternInside(inner.pattern, outer.pattern)
}

/** Which of two rules with the same verdict is named first; the same for every order of the rules. */
export function comparePrecedence(left: CompiledRule, right: CompiledRule): number {
  return (
    Number(right.alwaysApplies) - Number(left.alwaysApplies) ||
    right.number - left.number ||
    right.authority - left.authority ||
    compareText(left.text, right.text) ||
    compareText(left.deciding.source, right.deciding.source) ||
    compareText(left.placed.action, right.placed.action) ||
    Number(left.placed.untrackedOnly ?? false) - Number(right.placed.untrackedOnly ?? false)
  )
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** The answer of the matching rules for one head or effect. */
export interface Settled {
  readonly verdict: "allow" | "deny" | "ask" | "silent"
  readonly decided: CompiledRule | undefined
  readonly matched: readonly CompiledRule[]
}

/** Deny if a deny applies, else ask if an ask applies, else allow if an allow matches, else silent. */
export function settle(matched: readonly CompiledRule[]): Settled {
  if (matched.length === 0) return silent
  const decided = strongest(matched, "deny") ?? strongest(matched, "ask") ?? strongest(matched, "allow")
  return { verdict: decided?.placed.action ?? "silent", decided, matched }
}

/** A milder matching rule that is inside and, against a deny, has at least the same authority. */
export function setAsideBy(rule: CompiledRule, matched: readonly CompiledRule[]): CompiledRule | undefined {
  if (rule.alwaysApplies) return undefined
  return matched.find((other) => isMilder(other, rule) && hasAuthority(other, rule) && ruleInside(other, rule))
}

const silent: Settled = { verdict: "silent", decided: undefined, matched: [] }

function strongest(matched: readonly CompiledRule[], action: "allow" | "deny" | "ask"): CompiledRule | undefined {
  let best: CompiledRule | undefined
  for (const rule of matched) {
    if (rule.placed.action !== action) continue
    if (rule.strict && setAsideBy(rule, matched)) continue
    if (best === undefined || comparePrecedence(rule, best) < 0) best = rule
  }
  return best
}

function isMilder(milder: CompiledRule, rule: CompiledRule): boolean {
  if (milder === rule) return false
  return rule.placed.action === "deny" ? milder.placed.action !== "deny" : milder.placed.action === "allow"
}

function hasAuthority(milder: CompiledRule, rule: CompiledRule): boolean {
  return rule.placed.action !== "deny" || milder.authority >= rule.authority
}

/** A rule without its action, as flags take it: `fs.read(src/**)`. */
export function formatRule(rule: Rule): string {
  return rule.pattern === undefined ? rule.permission : `${rule.permission}(${rule.pattern})`
}

/** Writes words so that a command pattern splits them again, as exact words. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ")
}

/** Where a rule is, in words: `project haft.jsonc:41`, `flag`, `defaults`. */
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

/** The flag that answers in advance what only a person may allow. */
export const answerFlag = "--yes"

/** A subject in a sentence: quoted, where there is something to quote. */
export function describeSubject(subject: Subject): string {
  const words = subjectWords(subject)
  return subject.kind === "arguments" ? words : `"${words}"`
}

/** A subject in plain words, for tables. */
export function subjectWords(subject: Subject): string {
  switch (subject.kind) {
    case "path":
      return shortened(pathWords(subject.at))
    case "host":
      return hostWords(subject)
    case "command":
      return shortened(subject.text ?? joinWords(subject.argv))
    case "arguments":
      return "its arguments"
  }
}

// Long enough for every command and path that a person would read to its end.
const longest = 1_000

/** The beginning of a text that would fill the screen; the arguments of the call have it whole. */
function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length - longest} more characters)`
}

function pathWords({ spelled, meant, absolute, resolved, named = resolved }: Located): string {
  return absolute === named && meant === undefined ? spelled : `${spelled} -> ${named}`
}

function hostWords({ host, port }: { readonly host: string; readonly port?: number }): string {
  // An address of the sixth version has colons of its own.
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
  return port === undefined ? name : `${name}:${port}`
}

/** Whether a host, perhaps with a port, is of this machine or its network, as far as its spelling tells. */
export function isOwnNetwork(host: string): boolean {
  return ownNetwork.test(host)
}

const ownNetwork =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|(?:.*\.)?localhost\.?(?::|$)|\[?(?:::|f[cd][0-9a-f]{2}:|fe80:))/i

/** Reads a rule as flags write it: `permission` or `permission(pattern)`. */
export function parseRule(text: string, action: Action): Rule {
  const trimmed = text.trim()
  const open = trimmed.indexOf("(")
  const permission = open < 0 ? trimmed : trimmed.slice(0, open).trimEnd()
  if (!/^(\*|[A-Za-z][\w.:-]*)$/.test(permission)) throw badRule(text, permissionProblem(permission))
  if (open < 0) return { permission, action }
  if (!trimmed.endsWith(")")) throw badRule(text, 'the parenthesis is not closed; end it with ")"')
  // From the first to the last parenthesis: names of files may hold some of their own.
  const pattern = trimmed.slice(open + 1, -1)
  if (pattern.trim() === "") throw badRule(text, `the pattern is empty; write "${permission}" alone to mean every call`)
  return { permission, pattern, action }
}

/** Reads a rule with its action in front: `allow fs.write(docs/**)`. */
export function parseWholeRule(text: string): Rule {
  const [, action, rest] = /^\s*(\S+)\s+(.+)$/s.exec(text) ?? []
  if (action === "allow" || action === "deny" || action === "ask") return parseRule(rest!, action)
  throw new ToolError("invalid_args", `Cannot read the rule "${text}": it must begin with allow, deny or ask`, {
    hint: "A rule looks like allow fs.write(docs/**), deny bash(git push *) or ask todo",
  })
}

function permissionProblem(permission: string): string {
  const expected = "a tool id, a capability such as fs.read, or *"
  if (permission === "") return `it names no permission; start with ${expected}`
  const [name, ...rest] = permission.split(/[\s:]+/)
  if (rest.length > 0 && name) return `expected one permission; write "${name}(${rest.join(" ")})"`
  return `"${permission}" is no permission; write ${expected}`
}

function badRule(text: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot read the rule "${text}": ${reason}`, {
    hint: "A rule looks like fs.read(src/**), bash(git push *) or todo",
  })
}
