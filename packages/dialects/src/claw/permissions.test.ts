import type { Action, CallPart, ToolTier } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { at, command, fileCall } from "../../../guard/test/world.js"
import { fetchCall, judgeOf, plainCall } from "../../test/foreign-calls.js"
import type { ForeignNames, ForeignPolicy } from "../shared/permissions/foreign-policy.js"
import { atLeastAsStrict } from "../shared/permissions/strictness.js"
import { type ClawMode, clawModes, compileClaw } from "./permissions.js"

const names: ForeignNames = {
  bash: ["bash", "job_start"],
  read_file: "read",
  write_file: "write",
  WebFetch: "web_digest",
  TodoWrite: "todo_write",
  Agent: "task",
}
const tiers: Readonly<Record<string, ToolTier>> = {
  bash: "full-access",
  read_file: "read-only",
  write_file: "workspace-write",
  WebFetch: "read-only",
  TodoWrite: "workspace-write",
}

const verdict = ({ rules }: ForeignPolicy, parts: readonly CallPart[]) => judgeOf(rules)(parts)

const callOf = (tool: string, subject: string): readonly CallPart[] => {
  if (tool === "bash") return [command(subject)]
  if (tool === "read_file") return fileCall("read", "fs.read", subject)
  if (tool === "write_file") return fileCall("write", "fs.write", subject)
  if (tool === "WebFetch") return fetchCall("web_digest", subject)
  return plainCall(tool === "TodoWrite" ? "todo_write" : tool === "Agent" ? "task" : tool)
}

describe("five modes and three tiers", () => {
  const table: readonly [ClawMode, ro: Action, ww: Action, full: Action][] = [
    ["read-only", "allow", "deny", "deny"],
    ["workspace-write", "allow", "allow", "ask"],
    ["danger-full-access", "allow", "allow", "allow"],
    ["prompt", "ask", "ask", "ask"],
    ["allow", "allow", "allow", "allow"],
  ]
  test.each(table)("%s: %s, %s, %s", (mode, readOnly, write, full) => {
    const policy = compileClaw({ mode, tiers }, names)
    expect(verdict(policy, callOf("read_file", "a"))).toBe(readOnly)
    expect(verdict(policy, callOf("WebFetch", "https://a.test/"))).toBe(readOnly)
    expect(verdict(policy, callOf("write_file", "a"))).toBe(write)
    expect(verdict(policy, callOf("TodoWrite", ""))).toBe(write)
    expect(verdict(policy, callOf("bash", "ls"))).toBe(full)
    // Neither in the table of tiers nor known at all: full access.
    expect(verdict(policy, callOf("Agent", ""))).toBe(full)
    expect(verdict(policy, callOf("mcp:x:y", ""))).toBe(full)
  })

  test.each(clawModes)("%s x deny, ask and allow of the tool: deny over ask over allow over the mode", (mode) => {
    for (const tool of ["read_file", "write_file", "bash"]) {
      const subject = tool === "bash" ? "ls" : "a"
      const judged = (rules: object) => verdict(compileClaw({ mode, tiers, rules }, names), callOf(tool, subject))
      expect(judged({ deny: [tool] })).toBe("deny")
      expect(judged({ ask: [tool] })).toBe("ask")
      expect(judged({ allow: [tool] })).toBe("allow")
      expect(judged({ ask: [tool], allow: [tool] })).toBe("ask")
      expect(judged({ deny: [tool], ask: [tool], allow: [tool] })).toBe("deny")
    }
  })
})

test("a narrower allow does not lift a deny or an ask, as it would among our own rules", () => {
  const rules = {
    deny: ["bash(git push:*)"],
    ask: ["bash(git:*)"],
    allow: ["bash(git status)", "bash(git push origin x)"],
  }
  const policy = compileClaw({ mode: "allow", tiers, rules }, names)
  expect(verdict(policy, callOf("bash", "git push origin x"))).toBe("deny")
  expect(verdict(policy, callOf("bash", "git status"))).toBe("ask")
  expect(verdict(policy, callOf("bash", "ls"))).toBe("allow")
})

