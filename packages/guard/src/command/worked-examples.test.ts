import type { PlacedRule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { judgeLine } from "../../test/command-world.js"
import { defaultsAnd, plainFacts, rule } from "../../test/world.js"
import type { Facts } from "../rules/rule-book.js"
import { sandboxFor } from "./sandbox-for.js"

const withScript = (digest: string): Facts => ({
  ...plainFacts,
  scriptDigest: (argv) => (argv[0] === "npm" ? digest : undefined),
})
const npmTest: PlacedRule = { ...rule("session", "allow", "bash(npm test)"), recipe: "digest-1" }
const gitStatus = rule("flag", "allow", "bash(git status)")
const everything = [
  rule("flag", "allow", "*"),
  rule("flag", "allow", "bash"),
  rule("flag", "allow", "shell.run"),
  rule("flag", "allow", "fs.read"),
  rule("flag", "allow", "fs.write"),
]

interface Example {
  readonly number: string
  readonly rules: readonly PlacedRule[]
  readonly line: string
  readonly verdict: "allow" | "deny" | "ask"
  readonly decided?: string
  readonly final?: boolean
  readonly facts?: Facts
  readonly sandbox?: string
}

const examples: readonly Example[] = [
  {
    number: "9",
    rules: [rule("user", "deny", "bash"), rule("user", "allow", "bash(git status)")],
    line: "git status",
    verdict: "allow",
    sandbox: "read-only",
  },
  { number: "10a", rules: [gitStatus], line: "git status && touch x", verdict: "ask" },
  { number: "10b", rules: [gitStatus], line: "git status > x", verdict: "ask" },
  { number: "10c", rules: [gitStatus], line: "X=1 git status", verdict: "ask" },
  { number: "10d", rules: [gitStatus], line: "env '-Stouch x' git status", verdict: "ask" },
  { number: "10e", rules: [gitStatus], line: "env --split-string='touch x' git status", verdict: "ask" },
  { number: "10f", rules: [gitStatus], line: "/usr/bin/time -o x git status", verdict: "ask" },
  { number: "10g", rules: [gitStatus], line: "timeout 5 nice git status", verdict: "allow", sandbox: "read-only" },
  { number: "10h", rules: [rule("flag", "deny", "bash(rm *)")], line: "timeout --new 5 rm x", verdict: "deny" },
  {
    number: "11",
    rules: defaultsAnd(rule("flag", "allow", "bash(cat *)")),
    line: "cat .env",
    verdict: "deny",
    decided: "fs.read(**/.env)",
  },
  { number: "12a", rules: defaultsAnd(), line: "npm test", verdict: "ask" },
  {
    number: "12b",
    rules: defaultsAnd(npmTest),
    line: "npm test",
    verdict: "allow",
    facts: withScript("digest-1"),
    sandbox: "workspace-write",
  },
  { number: "12c", rules: defaultsAnd(npmTest), line: "npm test", verdict: "ask", facts: withScript("digest-2") },
  { number: "13a", rules: [rule("user", "allow", "bash(curl *)")], line: "curl https://x.test", verdict: "ask" },
  {
    number: "13b",
    rules: [rule("user", "allow", "bash(curl *)"), rule("user", "allow", "net.fetch(x.test)")],
    line: "curl https://x.test",
    verdict: "allow",
    sandbox: "workspace-write+net",
  },
  {
    number: "14",
    rules: defaultsAnd(...everything),
    line: "echo x > .git/config",
    verdict: "ask",
    decided: "fs.write(**/.git/config)",
    final: true,
  },
  {
    number: "15",
    rules: [rule("managed", "deny", "bash(git push *)"), rule("flag", "allow", "bash(git push origin x)")],
    line: "git push origin x",
    verdict: "deny",
    decided: "bash(git push *)",
  },
]

describe("the worked examples about commands, from the line to the sandbox", () => {
  test.each(examples)(
    "[C2-57] example $number: $line is $verdict",
    async ({ rules, line, facts, verdict, decided, final, sandbox }) => {
      const { analysis, judgement } = await judgeLine(rules, line, facts ? { facts } : {})
      expect(judgement.verdict).toBe(verdict)
      if (decided) expect(judgement.decided?.text).toBe(decided)
      expect(judgement.final).toBe(final ?? false)
      if (sandbox) expect(sandboxFor(analysis, judgement, "ask", { hosts: [] }).profile).toBe(sandbox)
    },
  )
})
