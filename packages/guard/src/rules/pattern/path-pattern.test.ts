import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { at, errorOf, judgeWith, read, rule, variables } from "../../../test/world.js"
import { compileRules } from "../rule-book.js"

/** Whether a pattern matches a path, seen through a single rule. */
function matches(action: "allow" | "deny", pattern: string, path: string): boolean {
  return judgeWith([rule("user", action, `fs.read(${pattern})`)], read(at(path))).verdict === action
}

describe("[C2-55] path patterns", () => {
  test.each([
    ["src/**", "src", true],
    ["src/**", "src/a", true],
    ["src/**", "src/a/b/.c", true],
    ["src/**", "srcs/a", false],
    ["src/**", "lib/src/a", false],
    ["src/*", "src/a", true],
    ["src/*", "src/.a", true],
    ["src/*", "src/a/b", false],
    ["src/*", "src", false],
    ["src/?.ts", "src/a.ts", true],
    ["src/?.ts", "src/.ts", false],
    ["src/?.ts", "src/😀.ts", true],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/x/y/a.ts", true],
    ["src/**/*.ts", "src/x/y/a.tsx", false],
    ["src/**/test/**", "src/test", true],
    ["src/**/test/**", "src/a/test/b/c", true],
    ["src/**/test/**", "src/a/tests/b", false],
    ["**/.env", ".env", true],
    ["**/.env", "/.env", true],
    ["**/.env", "/etc/x/.env", true],
    ["**/.env", "x.env", false],
    ["**/.env", ".env/a", false],
    ["**/.env.*", ".env.local", true],
    ["**/.env.*", ".env", false],
    ["**/a/b", "x/a/b", true],
    ["**/a/b", "x/ya/b", false],
    ["**/.git/hooks/**", "sub/.git/hooks", true],
    ["**/.git/hooks/**", "sub/.git/hooks/pre-commit", true],
    ["**/.git/hooks/**", "sub/x.git/hooks/pre-commit", false],
    ["**/*a*b*", "x/1a2b3", true],
    ["**/*a*b*", "x/1b2a3", false],
    ["~/x/*.md", "/home/me/x/a.md", true],
    ["~", "/home/me", true],
    ["{workspace}", "/home/me/app", true],
    ["{workspace}", "a", false],
    ["{workspace}/**", "a/b", true],
    ["{workspace}/**", "/home/me/apple", false],
    ["{haft-home}/**", "/home/me/.local/share/haft/journal.db", true],
    ["./src//a", "src/a", true],
    ["/", "/", true],
    ["/etc", "/etc", true],
    ["/**", "/anything/at/all", true],
    ["[id].tsx", "[id].tsx", true],
    ["[id].tsx", "i.tsx", false],
  ])("%s with %s: %s", (pattern, path, expected) => {
    expect(matches("allow", pattern, path)).toBe(expected)
    expect(matches("deny", pattern, path)).toBe(expected)
  })

  test.each([
    ["**/.env", "x/.ENV"],
    ["**/.env", "x/.Env"],
    ["secret/**", "SECRET/a"],
    ["**/caf\u00e9", "cafe\u0301"],
    ["**/cafe\u0301", "caf\u00e9"],
    ["**/.git/config", ".g\u200cit/config"],
    ["**/.ssh/**", ".\u017fsh/id"],
    ["**/keys", "\u212aEYS"],
    ["**/ΟΔΟΣ", "οδος"],
    ["**/*Σ.txt", "οδος.txt"],
  ])("deny and ask fold case and normalisation, allow does not: %s with %j", (pattern, path) => {
    expect(matches("deny", pattern, path)).toBe(true)
    expect(judgeWith([rule("user", "ask", `fs.read(${pattern})`)], read(at(path))).written).toBe(true)
    expect(matches("allow", pattern, path)).toBe(false)
  })

  test("a relative pattern starts at each workspace root", () => {
    const book = compileRules([rule("user", "deny", "fs.read(src/*)")], { ...variables, workspace: ["/a", "/b/c"] })
    const { strictPaths } = book.rulesFor("fs.read")
    const matched = (folder: string) => {
      const into: never[] = []
      strictPaths.collect(folder, "x", into)
      return into.length
    }
    expect([matched("/a/src"), matched("/b/c/src"), matched("/b/src")]).toEqual([1, 1, 0])
  })

  test("[C2-50] a variable without a value matches nothing", () => {
    expect(matches("allow", "{ad-hoc}/**", "a")).toBe(false)
    expect(matches("allow", "{ad-hoc}/**", "/a")).toBe(false)
  })

  test("a star in the name of a root means itself", () => {
    const book = compileRules([rule("user", "deny", "fs.read(*.md)")], { ...variables, workspace: ["/a*b"] })
    const into: never[] = []
    book.rulesFor("fs.read").strictPaths.collect("/axb", "x.md", into)
    expect(into).toEqual([])
    book.rulesFor("fs.read").strictPaths.collect("/a*b", "x.md", into)
    expect(into).toHaveLength(1)
  })

  test.each([
    ["src/**.ts", 'write "src/**/*.ts"'],
    ["src**", 'write "src*/**"'],
    ["src/", 'write "src/**"'],
    ["../x", "write the whole path from / or ~/"],
    ["a/../b", "write the whole path"],
    ["*.{ts,js}", "write one rule for each alternative"],
    ["!src/**", "write a rule with the other action"],
    ["~root/x", 'write "~/..."'],
    [" src/**", 'write "src/**"'],
    ["{project}/**", "write one of {workspace}, {ad-hoc}, {user-data}, {haft-home}"],
    ["a\0b", "remove it"],
  ])("a pattern that would fail in silence is refused with the fix: %j", (pattern, fix) => {
    const placed = {
      permission: "fs.read",
      pattern,
      action: "deny",
      source: { scope: "project", file: "haft.jsonc", line: 41 },
    } as const
    const error = errorOf(() => compileRules([placed], variables))
    expect(error.code).toBe("invalid_args")
    expect(error.message).toContain(`Cannot use the rule "deny fs.read(${pattern})" (project haft.jsonc:41): `)
    expect(error.message).toContain(fix)
  })

  test("many stars cost no exponential time", () => {
    const pattern = `${"*a".repeat(60)}b`
    expect(matches("deny", `**/${pattern}`, `x/${"a".repeat(4000)}`)).toBe(false)
    const deep = `${"**/a/".repeat(40)}b`
    expect(matches("deny", deep, "a/".repeat(300).slice(0, -1))).toBe(false)
  })
})

