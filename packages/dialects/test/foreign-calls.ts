import type { Action, CallPart, Rule } from "@haft/contract"
import { compileRules, judge } from "../../guard/src/index.js"
import { plainFacts, variables } from "../../guard/test/world.js"

/** The verdict of our evaluator over rules of one scope, compiled once for many calls. */
export function judgeOf(rules: readonly Rule[]): (parts: readonly CallPart[]) => Action {
  const book = compileRules(
    rules.map((rule) => ({ ...rule, source: { scope: "user" } })),
    variables,
  )
  return (parts) => judge(book, parts, plainFacts).verdict
}

/** A call of a tool that has neither a path nor a host nor a command. */
export function plainCall(tool: string): readonly CallPart[] {
  const subject = { kind: "arguments", values: {} } as const
  return [{ label: tool, heads: [{ permission: tool, subject }], effects: [], opaque: false }]
}

/** A call that fetches an address. */
export function fetchCall(tool: string, address: string): readonly CallPart[] {
  const { hostname: host, port, protocol } = new URL(address)
  const subject = { host, port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port) }
  const heads = [{ permission: tool, subject: { kind: "host", ...subject } }] as const
  return [{ label: tool, heads, effects: [{ kind: "net.fetch", ...subject }], opaque: false }]
}
