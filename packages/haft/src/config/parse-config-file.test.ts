import { ToolError } from "@haft/contract"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseConfigFile } from "./parse-config-file.js"

const place = { path: "/w/haft.jsonc", name: "haft.jsonc", scope: "project" } as const
const parse = (text: string) => parseConfigFile(text, place)

function failure(text: string): ToolError {
  try {
    parse(text)
  } catch (error) {
    if (ToolError.is(error)) return error
    throw error
  }
  throw new Error("it was accepted")
}

describe("a configuration file", () => {
  test("may have comments and trailing commas, and every value keeps its line", () => {
    const file = parse(
      '{\n  // why\n  "mode": "plan",\n  "limits": { "grep": 50, },\n  "net": {\n    "grants": ["localhost:3000"],\n  },\n}',
    )
    expect(file.entries).toEqual([
      { key: "mode", value: "plan", line: 3 },
      { key: "limits.grep", value: 50, line: 4 },
      { key: "net.grants", value: ["localhost:3000"], line: 6 },
    ])
  })

  test("[C2-53] gives rules with permission, pattern, action and their source", () => {
    const { rules } = parse(
      '{ "rules": [\n  { "permission": "fs.read", "pattern": "a/**", "action": "deny", "why": "w", "match": ["a/b"] },\n  { "permission": "bash", "action": "ask" }\n] }',
    )
    expect(rules).toEqual([
      {
        permission: "fs.read",
        pattern: "a/**",
        action: "deny",
        why: "w",
        match: ["a/b"],
        source: { scope: "project", file: "haft.jsonc", line: 2 },
      },
      { permission: "bash", action: "ask", source: { scope: "project", file: "haft.jsonc", line: 3 } },
    ])
  })

  test.each([
    ['{ "mode": ', 1, "value expected"],
    ["", 1, ""],
    ["[]", 1, "braces"],
    ['{\n "moed": "plan" }', 2, '"moed" is not a setting'],
    ['{ "mode": "plna" }', 1, "plan, ask, accept-edits, auto"],
    ['{ "limits": { "grep": 0 } }', 1, "whole number above 0"],
    ['{ "limits": 5 }', 1, '"limits" must be an object'],
    ['{ "webSearch": { "timeout": 5 } }', 1, '"webSearch.timeout" is not a setting'],
    ['{ "rules": {} }', 1, '"rules" must be a list'],
    ['{ "rules": [\n{ "permission": "bash", "acton": "deny" } ] }', 2, 'did you mean "action"'],
    ['{ "rules": [ { "permission": "bash" } ] }', 1, 'needs an "action"'],
    ['{ "rules": [ { "permission": "bash", "action": "forbid" } ] }', 1, "allow, deny or ask"],
    ['{ "rules": [ "bash" ] }', 1, "must be an object"],
    ['{ "rules": [],\n "rules": [] }', 2, "appears twice"],
    ['{ "mode": "plan" } extra', 1, "invalid symbol"],
  ])("stops the start and names the line: %s", (text, line, words) => {
    const { code, message } = failure(text)
    expect(code).toBe("not_configured")
    expect(message).toContain(`Cannot use "/w/haft.jsonc": line ${line}:`)
    expect(message).toContain(words)
  })

  test("an unknown key is answered with the nearest one", () => {
    expect(failure('{ "tolset": "code" }').hint).toBe('Did you mean "toolset"?')
    expect(failure('{ "webSearch": { "timeout": 5 } }').hint).toBe('Did you mean "webSearch.timeoutMs"?')
  })

  test("nesting that would exhaust the stack is a plain failure", () => {
    expect(failure(`{ "mcpServers": { "a": ${"[".repeat(200_000)} } }`).code).toBe("not_configured")
  })

  test("any text is either taken or refused with a typed error", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      '"rules"',
      ":",
      "[",
      "]",
      ",",
      '"mode"',
      '"plan"',
      "//x\n",
      "1",
      "null",
      '"__proto__"',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join(" ")),
        ),
        (text) => {
          try {
            parse(text)
          } catch (error) {
            expect(ToolError.is(error)).toBe(true)
          }
        },
      ),
    )
  })

  test("a value named __proto__ stays a plain value", () => {
    const [entry] = parse('{ "mcpServers": { "a": { "__proto__": { "polluted": true } } } }').entries
    expect(Object.keys(entry?.value as object)).toEqual(["__proto__"])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
