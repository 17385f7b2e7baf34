import type { PlacedRule } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { at, judgeWith, read, rule, variables } from "../../test/world.js"
import { ruleInside } from "./rule.js"
import { compileRule, specificity } from "./rule-book.js"

describe("the number", () => {
  test.each([
    ["fs.read", 0],
    ["fs.read(*)", 0],
    ["fs.read(**)", 0],
    ["fs.read(/**)", 0],
    ["fs.read(src/**)", 104],
    ["fs.read(~/.ssh/**)", 103],
    ["fs.read(**/.git/hooks/**)", 102],
    ["fs.read(**/.env)", 201],
    ["fs.read(**/.env.*)", 200],
    ["fs.read(src/**/*.ts)", 204],
    ["fs.read(src/*)", 204],
    ["fs.read(src/a.ts)", 305],
    ["bash(git push *)", 102],
    ["bash(git * x)", 202],
    ["bash(git status)", 302],
    ["net.fetch(*.example.org)", 102],
    ["net.fetch(*.example.org:443)", 152],
    ["net.fetch(example.org)", 302],
    ["net.fetch(example.org:443)", 352],
    ["net.fetch(@docs)", 200],
    ["custom(name=a*)", 200],
    ["custom(name=a)", 301],
  ])("%s has %i", (text, number) => {
    expect(specificity(rule("user", "allow", text), variables)).toBe(number)
  })
})

const inside = (inner: string, outer: string) => {
  const [left] = compileRule(rule("user", "allow", inner), variables)
  const [right] = compileRule(rule("user", "deny", outer), variables)
  return ruleInside(left!, right!)
}

describe("inside", () => {
  test.each([
    ["fs.read(a/b)", "fs.read(a/**)"],
    ["fs.read(a/b)", "fs.read(**/b)"],
    ["fs.read(a/B)", "fs.read(**/b)"],
    ["fs.read(a/b)", "fs.read"],
    ["fs.read(a/**)", "fs.read"],
    ["fs.read(a/b/**)", "fs.read(a/**)"],
    ["fs.read(a/b/*.ts)", "fs.read(a/**)"],
    ["fs.read(a/*.ts)", "fs.read(a/**)"],
    ["fs.read(a/b/**/*.ts)", "fs.read(a/**/*.ts)"],
    ["fs.read(a/**/.env)", "fs.read(**/.env)"],
    ["fs.read(**/.env.example)", "fs.read(**/.env.*)"],
    ["fs.read(a)", "*(a*)"],
    ["bash(git push origin *)", "bash(git push *)"],
    ["bash(git push origin x)", "bash(git push *)"],
    ["bash(git status)", "bash"],
    ["net.fetch(a.x.test)", "net.fetch(*.x.test)"],
    ["net.fetch(*.a.x.test)", "net.fetch(*.x.test)"],
    ["net.fetch(x.test:443)", "net.fetch(x.test)"],
    ["net.fetch(nodejs.org)", "net.fetch(@docs)"],
    ["custom(name=abc)", "custom(name=a*)"],
  ])("%s is inside %s, and not the other way round", (inner, outer) => {
    expect(inside(inner, outer)).toBe(true)
    expect(inside(outer, inner)).toBe(false)
  })

  test.each([
    ["fs.read(a/**)", "fs.read(a/**)"],
    ["fs.read(a/b)", "fs.read(a/b)"],
    ["fs.read(src/**)", "fs.read(**/.env)"],
    ["fs.read(**/*.md)", "fs.read(src/**)"],
    ["fs.read(a/b/*.ts)", "fs.read(a/*.ts)"],
    ["fs.read(ab/**)", "fs.read(a/**)"],
    ["*(a/b)", "fs.read(a/**)"],
    ["fs.write(a/b)", "fs.read(a/**)"],
    ["bash(git pushy *)", "bash(git push *)"],
    ["net.fetch(x.test)", "net.fetch(*.x.test)"],
    ["net.fetch(a.x.test)", "net.fetch(*.x.test:443)"],
    ["custom(other=abc)", "custom(name=a*)"],
  ])("%s is not inside %s", (inner, outer) => {
    expect(inside(inner, outer)).toBe(false)
  })

  const part = fc.constantFrom("a", "b", "ab", "*", "a*", "**", "**")
  const pattern = fc
    .tuple(fc.constantFrom("", "", "**/", "/", "~/"), fc.array(part, { minLength: 1, maxLength: 4 }))
    .map(([start, parts]) => start + parts.join("/"))
  const path = fc.array(fc.constantFrom("a", "b", "ab", "c", "A"), { minLength: 1, maxLength: 5 })

  const placed = (action: PlacedRule["action"], text: string): PlacedRule => ({
    permission: "fs.read",
    pattern: text,
    action,
    source: { scope: "user" },
  })
  const matched = (text: string, subject: string) =>
    judgeWith([placed("deny", text)], read(at(subject))).verdict === "deny"

  test("what is inside has the higher number and matches nothing more", () => {
    let found = 0
    fc.assert(
      fc.property(pattern, pattern, path, (inner, outer, parts) => {
        const [left] = compileRule(placed("allow", inner), variables)
        const [right] = compileRule(placed("deny", outer), variables)
        if (!ruleInside(left!, right!)) return
        found += 1
        expect(left!.number).toBeGreaterThan(right!.number)
        for (const subject of [parts.join("/"), `/${parts.join("/")}`, `/home/me/${parts.join("/")}`]) {
          if (matched(inner, subject)) expect(matched(outer, subject)).toBe(true)
        }
      }),
      { numRuns: 1500 },
    )
    expect(found).toBeGreaterThan(30)
  })
})
