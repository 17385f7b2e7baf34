import { type Action, type BoundRule, nearestNames } from "@haft/contract"
import { getNodeValue, type Node } from "jsonc-parser"

/** Checks one member of a `rules` list. */
export function parseRuleNode(node: Node, fail: (reason: string, at?: Node) => never): BoundRule {
  if (node.type !== "object")
    return fail('a rule must be an object such as {"permission": "fs.read", "action": "deny"}')
  const rule: Record<string, unknown> = {}
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children as [Node, Node]
    const key = String(keyNode.value)
    const check = checks[key]
    if (!check) return fail(`"${key}" is not a part of a rule${suggestion(key)}`, keyNode)
    if (Object.hasOwn(rule, key)) return fail(`"${key}" stands twice in one rule`, keyNode)
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
