import type { Action, CallPart } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { command, fileCall } from "../../../guard/test/world.js"
import { judgeOf, plainCall } from "../../test/foreign-calls.js"
import type { ForeignNames } from "../shared/permissions/foreign-policy.js"
import { atLeastAsStrict } from "../shared/permissions/strictness.js"
import { type A3sPolicy, compileA3s } from "./permissions.js"

const names: ForeignNames = {
  bash: "bash",
  read: "read",
  write: "write",
  git: "git",
  web_search: "web_search_engines",
  mcp__docs__find: "mcp:docs:find",
  mcp__docs__drop: "mcp:docs:drop",
}

const callOf = (tool: string, subject: string): readonly CallPart[] => {
  if (tool === "bash") return [command(subject)]
  if (tool === "read") return fileCall("read", "fs.read", subject)
  if (tool === "write") return fileCall("write", "fs.write", subject)
  return plainCall(names[tool] as string)
}

const verdict = (policy: A3sPolicy, tool: string, subject = "") =>
  judgeOf(compileA3s(policy, names).rules)(callOf(tool, subject))

describe("deny, allow, ask, default", () => {
  // Every combination of the three lists naming the tool, under every default.
  const combinations = (["allow", "deny", "ask"] as const).flatMap((fallback) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [fallback, (bits & 4) > 0, (bits & 2) > 0, (bits & 1) > 0] as const),
  )
  test.each(combinations)("default %s, deny %s, allow %s, ask %s", (fallback, deny, allow, ask) => {
    const expected: Action = deny ? "deny" : allow ? "allow" : ask ? "ask" : fallback
    for (const [tool, subject, pattern] of [
      ["read", "src/a.ts", "Read(src/**)"],
      ["bash", "cargo test", "Bash(cargo:*)"],
      ["git", "", "git"],
    ] as const) {
      const list = (named: boolean) => (named ? [pattern] : [])
      const policy = { deny: list(deny), allow: list(allow), ask: list(ask), default: fallback }
      expect([tool, verdict(policy, tool, subject)]).toEqual([tool, expected])
      const whole = (named: boolean) => (named ? [{ rule: tool.toUpperCase() }] : [])
      const broad = { deny: whole(deny), allow: whole(allow), ask: whole(ask), default: fallback }
      expect([tool, verdict(broad, tool, subject)]).toEqual([tool, expected])
    }
  })

  test("a policy that is switched off allows everything, whatever its rules say", () => {
    expect(verdict({ enabled: false, deny: ["*"], default: "deny" }, "bash", "rm -rf x")).toBe("allow")
    expect(judgeOf(compileA3s({ enabled: false }, names).rules)(plainCall("mcp:any:tool"))).toBe("allow")
  })

  test("without a default it asks, also about tools that no list names", () => {
    expect(verdict({}, "read", "a")).toBe("ask")
    expect(judgeOf(compileA3s({}, names).rules)(plainCall("mcp:any:tool"))).toBe("ask")
  })
})

test("an allow beats a narrower ask, which among our own rules it would not", () => {
  const policy: A3sPolicy = { allow: ["Bash"], ask: ["Bash(rm:*)"], default: "deny" }
  expect(verdict(policy, "bash", "rm -rf x")).toBe("allow")
  expect(verdict({ allow: ["Bash(git:*)"], ask: ["Bash(git push:*)"] }, "bash", "git push x")).toBe("allow")
})

test("a narrower allow is an exception to an ask and to the default, never to a deny", () => {
  const policy: A3sPolicy = {
    deny: ["Bash(git push:*)"],
    allow: ["Bash(git push origin x)", "Bash(git status)"],
    ask: ["Bash"],
  }
  expect(verdict(policy, "bash", "git status")).toBe("allow")
  expect(verdict(policy, "bash", "git log")).toBe("ask")
  expect(verdict(policy, "bash", "git push origin x")).toBe("deny")
})

test("where an allow and an ask only overlap, ours asks and a note says so", () => {
  const policy: A3sPolicy = { allow: ["Read(src/**)"], ask: ["Read(**/*.key)"] }
  const compiled = compileA3s(policy, names)
  expect(judgeOf(compiled.rules)(callOf("read", "src/a.key"))).toBe("ask")
  expect(compiled.notes).toEqual([
    "allow Read(src/**) and ask Read(**/*.key): a call that both match gets the stricter ask",
  ])
})

test("names may have stars, and mcp__server means all its tools", () => {
  expect(verdict({ deny: ["mcp__docs"], default: "allow" }, "mcp__docs__drop")).toBe("deny")
  expect(verdict({ deny: ["*drop"], default: "allow" }, "mcp__docs__drop")).toBe("deny")
  expect(verdict({ deny: ["*drop"], default: "allow" }, "mcp__docs__find")).toBe("allow")
  expect(compileA3s({ deny: ["lane:execute"] }, names).notes).toEqual([
    "deny lane:execute: there is no tool of that name",
  ])
})

test("tools that are denied whole are not worth showing; with an exception they are", () => {
  expect(compileA3s({ deny: ["write", "Bash(rm:*)"], default: "ask" }, names).deniedTools).toEqual(["write"])
  const closed = compileA3s({ allow: ["Read(src/**)", "git"], default: "deny" }, names)
  expect(closed.deniedTools).toEqual(["bash", "write", "web_search_engines", "mcp:docs:find", "mcp:docs:drop"])
})

