import { type Action, type BoundRule, nearestNames, type PlacedRule, type RuleScope, ToolError } from "@haft/contract"
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import type { ConfigEntry, ConfigFile, ConfigScope } from "./config-file.js"
import { settingOf, settings } from "./setting.js"
import { valueProblem } from "./setting-value.js"

/** Reads and checks the text of a configuration file. Whatever is wrong stops the start and names file and line. */
export function parseConfigFile(
  text: string,
  place: { readonly path: string; readonly name: string; readonly scope: ConfigScope },
): ConfigFile {
  const fail = (line: number, reason: string, hint?: string): never => {
    throw new ToolError("not_configured", `Cannot use "${place.path}": line ${line}: ${reason}`, {
      hint: hint ?? `Correct the file, then run: haft doctor`,
    })
  }
  const lineOf = lineCounter(text)
  const root = parseWhole(text, lineOf, fail)
  const entries: ConfigEntry[] = []
  const rules: PlacedRule[] = []
  for (const { key, keyNode, value } of membersOf(root, lineOf, fail)) {
    if (key === "$schema" || (key === "folder" && place.scope === "answers")) continue
    if (key === "rules") {
      if (value.type !== "array") fail(lineOf(value), '"rules" must be a list')
      for (const node of value.children ?? []) {
        const source = { scope: ruleScopeOf(place.scope), file: place.name, line: lineOf(node) }
        const rule = parseRuleNode(node, (reason, at = node) => fail(lineOf(at), reason))
        rules.push({ ...rule, source, ...(place.scope === "answers" && { answer: true }) })
      }
    } else readEntries(key, keyNode, value, { entries, lineOf, fail })
  }
  return { ...place, entries, rules }
}

/**
 * The authority with which a file's rules speak. Saved answers count as `local`: they settle asks, which need no
 * authority, and cannot set aside a deny of the user or a secret rule, which an answer was never asked about.
 */
function ruleScopeOf(scope: ConfigScope): RuleScope {
  return scope === "answers" ? "local" : scope
}

type Fail = (line: number, reason: string, hint?: string) => never
type LineOf = (node: Node) => number

interface Reading {
  readonly entries: ConfigEntry[]
  readonly lineOf: LineOf
  readonly fail: Fail
}

const groups = new Set(settings.flatMap(({ key }) => prefixesOf(key)))
const topLevel = ["rules", "$schema", ...new Set(settings.map(({ key }) => key.split(".")[0]!))]

function readEntries(key: string, keyNode: Node, node: Node, reading: Reading): void {
  const { entries, lineOf, fail } = reading
  const setting = settingOf(key)
  if (setting) {
    const value = plainValue(node)
    const problem = valueProblem(setting.type, value)
    if (problem) fail(lineOf(node), `Cannot take ${JSON.stringify(value)} for "${key}": ${problem}`)
    entries.push({ key, value, line: lineOf(keyNode) })
    return
  }
  if (!groups.has(key)) fail(lineOf(keyNode), `"${key}" is not a setting`, unknownHint(key))
  if (node.type !== "object") fail(lineOf(node), `"${key}" must be an object`)
  for (const member of membersOf(node, lineOf, fail)) {
    readEntries(`${key}.${member.key}`, member.keyNode, member.value, reading)
  }
}

function unknownHint(key: string): string {
  const known = key.includes(".") ? settings.map((setting) => setting.key) : topLevel
  const [near] = nearestNames(key, known, 1)
  return near ? `Did you mean "${near}"?` : `Known settings: ${topLevel.join(", ")}`
}

function parseWhole(text: string, lineOf: LineOf, fail: Fail): Node {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true })
  } catch {
    fail(1, "it is nested too deeply")
  }
  const [first] = errors
  if (first)
    fail(
      lineOf({ type: "null", offset: first.offset, length: 0 }),
      `it is not JSON with comments: ${words(printParseErrorCode(first.error))}`,
    )
  if (root?.type !== "object") fail(1, "the whole must be an object in braces")
  return root!
}

function membersOf(object: Node, lineOf: LineOf, fail: Fail): readonly { key: string; keyNode: Node; value: Node }[] {
  const seen = new Set<string>()
  return (object.children ?? []).map((property) => {
    const [keyNode, value] = property.children as [Node, Node]
    const key = String(keyNode.value)
    // The second of two equal keys would silently win, and with it perhaps the shorter list of denials.
    if (seen.has(key)) fail(lineOf(keyNode), `"${key}" appears twice in one object`)
    seen.add(key)
    return { key, keyNode, value }
  })
}

/** The plain value of a node; objects have no prototype to pollute. */
function plainValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plainValue)
  if (node.type !== "object") return node.value as unknown
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const property of node.children ?? [])
    value[String(property.children![0]!.value)] = plainValue(property.children![1]!)
  return value
}

/** "ValueExpected" as "value expected". */
function words(code: string): string {
  return code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
}

function prefixesOf(key: string): readonly string[] {
  const parts = key.split(".")
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."))
}

function lineCounter(text: string): LineOf {
  const breaks: number[] = []
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) breaks.push(at)
  return ({ offset }) => {
    let low = 0
    let high = breaks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (breaks[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** Checks one member of a `rules` list. */
function parseRuleNode(node: Node, fail: (reason: string, at?: Node) => never): BoundRule {
  if (node.type !== "object")
    return fail('a rule must be an object such as {"permission": "fs.read", "action": "deny"}')
  const rule: Record<string, unknown> = {}
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children as [Node, Node]
    const key = String(keyNode.value)
    const check = checks[key]
    if (!check) return fail(`"${key}" is not a part of a rule${suggestion(key)}`, keyNode)
    if (Object.hasOwn(rule, key)) return fail(`"${key}" appears twice in one rule`, keyNode)
    const value = getNodeValue(valueNode) as unknown
    const problem = check(value)
    if (problem) return fail(`"${key}" of a rule ${problem}`, valueNode)
    rule[key] = value
  }
  if (rule.permission === undefined) return fail('a rule needs a "permission", for instance fs.read or bash')
  if (rule.action === undefined) return fail('a rule needs an "action": allow, deny or ask')
  return rule as unknown as BoundRule
}

const actions: readonly Action[] = ["allow", "deny", "ask"]

const text = (value: unknown) =>
  typeof value === "string" && value !== "" ? undefined : "must be a string that is not empty"
const texts = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "must be a list of strings"
const action = (value: unknown) => (actions.includes(value as Action) ? undefined : "must be allow, deny or ask")

const checks: Readonly<Record<string, (value: unknown) => string | undefined>> = Object.assign(Object.create(null), {
  permission: text,
  pattern: text,
  action,
  why: text,
  match: texts,
  no_match: texts,
  recipe: text,
  shown: text,
})

function suggestion(key: string): string {
  const [near] = nearestNames(key, Object.keys(checks), 1)
  return near ? `; did you mean "${near}"?` : `; known are ${Object.keys(checks).join(", ")}`
}
