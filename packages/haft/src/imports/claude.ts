import type { Action } from "@haft/contract"
import { type Matcher, parseToolPattern } from "@haft/dialects"
import { joinWords } from "@haft/guard"
import type { Node } from "jsonc-parser"
import { type Family, type ForeignEntry, families, toolFamily, writeFamily } from "./arrange.js"
import type { ForeignJson, ForeignPlace } from "./foreign-file.js"

/** How a program of this kind reads the content of a rule, and which of its tools are which of ours. */
interface ListSyntax {
  family(tool: string): Family | undefined
  matcher(tool: string, content: string, place: ForeignPlace): Matcher
  /** What its modes become; undefined for a mode that changes nothing. */
  mode(mode: string): Pick<ForeignEntry, "dropped"> | undefined
}

/** The lists of Claude Code's settings: deny, then ask, then allow, wherever they are. */
export function readClaude(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  return readLists(json, place, claude)
}

/** The same lists of claw-code, which compares whole texts and their beginnings. */
export function readClaw(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  return readLists(json, place, claw)
}

/** Deny before ask before allow, over all files of a program. */
export function byStrictness(entries: readonly ForeignEntry[]): readonly ForeignEntry[] {
  return (["deny", "ask", "allow"] as const).flatMap((action) => entries.filter((entry) => entry.action === action))
}

function readLists(json: ForeignJson, place: ForeignPlace, syntax: ListSyntax): readonly ForeignEntry[] {
  const permissions = json.find("permissions")
  if (permissions === undefined) return []
  return json.members(permissions, "permissions").flatMap(({ key, keyNode, value }): readonly ForeignEntry[] => {
    const at = { place, line: json.line(keyNode) }
    if (key === "allow" || key === "deny" || key === "ask") {
      return json.items(value, key).map((node) => readRule(json, node, { action: key, place, syntax }))
    }
    const nothing = { family: undefined, matcher: { how: "any" }, action: "allow" } as const
    if (key === "defaultMode") {
      const mode = json.text(value, '"defaultMode"')
      const said = syntax.mode(mode)
      return said ? [{ ...at, ...nothing, ...said, text: `defaultMode ${mode}` }] : []
    }
    if (key === "additionalDirectories") {
      return [{ ...at, ...nothing, text: key, dropped: "name further folders yourself, with --root" }]
    }
    return []
  })
}

function readRule(
  json: ForeignJson,
  node: Node,
  { action, place, syntax }: { action: Action; place: ForeignPlace; syntax: ListSyntax },
): ForeignEntry {
  const text = json.text(node, `a rule of "${action}"`)
  const { tool, content } = parseToolPattern(text)
  const isAny = content === undefined || content.trim() === "" || content === "*"
  const family = syntax.family(tool)
  return {
    ...{ place, line: json.line(node), action, family },
    text: `${action} ${text}`,
    matcher: isAny || family === undefined ? { how: "any" } : syntax.matcher(tool, content, place),
  }
}

const claude: ListSyntax = {
  family(tool) {
    if (tool.startsWith("mcp__")) return mcpFamily(tool)
    return Object.hasOwn(claudeTools, tool) ? claudeTools[tool as keyof typeof claudeTools] : undefined
  },
  matcher(tool, content, place) {
    const { subject } = claude.family(tool)!
    if (subject === "command") return commandMatcher(content)
    // Of the tools that write it compares only Edit with paths; a deny of another one is taken as it was meant.
    const isCompared = tool === "Edit" || tool === "Read"
    if (subject === "path") return isCompared ? pathMatcher(content, place) : denyOnly(pathMatcher(content, place))
    if (subject === "url") return domainMatcher(content)
    return { how: "unknown", text: content }
  },
  mode(mode) {
    if (mode === "default" || mode === "manual") return undefined
    return { dropped: `a mode is yours to choose: ${claudeModes[mode] ?? "see haft call --help for --mode"}` }
  },
}

const claudeModes: Readonly<Record<string, string>> = {
  plan: "haft config set mode plan",
  acceptEdits: "haft config set mode accept-edits, which also lets common tests and builds run",
  bypassPermissions: "nothing here runs without any rule; mode auto comes nearest",
}

const claudeTools = {
  Bash: families.command,
  Read: families.read,
  Edit: families.write,
  Write: writeFamily("write"),
  MultiEdit: writeFamily("edit"),
  NotebookEdit: writeFamily("notebook_edit"),
  WebFetch: families.fetch,
  WebSearch: toolFamily("web_search"),
  Grep: toolFamily("grep"),
  Glob: toolFamily("glob", "find_files"),
  LS: toolFamily("ls"),
  Task: toolFamily("task"),
  Agent: toolFamily("task"),
  Skill: toolFamily("skill"),
  TodoWrite: toolFamily("todo"),
} as const

