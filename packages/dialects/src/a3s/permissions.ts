import type { Action } from "@haft/contract"
import { compileGlob } from "@haft/guard"
import { arrangeTools } from "../shared/permissions/arrange-tools.js"
import type { ForeignRule } from "../shared/permissions/first-match.js"
import type { ForeignNames, ForeignPolicy } from "../shared/permissions/foreign-policy.js"
import { parseToolPattern } from "../shared/permissions/tool-pattern.js"
import type { ForeignSubject, Matcher } from "../shared/permissions/translate/matcher.js"

/** A permission policy of A3S Code. */
export interface A3sPolicy {
  readonly deny?: readonly A3sRule[]
  readonly allow?: readonly A3sRule[]
  readonly ask?: readonly A3sRule[]
  /** For calls that no rule matches; ask by default. */
  readonly default?: Action
  /** False allows everything. */
  readonly enabled?: boolean
}

/** A rule text, bare or in an object. */
export type A3sRule = string | { readonly rule: string }

/** The permission model of A3S Code: deny, then allow, then ask rules, then the default. */
export function compileA3s(policy: A3sPolicy, names: ForeignNames): ForeignPolicy {
  const { deny = [], allow = [], ask = [], default: fallback = "ask", enabled = true } = policy
  if (!enabled) return arrangeTools({ names, listOf: () => [everyCall("policy is off", "allow")], otherwise: "allow" })
  const written = [
    ...deny.map((rule) => readRule(rule, "deny")),
    ...allow.map((rule) => readRule(rule, "allow")),
    ...ask.map((rule) => readRule(rule, "ask")),
  ]
  const listOf = (name: string): readonly ForeignRule[] => [
    ...written
      .filter(({ names }) => names(name))
      .map(({ text, action, matcher }) => ({
        text,
        action,
        matcher,
        subject: matcher.how === "any" ? ("other" as const) : subjectOf(name),
      })),
    everyCall(`default ${fallback}`, fallback),
  ]
  const strangers = written.filter((rule) => !Object.keys(names).some((name) => rule.names(name)))
  const notes = strangers.map(({ text }) => `${text}: there is no tool of that name`)
  return arrangeTools({ names, listOf, otherwise: fallback, notes })
}

interface Written {
  readonly text: string
  readonly action: Action
  readonly matcher: Matcher
  /** Whether the rule speaks of a tool. */
  readonly names: (name: string) => boolean
}

function readRule(rule: A3sRule, action: Action): Written {
  const text = typeof rule === "string" ? rule : rule.rule
  const { tool, content } = parseToolPattern(text)
  return { text: `${action} ${text}`, action, matcher: matcherOf(content), names: namer(tool) }
}

/** Names are compared without regard to case and may have stars; `mcp__server` means all tools of that server. */
function namer(tool: string): Written["names"] {
  const wanted = tool.toLowerCase()
  const test = compileGlob(wanted)
  const server = /^mcp__[^_]+(?:_[^_]+)*$/.test(wanted) ? `${wanted}__` : undefined
  return (name) => {
    const folded = name.toLowerCase()
    return test(folded) || (server !== undefined && folded.startsWith(server))
  }
}

function matcherOf(content: string | undefined): Matcher {
  if (content === undefined || content === "*" || content === "**" || content === "") return { how: "any" }
  const text = content.replaceAll("\\", "/")
  if (text.endsWith(":*")) return { how: "prefix", text: text.slice(0, -2) }
  return { how: "glob", text, crosses: false }
}

const pathTools = ["read", "write", "edit", "ls"]

/** What a pattern is compared with; for the other tools it is the JSON text of all arguments. */
function subjectOf(name: string): ForeignSubject {
  const tool = name.toLowerCase()
  if (tool === "bash") return "command"
  return pathTools.includes(tool) ? "path" : "other"
}

function everyCall(text: string, action: Action): ForeignRule {
  return { text, action, matcher: { how: "any" }, subject: "other" }
}
