import { assert, constantFrom, property, string, subarray, tuple } from "fast-check"
import { expect, test } from "vitest"
import { defaultsAnd, plainFacts, rule, variables } from "../../test/world.js"
import { deniesFile, deniesNoneIn, judgeFile, mayKeepCopy } from "./judge.js"
import { compileRules } from "./rule-book.js"

const book = compileRules(defaultsAnd(), variables)

test.each([
  ["fs.read", "/home/me/app/src/a.ts", "allow"],
  ["fs.read", "/home/me/app/src/.env", "deny"],
  ["fs.read", "/home/me/app/src/.env.example", "allow"],
  ["fs.read", "/home/me/other/a.ts", "silent"],
  ["fs.read", "/home/me/.ssh/config", "deny"],
  ["fs.read", "/", "silent"],
  ["fs.write", "/home/me/app/src/a.ts", "silent"],
  ["fs.write", "/home/me/app/.husky/pre-push", "ask"],
  ["fs.delete", "/home/me/app/src/a.ts", "silent"],
] as const)("%s of %s: %s", (kind, path, verdict) => {
  expect(judgeFile(book, kind, path, plainFacts)).toBe(verdict)
})

test("git is asked only about files that a rule for untracked files names", () => {
  const asked: string[] = []
  const facts = { isTracked: (path: string) => asked.push(path) > 0 }
  judgeFile(book, "fs.read", "/home/me/app/src/a.ts", facts)
  expect(asked).toEqual([])
  expect(judgeFile(book, "fs.read", "/home/me/app/a.pem", facts)).toBe("allow")
  expect(asked).toEqual(["/home/me/app/a.pem"])
})

test("more folders than are remembered are still judged rightly", () => {
  for (let index = 0; index < 20_000; index++) {
    expect(judgeFile(book, "fs.read", `/home/me/app/d${index}/.env`, plainFacts)).toBe("deny")
  }
})

test("no copy is kept of what a secret rule names, even where a person lets it be read", () => {
  expect(mayKeepCopy(book, "/home/me/app/src/a.ts", plainFacts)).toBe(true)
  expect(mayKeepCopy(book, "/home/me/app/.env", plainFacts)).toBe(false)
  expect(mayKeepCopy(book, "/home/me/app/.env.sample", plainFacts)).toBe(true)
  expect(mayKeepCopy(book, "/home/me/app/x.key", plainFacts)).toBe(false)
  expect(mayKeepCopy(book, "/home/me/app/x.key", { isTracked: () => true })).toBe(true)
  expect(mayKeepCopy(book, `${variables.scratch[0]}/a`, plainFacts)).toBe(true)
  const lifted = compileRules(defaultsAnd(rule("session", "allow", "fs.read(test/.env)")), variables)
  expect(mayKeepCopy(lifted, "/home/me/app/test/.env", plainFacts)).toBe(false)
  expect(judgeFile(lifted, "fs.read", "/home/me/app/test/.env", plainFacts)).toBe("allow")
  expect(mayKeepCopy(lifted, "/home/me/app/test/.env.sample", plainFacts)).toBe(true)
  const plainDeny = compileRules([rule("user", "deny", "fs.read(a)")], variables)
  expect(mayKeepCopy(plainDeny, "/home/me/app/a", plainFacts)).toBe(true)
})

test("a quick no is one that all rules give too, whatever patterns and names are", () => {
  const patterns = [
    ...[
      "**/secret",
      "**/é",
      "**/Kelvin*",
      "**/*.KEY",
      "**/*~",
      "**/?x",
      "**/*ab*",
      "**/a/*/b",
      "**/deep/inner",
      "src/**",
    ],
    ...["**/vault/**", "/etc/x", "~/.npmrc", "**", "**/.g*"],
  ]
  const names = constantFrom(
    ...["secret", "Secret", "\u200csecret", "s\u200cecret", "e\u0301", "É", "\u212aelvin", "kelvin", "x.key", "x.KEY"],
    ...[
      "x.ke\u200cy",
      "x.k\u200cey",
      "x.\u212aEY",
      "key",
      ".key",
      "a~",
      "~",
      "ax",
      "x",
      "b",
      "cabs",
      "a",
      "inner",
      "deep",
    ],
    ...["vault", "src", "etc", ".git", ".npmrc", "plain.ts", ""],
  )
  const path = tuple(names, names, names).map((parts) => `/home/me/app/${parts.filter(Boolean).join("/")}`)
  const counts = { denied: 0, open: 0, none: 0 }
  assert(
    property(subarray(patterns, { maxLength: 4 }), path, string({ maxLength: 3 }), (chosen, at, end) => {
      const rules = [
        ...chosen.map((pattern) => rule("user", "deny", `fs.read(${pattern})`)),
        rule("user", "allow", "fs.read(src/a)"),
      ]
      const own = compileRules(rules, variables)
      for (const each of [at, `${at}${end.replaceAll("/", "")}`, "/etc/x", "/home/me/.npmrc", "/home/me/app/top", at]) {
        const isDenied = judgeFile(own, "fs.read", each, plainFacts) === "deny"
        expect(deniesFile(own, "fs.read", each, plainFacts)).toBe(isDenied)
        const split = each.lastIndexOf("/")
        const names = `plain.ts/${each.slice(split + 1)}/other`
        if (deniesNoneIn(own, each.slice(0, split), names)) counts.none += 1
        if (isDenied) expect(deniesNoneIn(own, each.slice(0, split), names)).toBe(false)
        counts[isDenied ? "denied" : "open"] += 1
      }
    }),
    { numRuns: 1500 },
  )
  expect(Math.min(counts.denied, counts.open, counts.none)).toBeGreaterThan(500)
})
