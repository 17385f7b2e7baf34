import type { Action } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { command, defaultsAnd, fileCall, judgeWith } from "../../../guard/test/world.js"
import { judgeOf, plainCall } from "../../test/foreign-calls.js"
import type { ForeignNames } from "../shared/permissions/foreign-policy.js"
import { type AsyarSettings, compileAsyar } from "./permissions.js"

const names: ForeignNames = {
  "builtin:calculator": "calculator",
  "builtin:fs-read": "read_text",
  "builtin:shell-exec": "exec",
}
const verdict = (settings: AsyarSettings, tool: string) => judgeOf(compileAsyar(settings, names).rules)(plainCall(tool))

test("choosing a tool is the consent; what was not chosen is denied", () => {
  const settings = { selection: ["builtin:calculator", "weather:forecast"] }
  expect(verdict(settings, "calculator")).toBe("allow")
  expect(verdict(settings, "weather:forecast")).toBe("allow")
  expect(verdict(settings, "exec")).toBe("deny")
  expect(verdict(settings, "weather:alerts")).toBe("deny")
  expect(compileAsyar(settings, names).deniedTools).toEqual(["read_text", "exec"])
})

test("a chosen command tool runs any command; a default that reads files does not bring back what was not chosen", () => {
  const { rules } = compileAsyar({ selection: ["builtin:shell-exec"] }, names)
  const part = {
    ...command("make x"),
    heads: [{ permission: "exec", subject: { kind: "command", argv: ["make", "x"] } }],
  }
  expect(judgeOf(rules)([part as never])).toBe("allow")
  const placed = rules.map((rule) => ({ ...rule, source: { scope: "user" } as const }))
  expect(judgeWith(defaultsAnd(...placed), fileCall("read_text", "fs.read", "a")).verdict).toBe("deny")
})

test("hosts of a chosen command tool are denied, and a note says so", () => {
  const { rules, notes } = compileAsyar({ selection: ["builtin:shell-exec"] }, names)
  const part = {
    ...command("curl https://a.test/"),
    heads: ["exec", "shell.run"].map((permission) => ({
      permission,
      subject: { kind: "command", argv: ["curl", "https://a.test/"] },
    })),
    effects: [{ kind: "net.fetch", host: "a.test", port: 443 }],
  }
  expect(judgeOf(rules)([part as never])).toBe("deny")
  expect(notes).toEqual([expect.stringContaining("exec: hosts that a command reaches are denied")])
  expect(compileAsyar({ selection: ["builtin:calculator"] }, names).notes).toEqual([])
})

describe("tools of MCP servers: the triple of server, tool and agent", () => {
  const decisions = ["allow_once", "allow_always", "never", undefined] as const
  const expected = (decision: (typeof decisions)[number], reading: boolean, strict: boolean): Action => {
    if (decision === "never") return "deny"
    if (reading && !strict) return "allow"
    // A rule is not used up by a call, so an answer for one call asks again.
    return decision === "allow_always" ? "allow" : "ask"
  }
  const cells = decisions.flatMap((decision) =>
    [true, false].flatMap((reading) => [true, false].map((strict) => [decision, reading, strict] as const)),
  )
  test.each(cells)("decision %s, sounds like reading %s, strict %s", (decision, reading, strict) => {
    const tool = reading ? "list_issues" : "close_issue"
    const mcpTriples = decision === undefined ? [] : [{ server: "hub", tool, agent: "me", decision }]
    const id = `mcp:hub:${tool}`
    const settings = { selection: [id], mcpTriples, strict, agent: "me" }
    expect(verdict(settings, id)).toBe(expected(decision, reading, strict))
    // Another agent has not answered, and an unselected tool is denied whatever was answered.
    expect(verdict({ ...settings, agent: "" }, id)).toBe(expected(undefined, reading, strict))
    expect(verdict({ ...settings, selection: [] }, id)).toBe("deny")
  })

  test("an answer about another tool, or a server of a similar name, is none", () => {
    const triple = { server: "hub", tool: "close_issue", agent: "", decision: "allow_always" } as const
    expect(verdict({ selection: ["mcp:hub2:close_issue"], mcpTriples: [triple] }, "mcp:hub2:close_issue")).toBe("ask")
    expect(verdict({ selection: ["mcp:hub:open_issue"], mcpTriples: [triple] }, "mcp:hub:open_issue")).toBe("ask")
  })
})

test("random selections: a tool runs or asks only when it was chosen", () => {
  const ids = ["builtin:calculator", "builtin:fs-read", "builtin:shell-exec", "x:y", "mcp:a:get_b", "mcp:a:set_b"]
  fc.assert(
    fc.property(fc.subarray(ids), fc.boolean(), (selection, strict) => {
      const judged = judgeOf(compileAsyar({ selection, strict }, names).rules)
      for (const id of ids) {
        const tool = (names[id] as string | undefined) ?? id
        expect(judged(plainCall(tool)) === "deny").toBe(!selection.includes(id))
      }
    }),
  )
})
