import { type Action, isSameRule, type PlacedRule, type Rule } from "@haft/contract"
import { type ForeignRule, type ForeignSubject, firstMatch, type Matcher, translate } from "@haft/dialects"
import { compileRule, describeSource, ruleInside, type Variables } from "@haft/guard"
import type { ForeignPlace } from "./foreign-file.js"

/** One rule of another program, as it is written there. */
export interface ForeignEntry {
  readonly place: ForeignPlace
  readonly line: number
  readonly text: string
  readonly action: Action
  /** What it is about; undefined where there is nothing like it here. */
  readonly family: Family | undefined
  readonly matcher: Matcher
  /** Why no rule is made from it. */
  readonly dropped?: string
}

/** What became of it. `narrowed`: our rules allow less than it does, or refuse more. */
export interface ImportedRow {
  readonly entry: ForeignEntry
  readonly result: "exact" | "narrowed" | "dropped"
  readonly rules: readonly Rule[]
  readonly note?: string
}

/** What rules of other programs are about, with the permissions that cover it here. */
export interface Family {
  readonly subject: ForeignSubject
  /** An allow holds for these tools alone: as an effect it would let commands do the same. */
  readonly allow: readonly string[]
  /** A deny or an ask with a pattern holds for these effects, whatever causes them. */
  readonly strict: readonly string[]
  /** A deny or an ask of everything holds for these tools. */
  readonly whole: readonly string[]
}

const writing = { subject: "path", strict: ["fs.write", "fs.delete"] } as const
const running = ["shell.run"]

export const families = {
  command: { subject: "command", allow: running, strict: running, whole: running },
  read: { subject: "path", allow: ["read"], strict: ["fs.read"], whole: ["read"] },
  write: {
    ...writing,
    allow: ["write", "edit", "notebook_edit"],
    whole: ["write", "edit", "patch", "apply_patch", "notebook_edit", "move"],
  },
  fetch: { subject: "url", allow: ["web_fetch"], strict: ["net.fetch"], whole: ["web_fetch", "http_request"] },
} as const satisfies Readonly<Record<string, Family>>

/** A family of some of the tools that write; what is denied to them is denied as an effect. */
export function writeFamily(...ids: readonly string[]): Family {
  return { ...writing, allow: ids, whole: ids }
}

/** A family of one tool whose arguments no pattern is about. */
export function toolFamily(...ids: readonly string[]): Family {
  return { subject: "other", allow: ids, strict: ids, whole: ids }
}

/**
 * The rules of one program, first match first, as ours. With `exceptions` a mild rule may stand inside a strict one, so all
 * are about the same tools; without them the strict ones are about effects.
 */
export function arrange(entries: readonly ForeignEntry[], options: { exceptions: boolean }): readonly ImportedRow[] {
  const lists = new Map<string, (ForeignRule & { readonly entry: ForeignEntry })[]>()
  for (const entry of entries) {
    for (const permission of permissionsOf(entry, options.exceptions)) {
      const { action, matcher, family } = entry
      const rule = { text: entry.text, action, matcher, subject: family!.subject, entry }
      lists.set(permission, [...(lists.get(permission) ?? []), rule])
    }
  }
  const made = new Map<ForeignEntry, { rule: Rule; exact: boolean }[]>()
  for (const [permission, list] of lists) {
    for (const { rule, exact, from } of firstMatch(permission, list).lines) {
      const { entry } = from as (typeof list)[number]
      made.set(entry, [...(made.get(entry) ?? []), { rule, exact }])
    }
  }
  return entries.map((entry) => rowOf(entry, made.get(entry) ?? []))
}

/** The permissions that an entry is said with. */
function permissionsOf({ family, action, matcher, dropped }: ForeignEntry, exceptions: boolean): readonly string[] {
  if (family === undefined || dropped !== undefined) return []
  if (action === "allow") return family.allow
  if (exceptions) return family.whole
  const isWhole = translate(family.subject, matcher, true).patterns === "every"
  return isWhole ? family.whole : family.strict
}

function rowOf(entry: ForeignEntry, made: readonly { rule: Rule; exact: boolean }[]): ImportedRow {
  const why = `from ${entry.place.name}:${entry.line}`
  const rules = made.map(({ rule }) => ({ ...rule, why }))
  if (rules.length === 0) return { entry, result: "dropped", rules, note: entry.dropped ?? droppedWords(entry) }
  const isExact = made.every(({ rule, exact }) => exact && rule.action === entry.action)
  return { entry, result: isExact ? "exact" : "narrowed", rules, ...(entry.dropped && { note: entry.dropped }) }
}

function droppedWords({ family, action }: ForeignEntry): string {
  if (family === undefined) return "there is no such tool here"
  return action === "allow" ? "no rule says exactly this, or a stricter one comes first" : "a stricter rule covers it"
}

/** A rule that exists already, with its place. */
type ExistingRule = Pick<PlacedRule, "permission" | "pattern" | "action"> & { readonly where: string }

/**
 * Leaves out what would be an exception from a stricter rule that exists already, in the configuration or from another program:
 * among our rules the inner one of two would win.
 */
export function withoutExceptions(
  programs: readonly (readonly ImportedRow[])[],
  existing: readonly PlacedRule[],
  variables: Variables,
): readonly ImportedRow[] {
  const configured = existing.map((rule) => ({ ...rule, where: describeSource(rule.source) }))
  return programs.flatMap((rows, index) => {
    const others = programs.flatMap((other, at) => (at === index ? [] : other.flatMap(existingOf)))
    const strict = [...configured, ...others].filter(({ action }) => action !== "allow")
    return rows.map((row) => without(row, { strict, existing, variables }))
  })
}

function existingOf({ rules, entry }: ImportedRow): readonly ExistingRule[] {
  return rules.map((rule) => ({ ...rule, where: `${entry.place.name}:${entry.line}` }))
}

interface Surroundings {
  readonly strict: readonly ExistingRule[]
  readonly existing: readonly PlacedRule[]
  readonly variables: Variables
}

function without(row: ImportedRow, { strict, existing, variables }: Surroundings): ImportedRow {
  let hidden: ExistingRule | undefined
  const rules = row.rules.filter((rule) => {
    if (existing.some((other) => isSameRule(other, rule))) return true
    const found = strict.find((other) => isStricter(other, rule) && isInside(rule, other, variables))
    hidden ??= found
    return found === undefined
  })
  if (hidden === undefined) return row
  const note = `${hidden.where} has a stricter rule`
  return { ...row, rules, note, result: rules.length === 0 ? "dropped" : "narrowed" }
}

function isStricter({ permission, action }: ExistingRule, rule: Rule): boolean {
  const order = ["allow", "ask", "deny"]
  return (permission === rule.permission || permission === "*") && order.indexOf(action) > order.indexOf(rule.action)
}

function isInside(rule: Rule, outer: ExistingRule, variables: Variables): boolean {
  if (outer.pattern === undefined || outer.pattern === rule.pattern) return true
  const compile = ({ permission, pattern, action }: Rule) =>
    compileRule(
      { permission, ...(pattern !== undefined && { pattern }), action, source: { scope: "project" } },
      variables,
    )
  return compile(rule).some((inner) => compile(outer as Rule).some((other) => ruleInside(inner, other)))
}
