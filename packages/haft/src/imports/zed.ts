import type { Action } from "@haft/contract"
import type { Matcher } from "@haft/dialects"
import { joinWords } from "@haft/guard"
import type { Node } from "jsonc-parser"
import { type Family, type ForeignEntry, families, toolFamily, writeFamily } from "./arrange.js"
import { ForeignError, type ForeignJson, type ForeignPlace } from "./foreign-file.js"

/** The tool permissions of Zed: for each tool deny, then confirm, then allow, then its default; patterns are regular expressions. */
export function readZed(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  const permissions = json.find("agent", "tool_permissions")
  if (permissions === undefined) return []
  const members = new Map(json.members(permissions, "tool_permissions").map((member) => [member.key, member]))
  const named = members.get("tools")
  const listed = (named ? json.members(named.value, "tools") : []).map(({ key, keyNode, value }) => {
    return { tool: key, entries: toolEntries({ json, place }, key, { keyNode, value }) }
  })
  const own = listed.flatMap(({ entries }) => entries)
  const settled = new Set(listed.filter(({ entries }) => entries.some(isDefault)).map(({ tool }) => tool))
  const general = members.get("default")
  if (general === undefined) return own
  // The general default is for the tools that have none of their own.
  const action = actionOf(json, general.value)
  const others = Object.entries(tools).filter(([tool]) => !settled.has(tool))
  const at = { place, line: json.line(general.keyNode), action, matcher: { how: "any" } as const }
  return [...own, ...others.map(([tool, family]) => ({ ...at, family, text: `default ${action} (${tool})` }))]
}

const lists = [
  ["always_deny", "deny"],
  ["always_confirm", "ask"],
  ["always_allow", "allow"],
] as const

interface At {
  readonly json: ForeignJson
  readonly place: ForeignPlace
}

function toolEntries(
  { json, place }: At,
  tool: string,
  { keyNode, value }: { readonly keyNode: Node; readonly value: Node },
): readonly ForeignEntry[] {
  const members = new Map(json.members(value, tool).map((member) => [member.key, member.value]))
  const family = Object.hasOwn(tools, tool) ? tools[tool] : undefined
  const found = lists.flatMap(([key, action]) => {
    const list = members.get(key)
    return (list ? json.items(list, key) : []).map((node): ForeignEntry & { readonly regex: Regex } => {
      const regex = regexOf(json, node)
      const text = `${action} ${tool}: ${regex.source}`
      return { place, line: json.line(node), action, text, family, matcher: matcherOf(regex, family), regex }
    })
  })
  const standard = members.get("default")
  const action = standard && actionOf(json, standard)
  const last = action && {
    ...{ place, line: json.line(keyNode), action, text: `default ${action} (${tool})`, family },
    matcher: { how: "any" } as const,
  }
  const denies = found.filter((entry) => entry.action !== "allow" && !entry.regex.sensitive)
  const entries: readonly ForeignEntry[] = [...found, ...(last ? [last] : [])]
  return entries.map((entry) => (entry.action === "allow" ? withoutCase(entry, denies) : entry))
}

function isDefault({ text }: ForeignEntry): boolean {
  return text.startsWith("default ")
}

/** Patterns here know upper and lower case: an allow that a deny overlaps which does not is left out. */
function withoutCase(entry: ForeignEntry, denies: readonly { readonly regex: Regex }[]): ForeignEntry {
  const allowed = "regex" in entry ? (entry.regex as Regex).beginnings : [""]
  const overlaps = denies.some(({ regex }) =>
    regex.beginnings.some((deny) =>
      allowed.some((allow) => {
        const [one, other] = [deny.toLowerCase(), allow.toLowerCase()]
        return one.startsWith(other) || other.startsWith(one)
      }),
    ),
  )
  return overlaps ? { ...entry, dropped: "a stricter pattern that ignores case overlaps it" } : entry
}

/** A regular expression, with the texts that what it matches begins with; one empty text where that is not known. */
interface Regex {
  readonly source: string
  readonly sensitive: boolean
  readonly beginnings: readonly string[]
  readonly end: "open" | "word" | "exact" | "unknown"
}

