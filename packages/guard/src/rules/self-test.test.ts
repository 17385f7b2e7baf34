import type { PlacedRule } from "@haft/contract"
import { expect, test } from "vitest"
import { rule, variables } from "../../test/world.js"
import { testRules } from "./self-test.js"

test("each sample is held against its own rule", () => {
  const rules: readonly PlacedRule[] = [
    { ...rule("user", "deny", "fs.read(**/.env)"), match: [".env", "x/.ENV", "/etc/.env"], no_match: [".env.example"] },
    { ...rule("user", "allow", "fs.read(~/notes/**)"), match: ["~/notes/a", "/home/me/notes"], no_match: ["notes/a"] },
    { ...rule("user", "deny", "bash(git push *)"), match: ["git push", "git push origin x"], no_match: ["git status"] },
    {
      ...rule("user", "allow", "net.fetch(*.x.test:443)"),
      match: ["a.x.test:443"],
      no_match: ["x.test:443", "a.x.test:80", "a b"],
    },
    { ...rule("user", "allow", "custom(name=a*)"), match: ["name=abc"], no_match: ["name=b", "nothing"] },
    { ...rule("user", "deny", "fs.write"), match: ["anything"] },
  ]
  const results = testRules(rules, variables)
  expect(results).toHaveLength(18)
  expect(results.filter((result) => !result.passed)).toEqual([])
})

test("a sample that does not do what it promises is reported", () => {
  const placed: PlacedRule = {
    ...rule("project", "deny", "bash(git push *)"),
    match: ["git pull"],
    no_match: ["git push x"],
  }
  expect(testRules([placed], variables)).toEqual([
    { rule: placed, sample: "git pull", expected: "match", passed: false },
    { rule: placed, sample: "git push x", expected: "no match", passed: false },
  ])
})

test("rules without samples give no results", () => {
  expect(testRules([rule("user", "deny", "bash")], variables)).toEqual([])
})