test("a command that is too long to be read is beyond any pattern, and a note says so", () => {
  const { notes } = compileClaw({ mode: "allow", tiers, rules: { deny: ["bash(rm:*)"] } }, names)
  expect(notes[0]).toBe("bash: a command that is too long to be read has no words, so no pattern stops it")
  expect(compileClaw({ mode: "prompt", tiers, rules: { deny: ["bash(rm:*)"] } }, names).notes).toHaveLength(1)
})

test("names are compared without regard to case; an unknown one is reported", () => {
  const policy = compileClaw({ mode: "allow", tiers, rules: { deny: ["webfetch", "NoSuchTool(x)"] } }, names)
  expect(verdict(policy, callOf("WebFetch", "https://a.test/"))).toBe("deny")
  expect(policy.notes).toEqual(["deny NoSuchTool(x): there is no tool of that name"])
  expect(policy.deniedTools).toEqual(["web_digest"])
})

test("a background command has the rules of the command", () => {
  const { rules } = compileClaw({ mode: "read-only", tiers, rules: { allow: ["bash(git status)"] } }, names)
  const ids = rules.filter(({ pattern }) => pattern === "git status").map(({ permission }) => permission)
  expect(ids).toEqual(["bash", "job_start"])
})

test.each([
  ["allow", "bash(echo $(id))", "ls", "deny", "left out"],
  ["deny", 'bash(echo "a b")', "echo x", "deny", "more than it named"],
  ["deny", "WebFetch(https://a.test/private)", "https://a.test/x", "deny", "more than it named"],
  ["allow", "WebFetch(https://a.test/docs)", "https://a.test/docs", "allow", "left out"],
  ["deny", "TodoWrite(x)", "", "deny", "more than it named"],
] as const)("what cannot be said is stricter and noted: %s %s", (action, text, subject, expected, note) => {
  const mode = action === "allow" ? "read-only" : "allow"
  const policy = compileClaw({ mode, tiers, rules: { [action]: [text] } }, names)
  const tool = text.slice(0, text.indexOf("("))
  expect(verdict(policy, callOf(tool, subject))).toBe(expected)
  expect(policy.notes.join("\n")).toContain(note)
})

// The model of claw-code in a few lines, on texts as it sees them.
function reference(
  mode: ClawMode,
  rules: Readonly<Record<Action, readonly string[]>>,
  tool: string,
  subject: string,
): Action {
  const hit = (action: Action) =>
    rules[action].some((text) => {
      const [, name, content] = /^(\w+)(?:\((.*)\))?$/.exec(text)!
      if (name!.toLowerCase() !== tool.toLowerCase()) return false
      if (content === undefined || content === "*") return true
      return content.endsWith(":*") ? subject.startsWith(content.slice(0, -2)) : subject === content
    })
  for (const action of ["deny", "ask", "allow"] as const) if (hit(action)) return action
  const order = ["read-only", "workspace-write", "full-access"]
  if (mode === "allow") return "allow"
  if (mode === "prompt") return "ask"
  const reach = order.indexOf(mode === "danger-full-access" ? "full-access" : mode)
  if (reach >= order.indexOf(tiers[tool] ?? "full-access")) return "allow"
  return mode === "workspace-write" ? "ask" : "deny"
}

const commands = [
  "git status",
  "git push",
  "git push origin main",
  "github x",
  "rm -rf x",
  "npm run test",
  "npm run test:unit",
  "npm run lint",
  "ls",
]
const paths = ["src/a.ts", "src/ab.ts", "src/ab/c.ts", "src/gen/b.ts", "README.md", "docs/x.md"]
const sayable = {
  bash: ["git status", "git:*", "git push:*", "git push ori:*", "rm:*", "npm run test:*", "npm run :*", "*", "ls"],
  read_file: ["src/a.ts", "src/:*", "src/a:*", "src/ab:*", "docs/x.md", "*", "src/gen/:*"],
  write_file: ["src/a.ts", "src/:*", "src/a:*", "README.md", "*"],
} as const
const odd = {
  bash: ['echo "x', "npm run *", "git p*h", "$(x):*"],
  read_file: ["src/*", "{a,b}", "../x:*"],
  write_file: ["~x", "src/"],
}

