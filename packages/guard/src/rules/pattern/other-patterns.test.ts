import type { CallPart, Subject } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { errorOf, judgeWith, rule, variables } from "../../../test/world.js"
import { joinWords } from "../rule.js"
import { compileRules } from "../rule-book.js"
import { splitWords } from "./command-pattern.js"

function matches(action: "allow" | "deny", text: string, subject: Subject): boolean {
  const part: CallPart = {
    label: "call",
    heads: [{ permission: text.split("(")[0]!, subject }],
    effects: [],
    opaque: false,
  }
  return judgeWith([rule("user", action, text)], [part]).verdict === action
}

const argv = (...words: string[]): Subject => ({ kind: "command", argv: words })
const host = (name: string, port?: number): Subject =>
  port === undefined ? { kind: "host", host: name } : { kind: "host", host: name, port }

describe("[C2-55] command patterns", () => {
  test.each([
    ["git status", ["git", "status"], true],
    ["git status", ["git", "status", "-s"], false],
    ["git status", ["git"], false],
    ["git push *", ["git", "push"], true],
    ["git push *", ["git", "push", "origin", "x"], true],
    ["git push *", ["git", "pushy"], false],
    ["git * status", ["git", "-v", "status"], true],
    ["git * status", ["git", "-C", "x", "status"], false],
    ["npm run test:* --", ["npm", "run", "test:unit", "--"], true],
    ["npm run test:* --", ["npm", "run", "lint", "--"], false],
    ["cat src/*", ["cat", "src/a/b"], true],
    ["echo 'a b'", ["echo", "a b"], true],
    ["echo 'a b'", ["echo", "a", "b"], false],
    ["echo '*'", ["echo", "*"], true],
    ["echo '*'", ["echo", "x"], false],
    ['echo "a\\"b"', ["echo", 'a"b'], true],
    ["git  status", ["git", "status"], true],
  ])("%s with %j: %s", (pattern, words, expected) => {
    expect(matches("allow", `bash(${pattern})`, argv(...words))).toBe(expected)
    expect(matches("deny", `shell.run(${pattern})`, argv(...words))).toBe(expected)
  })

  test("a deny also sees the program behind its folder, an allow does not", () => {
    expect(matches("deny", "bash(sudo *)", argv("/usr/bin/sudo", "ls"))).toBe(true)
    expect(matches("allow", "bash(sudo *)", argv("/tmp/sudo", "ls"))).toBe(false)
  })

  test.each([
    ["git push*", 'write "git push *"'],
    ["push*", 'write "push *"'],
    ["npm run test*", 'write "npm run test *"'],
    ["echo 'a", "close it"],
  ])("%s is refused with the fix", (pattern, fix) => {
    const error = errorOf(() => compileRules([rule("project", "deny", `bash(${pattern})`)], variables))
    expect(error.code).toBe("invalid_args")
    expect(error.message).toContain(`"deny bash(${pattern})" (project)`)
    expect(error.message).toContain(fix)
  })

  test.each([[["a b", "c'd", "*", ""]], [["plain", "x=1", "./a"]], [["new\nline", '"', "\\"]]])(
    "words survive being written and read: %j",
    (words) => {
      const read = splitWords(joinWords(words))
      expect(read.map((word) => word.text)).toEqual(words)
      expect(matches("allow", `bash(prog ${joinWords(words)})`, argv("prog", ...words))).toBe(true)
    },
  )
})

describe("[C2-49] host patterns", () => {
  test.each([
    ["x.test", host("x.test"), true],
    ["x.test", host("X.TEST."), true],
    ["x.test", host("a.x.test"), false],
    ["*.x.test", host("a.b.x.test"), true],
    ["*.x.test", host("x.test"), false],
    ["*.x.test", host("ax.test"), false],
    ["x.test:8080", host("x.test", 8080), true],
    ["x.test:8080", host("x.test", 443), false],
    ["x.test", host("x.test", 8080), true],
    ["@docs", host("nodejs.org"), true],
    ["@docs", host("evil-nodejs.org"), false],
    ["@docs:443", host("nodejs.org", 80), false],
    ["[::1]:80", host("[::1]", 80), true],
    ["127.0.0.1", host("127.0.0.1"), true],
  ])("%s with %j: %s", (pattern, subject, expected) => {
    expect(matches("allow", `net.fetch(${pattern})`, subject)).toBe(expected)
    expect(matches("deny", `net.fetch(${pattern})`, subject)).toBe(expected)
  })

  test("an unknown port fits a deny, never an allow", () => {
    expect(matches("deny", "net.fetch(x.test:80)", host("x.test"))).toBe(true)
    expect(matches("allow", "net.fetch(x.test:80)", host("x.test"))).toBe(false)
  })

  test.each([
    ["https://x.test/a", 'write "x.test"'],
    ["@nope", "there is no bundle @nope; write one of @docs"],
    ["@constructor", "there is no bundle"],
    ["x.*", 'write "example.org"'],
    ["a b", 'write "example.org"'],
  ])("%s is refused with the fix", (pattern, fix) => {
    expect(errorOf(() => compileRules([rule("user", "allow", `net.fetch(${pattern})`)], variables)).message).toContain(
      fix,
    )
  })
})

describe("argument patterns", () => {
  const values = (record: Record<string, unknown>): Subject => ({ kind: "arguments", values: record })

  test.each([
    ["name=a*", { name: "abc" }, true],
    ["name=a*", { name: "xabc" }, false],
    ["name=a*", { other: "abc" }, false],
    ["name=a*", {}, false],
    ["count=3", { count: 3 }, true],
    ["flag=true", { flag: true }, true],
    ["name=*", { name: { deep: 1 } }, false],
    ["constructor=*", {}, false],
  ])("%s with %j: %s", (pattern, record, expected) => {
    expect(matches("allow", `custom(${pattern})`, values(record))).toBe(expected)
    expect(matches("deny", `custom(${pattern})`, values(record))).toBe(expected)
  })

  test("of a list all entries must fit an allow and one is enough for a deny", () => {
    expect(matches("allow", "custom(names=a*)", values({ names: ["a", "b"] }))).toBe(false)
    expect(matches("allow", "custom(names=a*)", values({ names: ["a", "ab"] }))).toBe(true)
    expect(matches("allow", "custom(names=a*)", values({ names: [] }))).toBe(false)
    expect(matches("deny", "custom(names=a*)", values({ names: ["b", "a"] }))).toBe(true)
  })
})
