import type { Action } from "@haft/contract"
import { type Matcher, parseToolPattern } from "@haft/dialects"
import type { Node } from "jsonc-parser"
import { type Family, type ForeignEntry, families, toolFamily } from "./arrange.js"
import { denyOnly, domainMatcher, pathMatcher, wordsMatcher } from "./claude.js"
import type { ForeignJson, ForeignPlace } from "./foreign-file.js"

/**
 * The permissions of Cursor: the allowlists of its editor (`permissions.json`), and the lists of its command line
 * (`cli.json`, `cli-config.json`), in which a deny comes first.
 */
export function readCursor(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  return json.members(json.root, "the whole").flatMap(({ key, keyNode, value }): readonly ForeignEntry[] => {
    if (key === "terminalAllowlist") return json.items(value, key).map((node) => commandEntry(json, node, place))
    if (key === "mcpAllowlist") return json.items(value, key).map((node) => serverEntry(json, node, place))
    if (key === "permissions") return tokenEntries(json, value, place)
    if (key !== "autoRun") return []
    return [{ ...nothing, place, line: json.line(keyNode), text: key, dropped: "words for a model are no rules" }]
  })
}

const nothing = { action: "allow", family: undefined, matcher: { how: "any" } } as const

/** `git` and `cargo build`: commands that begin with these words. */
function commandEntry(json: ForeignJson, node: Node, place: ForeignPlace): ForeignEntry {
  const text = json.text(node, 'an entry of "terminalAllowlist"')
  const matcher = shellMatcher(text)
  return { place, line: json.line(node), text: `allow ${text}`, action: "allow", family: families.command, matcher }
}

/** `github:get_issue`. */
function serverEntry(json: ForeignJson, node: Node, place: ForeignPlace): ForeignEntry {
  const text = json.text(node, 'an entry of "mcpAllowlist"')
  return { place, line: json.line(node), text: `allow ${text}`, ...nothing, ...serverTool(text) }
}

function tokenEntries(json: ForeignJson, permissions: Node, place: ForeignPlace): readonly ForeignEntry[] {
  return json.members(permissions, "permissions").flatMap(({ key, value }) => {
    if (key !== "allow" && key !== "deny") return []
    return json.items(value, key).map((node) => tokenEntry(json, node, key, place))
  })
}

/** `Shell(git)`, `Read(src/**)`, `Write(...)`, `WebFetch(example.org)`, `Mcp(server:tool)`. */
function tokenEntry(json: ForeignJson, node: Node, action: Action, place: ForeignPlace): ForeignEntry {
  const text = json.text(node, `an entry of "${action}"`)
  const { tool, content = "" } = parseToolPattern(text)
  const isEmpty = content.trim() === ""
  const said = { place, line: json.line(node), text: `${action} ${text}`, action }
  if (tool === "Mcp") return { ...said, ...nothing, action, ...serverTool(content) }
  const token = Object.hasOwn(tokens, tool) ? tokens[tool as keyof typeof tokens] : undefined
  if (token === undefined) return { ...said, family: undefined, matcher: { how: "any" } }
  // As an allow it says nothing, and as a deny everything.
  const matcher = isEmpty && action === "allow" ? unknown(text) : token.matcher(isEmpty ? "*" : content.trim(), place)
  return { ...said, family: token.family, matcher }
}

const tokens = {
  Shell: { family: families.command, matcher: shellMatcher },
  Read: { family: families.read, matcher: filesMatcher },
  Write: { family: families.write, matcher: filesMatcher },
  WebFetch: { family: families.fetch, matcher: hostMatcher },
} as const satisfies Readonly<Record<string, { family: Family; matcher: Compare }>>

const unknown = (text: string): Matcher => ({ how: "unknown", text })

type Compare = (content: string, place: ForeignPlace) => Matcher

/** `git`, `git push` and `git:*` are these words and any further ones; how it compares other arguments is not documented. */
function shellMatcher(text: string): Matcher {
  if (text.trim() === "*") return everything
  const [, command = text, args] = /^([^:\s]+):(.*)$/s.exec(text.trim()) ?? []
  const words = wordsMatcher(command)
  return args === undefined || /^\*{0,2}$/.test(args) ? words : denyOnly(words)
}

// As an allow it would be wider than what a person who wrote a star had in mind, or than where Cursor lets it hold.
const everything: Matcher = { how: "ours", inner: [], outer: ["**"] }

function hostMatcher(content: string): Matcher {
  return content === "*" ? { how: "any" } : domainMatcher(`domain:${content}`)
}

/** Relative to the project; a path that begins with a slash is absolute. */
function filesMatcher(content: string, place: ForeignPlace): Matcher {
  if (content === "*") return everything
  if (content === "**") return { how: "ours", inner: ["{workspace}/**"], outer: ["**"] }
  return pathMatcher(content.trim().replace(/^\/(?!\/)/, "//"), place)
}

/** A tool of a server. Of "every tool of a server" rules here name each. */
function serverTool(text: string): Partial<ForeignEntry> {
  const [, server, tool] = /^([\w-]+):([\w-]+)$/.exec(text.trim()) ?? []
  if (server === undefined) return { dropped: "rules here name one tool of a server, as mcp__SERVER__TOOL" }
  return { family: toolFamily(`mcp__${server}__${tool}`) }
}