describe("path patterns and a plain reading of them", () => {
  const part = fc.constantFrom("a", "b", "ab", ".a", "A")
  const patternPart = fc.oneof(part, fc.constantFrom("*", "?", "a*", "*b", "**", "**"))
  const pattern = fc
    .tuple(fc.constantFrom("", "**/", "/", "~/"), fc.array(patternPart, { minLength: 1, maxLength: 4 }))
    .map(([start, parts]) => start + parts.join("/"))
    .filter((text) => text !== "*" && text !== "**")
  const path = fc
    .tuple(fc.constantFrom("/home/me/app", "/home/me", ""), fc.array(part, { minLength: 1, maxLength: 5 }))
    .map(([start, parts]) => `${start}/${parts.join("/")}`)

  test("the tables answer like a regular expression written by hand", () => {
    fc.assert(
      fc.property(pattern, path, (text, subject) => {
        expect(matches("allow", text, subject)).toBe(plain(text).test(subject))
        expect(matches("deny", text, subject)).toBe(plain(text.toLowerCase()).test(subject.toLowerCase()))
      }),
      { numRuns: 1000 },
    )
  })

  /** The meaning of a pattern as a regular expression: slow and short, to compare with. */
  function plain(text: string): RegExp {
    const absolute = text.startsWith("~/")
      ? `/home/me/${text.slice(2)}`
      : text.startsWith("/") || text.startsWith("**/") || text === "**"
        ? text
        : `/home/me/app/${text}`
    const parts = absolute.split("/").filter((each) => each !== "")
    const source = parts.map((each) => {
      if (each === "**") return "(?:/[^/]+)*"
      return `/${each.replace(/[.]/g, "\\.").replace(/\*/g, "[^/]*").replace(/\?/g, "[^/]")}`
    })
    return new RegExp(`^${source.join("")}$`)
  }
})
