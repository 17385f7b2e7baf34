import type { Action } from "@haft/contract"
import type { Matcher } from "@haft/dialects"
import { compileGlob } from "@haft/guard"
import type { Node } from "jsonc-parser"
import { type Family, type ForeignEntry, families, toolFamily } from "./arrange.js"
import { wordsMatcher } from "./claude.js"
import { ForeignError, type ForeignJson, type ForeignPlace } from "./foreign-file.js"

/** The permissions of opencode in both shapes. The last match decides there, so the last comes first here. */
export function readOpencode(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  return [...toolSwitches(json, place), ...oldShape(json, place), ...newShape(json, place)].reverse()
}

/** `"permission": {"bash": {"*": "ask", "git *": "allow"}}`, or one action for a tool or for everything. */
function oldShape(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  const permission = json.find("permission")
  if (permission === undefined) return []
  if (permission.type === "string") {
    return entriesOf({ json, place, node: permission }, "*", "*", actionOf(json, permission))
  }
  return json.members(permission, "permission").flatMap(({ key, keyNode, value }) => {
    if (value.type === "string") return entriesOf({ json, place, node: keyNode }, key, "*", actionOf(json, value))
    return json
      .members(value, key)
      .flatMap((member) =>
        entriesOf({ json, place, node: member.keyNode }, key, member.key, actionOf(json, member.value)),
      )
  })
}

/** `"permissions": [{"action": "bash", "resource": "git *", "effect": "allow"}]`. */
function newShape(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  const permissions = json.find("permissions")
  if (permissions === undefined) return []
  return json.items(permissions, "permissions").flatMap((node) => {
    const members = new Map(json.members(node, "permissions").map(({ key, value }) => [key, value]))
    const [action, effect] = [members.get("action"), members.get("effect")]
    if (action === undefined || effect === undefined)
      throw new ForeignError(json.line(node), 'a permission needs an "action" and an "effect"')
    const resource = members.get("resource")
    const pattern = resource === undefined ? "*" : json.text(resource, '"resource"')
    return entriesOf({ json, place, node }, json.text(action, '"action"'), pattern, actionOf(json, effect))
  })
}

/** `"tools": {"write": false}` of earlier versions. */
function toolSwitches(json: ForeignJson, place: ForeignPlace): readonly ForeignEntry[] {
  const tools = json.find("tools")
  if (tools === undefined) return []
  return json
    .members(tools, "tools")
    .filter(({ value }) => value.value === false)
    .flatMap(({ key, keyNode }) => entriesOf({ json, place, node: keyNode }, key, "*", "deny"))
}

interface At {
  readonly json: ForeignJson
  readonly place: ForeignPlace
  readonly node: Node
}

/** One entry for each family that a name matches; the name may have stars. */
function entriesOf({ json, place, node }: At, name: string, pattern: string, action: Action): readonly ForeignEntry[] {
  const at = { place, line: json.line(node), action, text: `${action} ${name}${pattern === "*" ? "" : `: ${pattern}`}` }
  if (name === "external_directory" || name === "doom_loop") {
    return [{ ...at, family: undefined, matcher: { how: "any" }, dropped: "built in: see haft rule list --defaults" }]
  }
  const isName = /[*?]/.test(name) ? compileGlob(name) : (other: string) => other === name
  const named = [...new Set(Object.entries(tools).flatMap(([tool, family]) => (isName(tool) ? [family] : [])))]
  if (named.length === 0) return [{ ...at, family: undefined, matcher: { how: "any" } }]
  return named.map((family) => ({ ...at, family, matcher: matcherOf(family, pattern) }))
}

const edit: Family = { ...families.write, allow: ["write", "edit", "patch", "apply_patch", "notebook_edit"] }

const tools: Readonly<Record<string, Family>> = {
  bash: families.command,
  read: families.read,
  edit,
  write: edit,
  patch: edit,
  multiedit: edit,
  webfetch: families.fetch,
  websearch: toolFamily("web_search"),
  grep: toolFamily("grep"),
  glob: toolFamily("glob", "find_files"),
  list: toolFamily("ls"),
  task: toolFamily("task"),
  skill: toolFamily("skill"),
  todowrite: toolFamily("todo"),
  lsp: toolFamily("lsp"),
  question: toolFamily("question"),
}

/** A star matches any characters, also spaces and slashes; ` *` at the end of a command may be missing. */
function matcherOf({ subject }: Family, pattern: string): Matcher {
  if (pattern === "*") return { how: "any" }
  if (subject === "command" && /^[^*?]+ \*$/.test(pattern)) return wordsMatcher(pattern.slice(0, -2))
  if (subject === "path") return pathMatcher(pattern)
  return /[*?]/.test(pattern) ? { how: "glob", text: pattern, crosses: true } : { how: "exact", text: pattern }
}

function pathMatcher(pattern: string): Matcher {
  const path = pattern.replace(/^\$HOME(?=\/|$)/, "~")
  if (path === "~" || /[{}[\]!]/.test(path)) return { how: "unknown", text: pattern }
  const somewhere = /^\*([^*?/]+)(\*?)$/.exec(path)
  if (somewhere) {
    // Fixed text without a slash is inside one name, at whatever depth.
    const name = `*${somewhere[1]}${somewhere[2]}`
    const patterns = somewhere[2] === "" ? [`**/${name}`] : [`**/${name}`, `**/${name}/**`]
    return { how: "ours", inner: patterns.map((each) => `{workspace}/${each}`), outer: patterns }
  }
  return /[*?]/.test(path) ? { how: "glob", text: path, crosses: true } : { how: "exact", text: path }
}

function actionOf(json: ForeignJson, node: Node): Action {
  const { value } = node
  if (value === "allow" || value === "deny" || value === "ask") return value
  throw new ForeignError(json.line(node), `${JSON.stringify(value)} is no action: it must be allow, ask or deny`)
}
