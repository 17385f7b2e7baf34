import type { Action, Rule } from "@haft/contract"
import { type ForeignNames, type ForeignPolicy, idsOf } from "../shared/permissions/foreign-policy.js"
import { hostNotes } from "../shared/permissions/host-notes.js"

/** A stored answer about one tool of one MCP server, for one agent; an empty agent is the anonymous one. */
export interface AsyarTriple {
  readonly server: string
  readonly tool: string
  readonly agent: string
  readonly decision: "allow_once" | "allow_always" | "never"
}

/** What an Asyar agent was given. */
export interface AsyarSettings {
  /** Full ids: `builtin:x`, `<extension>:x`, `mcp:<server>:x`. */
  readonly selection: readonly string[]
  readonly mcpTriples?: readonly AsyarTriple[]
  /** In strict mode MCP tools that look read-only ask too. */
  readonly strict?: boolean
  /** The agent that the triples are looked up for; the anonymous one by default. */
  readonly agent?: string
}

/** Asyar's model: choosing a tool for an agent is the consent; tools of MCP servers ask for one triple each. */
export function compileAsyar(settings: AsyarSettings, names: ForeignNames): ForeignPolicy {
  const notes: string[] = []
  const selected = new Map<string, Action>()
  for (const name of settings.selection) {
    const action = /^mcp:/.test(name) ? mcpAction(name, settings, notes) : "allow"
    for (const id of targets(names, name)) selected.set(id, action)
  }
  const known = Object.keys(names).flatMap((name) => idsOf(names, name))
  const denied = [...new Set(known)].filter((id) => !selected.has(id))
  const rules: readonly Rule[] = [
    { permission: "*", action: "deny", why: "only the tools that were chosen for this agent may be called" },
    ...denied.map((permission): Rule => ({ permission, action: "deny" })),
    ...[...selected].map(([permission, action]): Rule => ({ permission, action })),
  ]
  const refused = rules.filter(({ permission, action }) => permission !== "*" && action === "deny")
  return {
    rules,
    deniedTools: refused.map(({ permission }) => permission),
    notes: [...notes, ...hostNotes(rules, "deny")],
  }
}

/** Tools of extensions and servers have the same full id here and there. */
function targets(names: ForeignNames, name: string): readonly string[] {
  const ids = idsOf(names, name)
  return ids.length > 0 ? ids : [name]
}

const readingNames = /^(get|list|read|search|fetch|find|query|show|describe|view|inspect)_/

function mcpAction(name: string, settings: AsyarSettings, notes: string[]): Action {
  const { mcpTriples = [], strict = false, agent = "" } = settings
  const [, server, ...rest] = name.split(":")
  const tool = rest.join(":")
  const stored = mcpTriples.find((triple) => triple.server === server && triple.tool === tool && triple.agent === agent)
  if (stored?.decision === "never") {
    if (!strict && readingNames.test(tool))
      notes.push(`${name}: refused for good, although its name sounds like reading`)
    return "deny"
  }
  if (!strict && readingNames.test(tool)) return "allow"
  if (stored?.decision === "allow_always") return "allow"
  if (stored?.decision === "allow_once") notes.push(`${name}: a rule cannot be used up, so the one allowed call asks`)
  return "ask"
}