function regexOf(json: ForeignJson, node: Node): Regex {
  const members =
    node.type === "string" ? undefined : new Map(json.members(node, "pattern").map((each) => [each.key, each.value]))
  const pattern = members ? members.get("pattern") : node
  if (pattern === undefined) throw new ForeignError(json.line(node), 'an entry needs a "pattern"')
  const source = json.text(pattern, "a pattern")
  const read = literals(source)
  return {
    source,
    sensitive: members?.get("case_sensitive")?.value === true,
    beginnings: read?.texts ?? [""],
    end: read?.end ?? "unknown",
  }
}

const mostAlternatives = 50

/** Reads `^git\s+(status|log)\b`: fixed text from the beginning, with groups of fixed alternatives; undefined for anything else. */
function literals(source: string): { readonly texts: readonly string[]; readonly end: Regex["end"] } | undefined {
  if (!source.startsWith("^")) return undefined
  let rest = source.slice(1)
  let texts: readonly string[] = [""]
  while (rest !== "") {
    const end = ends[rest]
    if (end !== undefined) return { texts, end }
    const piece = /^(?:\\s\+?|\\([.\-/_:@+*?()[\]{}|^$])|([\w\-/:@=,% ]))(?![*+?{])/.exec(rest)
    const group = /^\((?:\?:)?([\w\-/:@=,%. |]+)\)(?![*+?{])/.exec(rest)
    if (group && !/\.|^\||\|$|\|\|/.test(group[1]!)) {
      texts = texts.flatMap((text) => group[1]!.split("|").map((choice) => text + choice))
      rest = rest.slice(group[0].length)
    } else if (piece) {
      const added = piece[1] ?? piece[2] ?? " "
      texts = texts.map((text) => text + added)
      rest = rest.slice(piece[0].length)
    } else return undefined
    if (texts.length > mostAlternatives) return undefined
  }
  return { texts, end: "open" }
}

const ends: Readonly<Record<string, Regex["end"]>> = {
  "\\b": "word",
  $: "exact",
  "(\\s|$)": "word",
  "(?:\\s|$)": "word",
  ".*": "open",
  ".*$": "open",
  "\\b.*": "word",
}

function matcherOf({ beginnings, end, source }: Regex, family: Family | undefined): Matcher {
  if (end === "unknown" || beginnings.some((text) => text.trim() === "")) return { how: "unknown", text: source }
  if (family?.subject === "command") return commandMatcher(beginnings, end, source)
  if (beginnings.length > 1 || end === "word") return { how: "unknown", text: source }
  return { how: end === "exact" ? "exact" : "prefix", text: beginnings[0]! }
}

function commandMatcher(beginnings: readonly string[], end: Regex["end"], source: string): Matcher {
  const split = beginnings.map((text) => ({ words: text.trim().split(/ +/), spaced: /\s$/.test(text) }))
  if (split.some(({ words }) => words.some((word) => !/^[\w@%+=:,./-]+$/.test(word)) || words[0]!.includes("=")))
    return { how: "unknown", text: source }
  const patterns = (isOuter: boolean) =>
    split.flatMap(({ words, spaced }) => {
      const fixed = joinWords(words)
      if (end === "exact") return [fixed]
      if (spaced) return [`${fixed} * *`]
      // A boundary may also be a dash inside of a longer word: only a deny takes that along.
      return end === "word" && !isOuter ? [`${fixed} *`] : [`${fixed} *`, `${fixed}?* *`]
    })
  return { how: "ours", inner: patterns(false), outer: patterns(true) }
}

const tools: Readonly<Record<string, Family>> = {
  terminal: families.command,
  edit_file: writeFamily("edit"),
  write_file: writeFamily("write"),
  save_file: writeFamily("write"),
  move_path: toolFamily("move"),
  fetch: families.fetch,
  web_search: toolFamily("web_search"),
}

function actionOf(json: ForeignJson, node: Node): Action {
  const { value } = node
  if (value === "allow" || value === "deny") return value
  if (value === "confirm") return "ask"
  throw new ForeignError(json.line(node), `${JSON.stringify(value)} is no action: it must be allow, confirm or deny`)
}
