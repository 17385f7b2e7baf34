import type { Action, CallPart } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { at, command, fileCall } from "../../../guard/test/world.js"
import { judgeOf, plainCall } from "../../test/foreign-calls.js"
import type { ForeignNames } from "../shared/permissions/foreign-policy.js"
import { atLeastAsStrict } from "../shared/permissions/strictness.js"
import type { LobeMatcher } from "./permission-matcher.js"
import {
  compileLobe,
  type LobeApprovalMode,
  type LobeBlacklistRule,
  type LobePolicy,
  type LobeRule,
  type LobeSettings,
  lobeApprovalModes,
} from "./permissions.js"

const run = "lobe-local-system____runCommand"
const readFile = "lobe-local-system____readLocalFile"
const names: ForeignNames = {
  [run]: ["bash", "job_start"],
  [readFile]: "read",
  "lobe-local-system____moveLocalFiles": "move",
  "lobe-local-system____renameLocalFile": "move",
  "lobe-gtd____clearTodos": "clear_todos",
}
const policies = ["never", "required", "always"] as const
const verdict = (settings: LobeSettings, parts: readonly CallPart[]) =>
  judgeOf(compileLobe(settings, names).rules)(parts)

describe("four approval modes, three policies, with and without the blacklist", () => {
  const table: readonly [LobeApprovalMode, never: Action, required: Action, always: Action, blacklisted: Action][] = [
    ["manual", "allow", "ask", "ask", "ask"],
    ["auto-run", "allow", "allow", "ask", "ask"],
    ["allow-list", "ask", "ask", "ask", "ask"],
    ["headless", "allow", "allow", "allow", "deny"],
  ]
  test.each(table)("%s: never %s, required %s, always %s, blacklisted %s", (approvalMode, ...verdicts) => {
    const [never, required, always, blacklisted] = verdicts
    for (const [policy, expected] of [
      ["never", never],
      ["required", required],
      ["always", always],
    ] as const) {
      const blacklist = [{ match: { command: { pattern: "rm -rf", type: "prefix" } } }] as const
      const settings: LobeSettings = { approvalMode, policies: { "lobe-local-system/runCommand": policy }, blacklist }
      expect([policy, verdict(settings, [command("ls")])]).toEqual([policy, expected])
      expect(verdict(settings, [command("rm -rf x")])).toBe(blacklisted)
    }
  })

  test.each(policies)("allow-list: a listed API with policy %s", (policy) => {
    const settings: LobeSettings = {
      approvalMode: "allow-list",
      allowList: ["lobe-local-system/runCommand"],
      policies: { [run]: policy },
      blacklist: [],
    }
    expect(verdict(settings, [command("ls")])).toBe(policy === "always" ? "ask" : "allow")
    expect(verdict(settings, fileCall("read", "fs.read", "a"))).toBe("ask")
  })

  test.each(["vi /etc/sudoers", "visudo", "ed /etc/passwd", "unknown -x /etc/shadow"])(
    "%s: what an unknown program does with such a file is on the blacklist too",
    (line) => {
      expect(verdict({ approvalMode: "headless" }, [command(line)])).toBe("deny")
      expect(verdict({ approvalMode: "auto-run" }, [command(line)])).toBe("ask")
    },
  )

  test.each(lobeApprovalModes)("%s: the blacklist of LobeHub itself is about effects", (approvalMode) => {
    const expected = approvalMode === "headless" ? "deny" : "ask"
    const judged = (parts: readonly CallPart[]) => verdict({ approvalMode, allowList: [run, readFile] }, parts)
    expect(judged(fileCall("read", "fs.read", ".env"))).toBe(expected)
    expect(judged(fileCall("read", "fs.read", at("/home/me/.ssh/id_rsa")))).toBe(expected)
    expect(judged([command("cat .env", { effects: [{ kind: "fs.read", at: at(".env") }] })])).toBe(expected)
    expect(judged([command("rm -rf /", { effects: [{ kind: "fs.delete", at: at("/") }] })])).toBe(expected)
    expect(judged([command("mkfs.ext4 /dev/sda1")])).toBe(expected)
    expect(judged([command("chmod 4755 /bin/bash")])).toBe(expected)
    expect(judged(fileCall("read", "fs.read", "src/a.ts"))).toBe("allow")
  })
})