test.each([
  [{ allow: ["Bash(npm run *)"], default: "deny" }, "bash", "npm run test", "deny", "left out"],
  [{ deny: ["Bash(git p*h)"], default: "allow" }, "bash", "git pull x", "deny", "more than it named"],
  [{ ask: ["Bash(git p*h)"], default: "deny" }, "bash", "git push", "deny", "became deny"],
  [{ deny: ["git(*force*)"], default: "allow" }, "git", "", "deny", "more than it named"],
  [{ allow: ["Read(src/{a,b}.ts)"], default: "ask" }, "read", "src/a.ts", "ask", "left out"],
] as const)("what cannot be said is stricter and noted: %j", (policy, tool, subject, expected, note) => {
  expect(verdict(policy, tool, subject)).toBe(expected)
  expect(compileA3s(policy, names).notes.join("\n")).toContain(note)
})

// The model of A3S Code in a few lines, on texts as it sees them.
function reference(policy: Lists, tool: string, subject: string): Action {
  for (const action of ["deny", "allow", "ask"] as const)
    if (policy[action].some((text) => hits(text, tool, subject))) return action
  return policy.default
}

function hits(text: string, tool: string, subject: string): boolean {
  const [, name, content] = /^(\w+)(?:\((.*)\))?$/.exec(text)!
  if (name!.toLowerCase() !== tool) return false
  if (content === undefined || content === "*") return true
  if (content.endsWith(":*")) return subject.startsWith(content.slice(0, -2))
  const source = content
    .replace(/[.+^$()|[\]\\{}]/g, "\\$&")
    .replace(/\*\*\/|\*\*|\*|\?/g, (wild) => ({ "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" })[wild]!)
  return new RegExp(`^${source}$`).test(subject)
}

interface Lists {
  readonly deny: readonly string[]
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly default: Action
}

const contents: Readonly<Record<string, readonly string[]>> = {
  bash: [
    "git:*",
    "git push:*",
    "git *",
    "git **",
    "git p*",
    "g?t status",
    "npm run *",
    "npm run te*",
    "rm:*",
    "*",
    "ls",
    "ls src/*",
    "npm run:*",
  ],
  read: [
    "src/**",
    "src/*",
    "src/gen/**",
    "**/*.ts",
    "src/a.ts",
    "src/:*",
    "src/a:*",
    "*.md",
    "src/a?.ts",
    "*",
    "src**",
    "{src,docs}/**",
  ],
  write: ["src/**", "src/*.ts", "src/a:*", "**/b.ts", "*"],
}
const ruleText = fc
  .constantFrom("Bash", "read", "WRITE")
  .chain((tool) =>
    fc
      .option(fc.constantFrom(...contents[tool.toLowerCase()]!), { nil: undefined, freq: 6 })
      .map((content) => (content === undefined ? tool : `${tool}(${content})`)),
  )
const lists: fc.Arbitrary<Lists> = fc.record({
  deny: fc.array(ruleText, { maxLength: 3 }),
  allow: fc.array(ruleText, { maxLength: 4 }),
  ask: fc.array(ruleText, { maxLength: 4 }),
  default: fc.constantFrom<Action>("allow", "deny", "ask"),
})
const paths = ["src/a.ts", "src/ab.ts", "src/ab/c.ts", "src/gen/b.ts", "README.md", "docs/x.md", "b.ts"]
const commands = [
  "git status",
  "git push",
  "git push origin a/b",
  "git pull x",
  "npm run test",
  "npm run te/st",
  "rm -rf x",
  "ls",
  "ls src/a",
  "got x",
]
const calls = [
  ...commands.map((subject) => ["bash", subject] as const),
  ...paths.flatMap((subject) => [["read", subject] as const, ["write", subject] as const]),
]

test("random policies: never looser for any call", () => {
  fc.assert(
    fc.property(lists, (policy) => {
      const judged = judgeOf(compileA3s(policy, names).rules)
      for (const [tool, subject] of calls) {
        const [ours, theirs] = [judged(callOf(tool, subject)), reference(policy, tool, subject)]
        expect(atLeastAsStrict(ours, theirs), `${tool}(${subject}): ${ours} for ${theirs}`).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})

test("random policies of prefixes at word boundaries and folders: the same verdict for every call", () => {
  const plain = fc.constantFrom(
    "Bash(git:*)",
    "Bash(git push:*)",
    "Bash(git push origin a/b)",
    "Bash",
    "Bash(rm:*)",
    "Read(src/**)",
    "Read(src/gen/**)",
    "Read(src/a.ts)",
    "Read",
  )
  const plainLists = fc.record({
    deny: fc.array(plain, { maxLength: 2 }),
    allow: fc.array(plain, { maxLength: 3 }),
    ask: fc.array(plain, { maxLength: 3 }),
    default: fc.constantFrom<Action>("allow", "deny", "ask"),
  })
  fc.assert(
    fc.property(plainLists, (policy) => {
      const judged = judgeOf(compileA3s(policy, names).rules)
      for (const [tool, subject] of calls)
        expect([tool, subject, judged(callOf(tool, subject))]).toEqual([
          tool,
          subject,
          reference(policy, tool, subject),
        ])
    }),
    { numRuns: 200 },
  )
})