const ruleText = (extra: boolean) =>
  fc.constantFrom("bash", "read_file", "write_file").chain((tool) => {
    const key = tool as keyof typeof sayable
    const contents = [...sayable[key], ...(extra ? odd[key] : [])]
    return fc
      .option(fc.constantFrom(...contents), { nil: undefined })
      .map((content) => (content === undefined ? tool : `${tool}(${content})`))
  })
const ruleSets = (extra: boolean) =>
  fc.record({
    allow: fc.array(ruleText(extra), { maxLength: 4 }),
    deny: fc.array(ruleText(extra), { maxLength: 3 }),
    ask: fc.array(ruleText(extra), { maxLength: 3 }),
  })
const calls = [
  ...commands.map((subject) => ["bash", subject] as const),
  ...paths.flatMap((subject) => [["read_file", subject] as const, ["write_file", subject] as const]),
]

test("random rule sets: the same verdict for every call, where the patterns can be said", () => {
  fc.assert(
    fc.property(fc.constantFrom(...clawModes), ruleSets(false), (mode, rules) => {
      const judged = judgeOf(compileClaw({ mode, tiers, rules }, names).rules)
      for (const [tool, subject] of calls)
        expect([tool, subject, judged(callOf(tool, subject))]).toEqual([
          tool,
          subject,
          reference(mode, rules, tool, subject),
        ])
    }),
    { numRuns: 150 },
  )
})

test("random rule sets with patterns that cannot be said: never looser", () => {
  fc.assert(
    fc.property(fc.constantFrom(...clawModes), ruleSets(true), (mode, rules) => {
      const judged = judgeOf(compileClaw({ mode, tiers, rules }, names).rules)
      for (const [tool, subject] of calls) {
        const [ours, theirs] = [judged(callOf(tool, subject)), reference(mode, rules, tool, subject)]
        expect(atLeastAsStrict(ours, theirs), `${tool}(${subject}): ${ours} for ${theirs}`).toBe(true)
      }
    }),
    { numRuns: 150 },
  )
})

test("any texts whatsoever compile, and an absolute path is a path", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `bash(${text})`),
          fc.string().map((text) => `read_file(${text})`),
        ),
      ),
      (texts) => {
        const { rules } = compileClaw(
          { mode: "prompt", tiers, rules: { deny: texts, ask: texts, allow: texts } },
          names,
        )
        judgeOf(rules)([command("ls")])
      },
    ),
  )
  const policy = compileClaw({ mode: "allow", tiers, rules: { deny: ["read_file(/etc/:*)"] } }, names)
  expect(verdict(policy, fileCall("read", "fs.read", at("/etc/passwd")))).toBe("deny")
})

test.each([
  ["read-only", "are denied"],
  ["workspace-write", "are asked about"],
] as const)("%s: hosts of an allowed command %s, and a note says so", (mode, words) => {
  const { notes } = compileClaw({ mode, tiers, rules: { allow: ["bash(git:*)"] } }, names)
  expect(notes).toContainEqual(expect.stringContaining(`hosts that a command reaches ${words}`))
  expect(compileClaw({ mode, tiers }, names).notes).toEqual([])
})

test("PowerShell has no words to compare: a deny of some commands is one of all, an allow of some is left out", () => {
  const shells: ForeignNames = { PowerShell: ["powershell", "powershell_start"] }
  const call = (id: string): readonly CallPart[] => {
    const subject = { kind: "command", argv: [] } as const
    return [{ label: "Remove-Item x", heads: [{ permission: id, subject }], effects: [], opaque: true }]
  }
  const judged = (mode: ClawMode, rules: object) =>
    ["powershell", "powershell_start"].map((id) => verdict(compileClaw({ mode, tiers, rules }, shells), call(id)))
  expect(judged("allow", { deny: ["PowerShell(Remove-Item:*)"] })).toEqual(["deny", "deny"])
  expect(judged("allow", { ask: ["PowerShell(Remove-Item:*)"] })).toEqual(["ask", "ask"])
  expect(judged("read-only", { allow: ["PowerShell(Remove-Item:*)"] })).toEqual(["deny", "deny"])
  expect(judged("read-only", { allow: ["PowerShell"] })).toEqual(["allow", "allow"])
  const { notes } = compileClaw({ mode: "allow", tiers, rules: { deny: ["PowerShell(Remove-Item:*)"] } }, shells)
  expect(notes.join("\n")).toContain("became deny for every call")
})