test("an API of which nothing is said runs; tools that are no API of LobeHub ask, headless they run", () => {
  expect(verdict({ approvalMode: "manual" }, plainCall("clear_todos"))).toBe("allow")
  expect(verdict({ approvalMode: "manual" }, plainCall("mcp:x:y"))).toBe("ask")
  expect(verdict({ approvalMode: "headless" }, plainCall("mcp:x:y"))).toBe("allow")
})

test("two APIs behind one tool: the stricter policy holds for both, and a note says so", () => {
  const settings: LobeSettings = {
    approvalMode: "manual",
    policies: { "lobe-local-system/moveLocalFiles": "required" },
  }
  const compiled = compileLobe(settings, names)
  expect(judgeOf(compiled.rules)(plainCall("move"))).toBe("ask")
  expect(compiled.notes.join("\n")).toContain('all are "move" here')
})

test("a list of rules: the first that matches wins, else a person is asked", () => {
  const rules: readonly LobeRule[] = [
    { match: { command: "git push:*" }, policy: "always" },
    { match: { command: "git:*" }, policy: "never" },
    { match: { command: { pattern: "^npm ", type: "regex" } }, policy: "never" },
  ]
  const judged = (approvalMode: LobeApprovalMode, line: string) =>
    verdict({ approvalMode, policies: { [run]: rules }, blacklist: [] }, [command(line)])
  expect(judged("manual", "git push origin")).toBe("ask")
  expect(judged("manual", "git add x")).toBe("allow")
  expect(judged("manual", "npm test")).toBe("allow")
  expect(judged("manual", "ls")).toBe("ask")
  expect(judged("auto-run", "git push origin")).toBe("ask")
  expect(judged("auto-run", "ls")).toBe("allow")
})

test("a regular expression that is none of a few plain shapes makes the whole API ask, and a note says so", () => {
  const blacklist: readonly LobeBlacklistRule[] = [
    { description: "fork bomb", match: { command: { pattern: ":\\(\\)\\s*\\{.*\\}", type: "regex" } } },
  ]
  const compiled = compileLobe({ approvalMode: "auto-run", blacklist }, names)
  expect(judgeOf(compiled.rules)([command("ls")])).toBe("ask")
  expect(judgeOf(compiled.rules)(fileCall("read", "fs.read", "a"))).toBe("allow")
  expect(compiled.notes.join("\n")).toContain("blacklist fork bomb: became ask for every call")
})

test("of two conditions one is said, which covers more", () => {
  const match = { command: { pattern: "rm", type: "prefix" }, description: "x" } as const
  const compiled = compileLobe({ approvalMode: "headless", blacklist: [{ match }] }, names)
  expect(judgeOf(compiled.rules)([command("rm x")])).toBe("deny")
  expect(compiled.notes.join("\n")).toContain("more than it named")
})

// The model of LobeHub in a few lines, on arguments as it sees them; `a:*` ends at a word.
function reference(settings: LobeSettings, name: string, values: Readonly<Record<string, string>>): Action {
  const { approvalMode, allowList = [], blacklist } = settings
  const all = (match: Readonly<Record<string, LobeMatcher>>) =>
    Object.entries(match).every(([key, matcher]) => values[key] !== undefined && matches(matcher, values[key]))
  if ((blacklist as readonly LobeBlacklistRule[]).some(({ match }) => all(match)))
    return approvalMode === "headless" ? "deny" : "ask"
  if (approvalMode === "headless") return "allow"
  const said = settings.policies?.[name] ?? "never"
  const policy = typeof said === "string" ? said : (said.find(({ match = {} }) => all(match))?.policy ?? "required")
  if (policy === "always") return "ask"
  if (approvalMode === "auto-run") return "allow"
  if (approvalMode === "allow-list") return allowList.includes(name) ? "allow" : "ask"
  return policy === "never" ? "allow" : "ask"
}

