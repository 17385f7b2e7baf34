import { type Action, type ToolTier, toolTiers } from "@haft/contract"
import { arrangeTools } from "../shared/permissions/arrange-tools.js"
import type { ForeignRule } from "../shared/permissions/first-match.js"
import type { ForeignNames, ForeignPolicy } from "../shared/permissions/foreign-policy.js"
import { parseToolPattern } from "../shared/permissions/tool-pattern.js"
import type { ForeignSubject, Matcher } from "../shared/permissions/translate/matcher.js"

/** The modes of claw-code. */
export const clawModes = ["read-only", "workspace-write", "danger-full-access", "prompt", "allow"] as const
/** One of the modes of claw-code. */
export type ClawMode = (typeof clawModes)[number]

/** What a claw-code user has configured. */
export interface ClawSettings {
  readonly mode: ClawMode
  readonly rules?: {
    readonly allow?: readonly string[]
    readonly deny?: readonly string[]
    readonly ask?: readonly string[]
  }
  /** What each tool asks of the mode, by claw name; a tool that is not there asks for full access. */
  readonly tiers: Readonly<Record<string, ToolTier>>
}

/** The permission model of claw-code: deny, then ask, then allow rules, then the mode against the tool's tier. */
export function compileClaw(settings: ClawSettings, names: ForeignNames): ForeignPolicy {
  const { allow = [], deny = [], ask = [] } = settings.rules ?? {}
  const written = [
    ...deny.map((text) => readRule(text, "deny")),
    ...ask.map((text) => readRule(text, "ask")),
    ...allow.map((text) => readRule(text, "allow")),
  ]
  const listOf = (name: string): readonly ForeignRule[] => [
    ...written.filter(({ tool }) => tool === name.toLowerCase()).map((rule) => foreignRule(rule, name)),
    { text: `mode ${settings.mode}`, action: byMode(settings, name), matcher: { how: "any" }, subject: "other" },
  ]
  const known = new Set(Object.keys(names).map((name) => name.toLowerCase()))
  const strangers = written.filter(({ tool }) => !known.has(tool))
  return arrangeTools({
    names,
    listOf,
    otherwise: byTier(settings.mode, "full-access"),
    notes: [
      ...strangers.map(({ text }) => `${text}: there is no tool of that name`),
      ...(settings.mode === "prompt" ? ["mode prompt asks for every call that no rule allows, whatever its tier"] : []),
    ],
  })
}

interface Written {
  readonly text: string
  readonly tool: string
  readonly matcher: Matcher
  readonly action: Action
}

function readRule(text: string, action: Action): Written {
  const { tool, content } = parseToolPattern(text)
  return { text: `${action} ${text}`, tool: tool.toLowerCase(), matcher: matcherOf(content), action }
}

function matcherOf(content: string | undefined): Matcher {
  if (content === undefined || content === "" || content === "*") return { how: "any" }
  if (content.endsWith(":*")) return { how: "prefix", text: content.slice(0, -2) }
  return { how: "exact", text: content }
}

function foreignRule({ text, action, matcher }: Written, name: string): ForeignRule {
  return { text, action, matcher, subject: subjectOf(name, action) }
}

const pathTools = ["read_file", "write_file", "edit_file", "notebookedit"]
const searchTools = ["glob_search", "grep_search"]

/** What claw compares the content of a rule with: the first of command, path, url, pattern ... in the arguments. */
function subjectOf(name: string, action: Action): ForeignSubject {
  const tool = name.toLowerCase()
  // The text of PowerShell is not followed, so no pattern of ours is ever compared with its words.
  if (tool === "bash") return "command"
  if (pathTools.includes(tool)) return "path"
  if (tool === "webfetch") return "url"
  // Without a path a search is compared by its pattern, which ours never is: only an allow may be that narrow.
  return searchTools.includes(tool) && action === "allow" ? "path" : "other"
}

function byMode({ mode, tiers }: ClawSettings, name: string): Action {
  return byTier(mode, Object.hasOwn(tiers, name) ? tiers[name]! : "full-access")
}

/**
 * claw orders `prompt` above full access and then never asks in it; here it asks, which is what its name says.
 * Only a tool of full access in workspace-write is asked about; everything else above the mode is refused.
 */
function byTier(mode: ClawMode, tier: ToolTier): Action {
  if (mode === "allow") return "allow"
  if (mode === "prompt") return "ask"
  const reach = toolTiers.indexOf(mode === "danger-full-access" ? "full-access" : mode)
  if (reach >= toolTiers.indexOf(tier)) return "allow"
  return mode === "workspace-write" ? "ask" : "deny"
}