/** `mcp__server` and `mcp__server__*` mean every tool of a server, of which rules here name each. */
function mcpFamily(tool: string): Family | undefined {
  return /^mcp__[\w-]+__[\w-]+$/.test(tool) ? toolFamily(tool) : undefined
}

/** `npm run test:*` and `npm run test *` are these words and any further ones; another star may match anything. */
function commandMatcher(content: string): Matcher {
  const open = /^([^*]*?)(?::\*| \*)$/.exec(content)
  if (open) return wordsMatcher(open[1]!)
  return content.includes("*") ? { how: "glob", text: content, crosses: true } : { how: "exact", text: content }
}

/** The same for a deny or an ask; it allows nothing. */
export function denyOnly(matcher: Matcher): Matcher {
  return matcher.how === "ours" ? { ...matcher, inner: [] } : matcher
}

/** Commands that begin with these words. */
export function wordsMatcher(text: string): Matcher {
  const words = text.trim().split(/\s+/)
  const odd = words.findIndex((word, index) => !/^[\w@%+=:,./-]+$/.test(word) || (index === 0 && word.includes("=")))
  if (odd === 0 || text.trim() === "") return { how: "unknown", text }
  const pattern = (parts: readonly string[]) => `${joinWords(parts)} *`
  return odd === -1
    ? { how: "ours", inner: [pattern(words)], outer: [pattern(words)] }
    : { how: "ours", inner: [], outer: [pattern(words.slice(0, odd))] }
}

/** Patterns as in .gitignore: `//` is absolute, `/` begins at the project, a name without a slash is meant at any depth. */
export function pathMatcher(content: string, { personal }: ForeignPlace): Matcher {
  const path = content.trim().replace(/^(?:\.\/)+/, "")
  // What only .gitignore understands, and where a leading slash of a personal file begins, cannot be said here.
  if (/[[\]{}!\\]|\.\.(?:\/|$)|\*\*[^/]|[^/]\*\*/.test(path) || path === "" || path === "/")
    return { how: "unknown", text: content }
  if (/^\/[^/]/.test(path) && personal) return { how: "unknown", text: content }
  const place = path.startsWith("//") ? path.slice(1) : /^\/[^/]/.test(path) ? path.slice(1) : path
  const isAbsolute = place.startsWith("/") || place.startsWith("~/")
  const isFolder = place.endsWith("/")
  const bare = isFolder ? place.slice(0, -1) : place
  if (isFolder) return { how: "ours", inner: [`${bare}/**`], outer: outerOf(`${bare}/**`, bare, path, isAbsolute) }
  const inner = bare.startsWith("**/") ? `{workspace}/${bare}` : bare
  if (bare.endsWith("/**")) return { how: "ours", inner: [inner], outer: [bare] }
  return { how: "ours", inner: [inner], outer: [...outerOf(bare, bare, path, isAbsolute), ...below(bare, path)] }
}

function outerOf(pattern: string, name: string, path: string, isAbsolute: boolean): readonly string[] {
  const atAnyDepth = !isAbsolute && !name.includes("/") && !path.startsWith("/")
  return [atAnyDepth ? `**/${pattern}` : pattern]
}

/** A pattern that names a folder means everything in it. */
function below(bare: string, path: string): readonly string[] {
  const atAnyDepth = !bare.includes("/") && !path.startsWith("/")
  return [`${atAnyDepth ? "**/" : ""}${bare}/**`]
}

/** `domain:example.org`. */
export function domainMatcher(content: string): Matcher {
  const host = /^domain:((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)$/i.exec(content.trim())?.[1]?.toLowerCase()
  if (host === undefined) return { how: "unknown", text: content }
  // Whether subdomains are meant is not sure: a deny takes them along.
  return { how: "ours", inner: [host], outer: host.startsWith("*.") ? [host, host.slice(2)] : [host, `*.${host}`] }
}

const claw: ListSyntax = {
  family(tool) {
    const name = tool.toLowerCase()
    return Object.hasOwn(clawTools, name) ? clawTools[name as keyof typeof clawTools] : undefined
  },
  matcher(tool, content) {
    if (claw.family(tool)!.subject === "other") return { how: "unknown", text: content }
    return content.endsWith(":*") ? { how: "prefix", text: content.slice(0, -2) } : { how: "exact", text: content }
  },
  mode: (mode) => ({ dropped: `a mode is yours to choose: --policy claw:${mode}` }),
}

const clawTools = {
  bash: families.command,
  read_file: families.read,
  write_file: writeFamily("write"),
  edit_file: writeFamily("edit"),
  notebookedit: writeFamily("notebook_edit"),
  webfetch: families.fetch,
  websearch: toolFamily("web_search"),
  grep_search: toolFamily("grep"),
  glob_search: toolFamily("glob", "find_files"),
  todowrite: toolFamily("todo"),
  agent: toolFamily("task"),
  skill: toolFamily("skill"),
  toolsearch: toolFamily("tool_search"),
  repl: toolFamily("repl"),
  powershell: toolFamily("powershell"),
} as const