function matches(matcher: LobeMatcher, value: string): boolean {
  if (typeof matcher !== "string") {
    if (matcher.type === "exact") return value === matcher.pattern
    if (matcher.type === "prefix") return value.startsWith(matcher.pattern)
    if (matcher.type === "regex") return new RegExp(matcher.pattern).test(value)
    return wildcard(matcher.pattern, value)
  }
  if (!matcher.endsWith(":*")) return wildcard(matcher, value)
  const beginning = matcher.slice(0, -2)
  return value === beginning || value.startsWith(`${beginning} `) || value.startsWith(`${beginning}:`)
}

function wildcard(pattern: string, value: string): boolean {
  return new RegExp(`^${pattern.replace(/[.+^$()|[\]\\{}?]/g, "\\$&").replaceAll("*", ".*")}$`).test(value)
}

const commandMatcher: fc.Arbitrary<LobeMatcher> = fc.oneof(
  fc.constantFrom("git:*", "git push:*", "npm run test", "npm *", "*push*", "*", "rm*"),
  fc.record({
    pattern: fc.constantFrom("git", "git push", "^git", "rm -rf x", "^rm -rf x$", "r.*f", "npm run *"),
    type: fc.constantFrom("exact", "prefix", "wildcard", "regex"),
  }),
)
const pathMatcher: fc.Arbitrary<LobeMatcher> = fc.oneof(
  fc.constantFrom("src/*", "src/a.ts", "*.ts", "src/*.ts", "*", "docs:*"),
  fc.record({
    pattern: fc.constantFrom("src/", "src/a", "^src/", "src/a.ts", "[ab]", "docs*"),
    type: fc.constantFrom("exact", "prefix", "wildcard", "regex"),
  }),
)
const match = fc.oneof(
  fc.record({ command: commandMatcher }),
  fc.record({ path: pathMatcher }),
  fc.record({ command: commandMatcher, description: fc.constant("list*") }),
)
const policy: fc.Arbitrary<LobePolicy> = fc.constantFrom(...policies)
const said = fc.oneof(policy, fc.array(fc.oneof(fc.record({ match, policy }), fc.record({ policy })), { maxLength: 4 }))
const settingsArbitrary: fc.Arbitrary<LobeSettings> = fc.record({
  approvalMode: fc.constantFrom(...lobeApprovalModes),
  allowList: fc.subarray([run, readFile]),
  policies: fc.record({ [run]: said, [readFile]: said }),
  blacklist: fc.array(fc.record({ match }), { maxLength: 2 }),
})
const commands = [
  "git push",
  "git push origin x",
  "git add x",
  "github x",
  "git:x",
  "npm run test",
  "npm run lint",
  "rm -rf x",
  "ls",
]
const paths = ["src/a.ts", "src/ab.ts", "src/b/c.ts", "docs/x.md", "a.ts", "docs"]

test("random settings: never looser for any call", () => {
  fc.assert(
    fc.property(settingsArbitrary, (settings) => {
      const judged = judgeOf(compileLobe(settings, names).rules)
      for (const line of commands) {
        const theirs = reference(settings, run, { command: line, description: "list files" })
        const ours = judged([command(line)])
        expect(atLeastAsStrict(ours, theirs), `${line}: ${ours} for ${theirs}`).toBe(true)
      }
      for (const path of paths) {
        const theirs = reference(settings, readFile, { path })
        const ours = judged(fileCall("read", "fs.read", path))
        expect(atLeastAsStrict(ours, theirs), `${path}: ${ours} for ${theirs}`).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})
