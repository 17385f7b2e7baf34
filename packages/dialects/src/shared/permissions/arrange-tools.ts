import type { Action, Rule } from "@haft/contract"
import { type ForeignRule, firstMatch } from "./first-match.js"
import { type ForeignNames, type ForeignPolicy, idsOf } from "./foreign-policy.js"
import { hostNotes } from "./host-notes.js"
import { atLeastAsStrict, strictest } from "./strictness.js"

/** What a foreign model says about each of its tools, and about tools that it does not know. */
export interface ForeignModel {
  readonly names: ForeignNames
  /** The list of one foreign name, first match first; the last entry matches every call. */
  readonly listOf: (name: string) => readonly ForeignRule[]
  /** For tools that are in no list. */
  readonly otherwise: Action
  readonly notes?: readonly string[]
}

/** The rules for every tool of a foreign model. */
export function arrangeTools({ names, listOf, otherwise, notes = [] }: ForeignModel): ForeignPolicy {
  const said: string[] = [...notes]
  const rules: Rule[] = [{ permission: "*", action: otherwise }]
  for (const [id, sharing] of namesById(names)) {
    const parts = sharing.map((name) => firstMatch(id, listOf(name)))
    for (const part of parts) said.push(...part.notes)
    if (parts.length === 1) rules.push(...parts[0]!.rules)
    else rules.push(...shared(id, sharing, { parts: parts.map((part) => part.rules), notes: said }))
  }
  said.push(...hostNotes(rules, otherwise))
  return { rules, deniedTools: deniedTools(rules), notes: [...new Set(said)] }
}

function namesById(names: ForeignNames): ReadonlyMap<string, readonly string[]> {
  const byId = new Map<string, string[]>()
  for (const name of Object.keys(names))
    for (const id of idsOf(names, name)) byId.set(id, [...(byId.get(id) ?? []), name])
  return byId
}

/** Names that share a tool: rules cannot tell them apart, so the strictest of their verdicts holds for all. */
function shared(
  id: string,
  names: readonly string[],
  { parts, notes }: { parts: readonly (readonly Rule[])[]; notes: string[] },
): readonly Rule[] {
  const texts = parts.map((rules) => JSON.stringify(rules))
  if (texts.every((text) => text === texts[0])) return parts[0]!
  notes.push(`${names.join(", ")}: all are "${id}" here, so the strictest of their rules holds for each`)
  const universal = parts.flat().filter(({ pattern }) => pattern === undefined)
  const base = strictest(universal.map(({ action }) => action))
  const stricter = parts.flat().filter(({ pattern, action }) => pattern !== undefined && atLeastAsStrict(action, base))
  return [...stricter, { permission: id, action: base }]
}

/** Tools that are denied without any exception. */
function deniedTools(rules: readonly Rule[]): readonly string[] {
  const denied = rules.filter(({ action, pattern, permission }) => action === "deny" && !pattern && permission !== "*")
  return denied
    .map(({ permission }) => permission)
    .filter((id) => !rules.some(({ permission, action }) => permission === id && action !== "deny"))
}
