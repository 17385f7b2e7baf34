import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { errorOf } from "../../test/world.js"
import { describeSource, flagFor, formatRule, parseRule } from "./rule.js"

describe("parseRule", () => {
  test.each([
    ["bash", { permission: "bash" }],
    ["*", { permission: "*" }],
    ["fs.read(src/**)", { permission: "fs.read", pattern: "src/**" }],
    ["bash(git push *)", { permission: "bash", pattern: "git push *" }],
    ["fs.read(a(b).ts)", { permission: "fs.read", pattern: "a(b).ts" }],
    ["mcp:server:tool(name=x)", { permission: "mcp:server:tool", pattern: "name=x" }],
    [" todo ", { permission: "todo" }],
  ])("%s", (text, expected) => {
    expect(parseRule(text, "ask")).toEqual({ ...expected, action: "ask" })
  })

  test.each([
    ["", "it names no permission"],
    ["(src/**)", "it names no permission"],
    ["fs.read(src/**", "the parenthesis is not closed"],
    ["fs.read()", "the pattern is empty"],
    ["bash git push", 'write "bash(git push)"'],
    ["src/**", "is no permission"],
    ["fs.read src/**", 'write "fs.read(src/**)"'],
  ])("%j is refused: %s", (text, reason) => {
    const error = errorOf(() => parseRule(text, "allow"))
    expect(error.code).toBe("invalid_args")
    expect(error.message).toContain(`Cannot read the rule "${text}": `)
    expect(error.message).toContain(reason)
    expect(error.hint).toContain("fs.read(src/**)")
  })

  test("what is written is read back", () => {
    const pattern = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "")
    fc.assert(
      fc.property(
        fc.constantFrom("fs.read", "bash", "*", "a_b"),
        fc.option(pattern, { nil: undefined }),
        (permission, text) => {
          const rule = { permission, action: "deny" as const, ...(text === undefined ? {} : { pattern: text }) }
          expect(parseRule(formatRule(rule), "deny")).toEqual(rule)
        },
      ),
    )
  })
})

test("a flag survives the shell's quotes", () => {
  expect(flagFor({ permission: "fs.write", pattern: "x.ts", action: "allow" })).toBe("--allow 'fs.write(x.ts)'")
  expect(flagFor({ permission: "fs.read", pattern: "it's", action: "deny" })).toBe("--deny 'fs.read(it'\\''s)'")
})

test("a source is the scope with its file and line", () => {
  expect(describeSource({ scope: "project", file: "haft.jsonc", line: 41 })).toBe("project haft.jsonc:41")
  expect(describeSource({ scope: "user", file: "config.jsonc" })).toBe("user config.jsonc")
  expect(describeSource({ scope: "flag" })).toBe("flag")
})
