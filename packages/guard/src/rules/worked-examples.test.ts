import type { CallPart, PlacedRule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { at, command, defaultsAnd, judgeWith, plainFacts, read, rule, write } from "../../test/world.js"
import type { Facts } from "./rule-book.js"

interface Example {
  readonly number: string
  readonly rules: readonly PlacedRule[]
  readonly call: readonly CallPart[]
  readonly verdict: "allow" | "deny" | "ask"
  readonly decided?: string
  readonly final?: boolean
  readonly facts?: Facts
}

const reads = (path: string) => ({ effects: [{ kind: "fs.read", at: at(path) }] }) as const
const writes = (path: string) => ({ effects: [{ kind: "fs.write", at: at(path) }] }) as const
const fetches = (host: string) => ({ effects: [{ kind: "net.fetch", host, port: 443 }] }) as const
const withScript = (digest: string): Facts => ({ ...plainFacts, scriptDigest: () => digest })
const npmTest: PlacedRule = { ...rule("session", "allow", "bash(npm test)"), recipe: "digest-1" }

const examples: readonly Example[] = [
  { number: "1", rules: defaultsAnd(), call: read("src/a.ts"), verdict: "allow", decided: "fs.read({workspace}/**)" },
  { number: "2", rules: defaultsAnd(), call: read("x/.env"), verdict: "deny", decided: "fs.read(**/.env)" },
  {
    number: "3",
    rules: defaultsAnd(rule("flag", "allow", "read(**)")),
    call: read(".env"),
    verdict: "deny",
    decided: "fs.read(**/.env)",
  },
  {
    number: "4",
    rules: defaultsAnd(rule("flag", "allow", "fs.read(src/**)")),
    call: read("src/.env"),
    verdict: "deny",
    decided: "fs.read(**/.env)",
  },
  {
    number: "5a",
    rules: defaultsAnd(rule("session", "allow", "fs.read(test/.env)")),
    call: read("test/.env"),
    verdict: "allow",
    decided: "fs.read(test/.env)",
  },
  {
    number: "5b",
    rules: defaultsAnd(rule("project", "allow", "fs.read(test/.env)")),
    call: read("test/.env"),
    verdict: "deny",
    decided: "fs.read(**/.env)",
  },
  {
    number: "6a",
    rules: defaultsAnd(),
    call: read(".env.example"),
    verdict: "allow",
    decided: "fs.read(**/.env.example)",
  },
  { number: "6b", rules: defaultsAnd(), call: read("pkg/.env.local"), verdict: "deny", decided: "fs.read(**/.env.*)" },
  {
    number: "7",
    rules: [rule("user", "deny", "fs.read(src/secret/**)"), rule("flag", "allow", "fs.read(**/*.md)")],
    call: read("src/secret/n.md"),
    verdict: "deny",
    decided: "fs.read(src/secret/**)",
  },
  {
    number: "8",
    rules: [rule("user", "deny", "fs.write(src/**)"), rule("user", "allow", "fs.write(src/gen/**)")],
    call: write("src/gen/a"),
    verdict: "allow",
    decided: "fs.write(src/gen/**)",
  },
  {
    number: "9",
    rules: [rule("user", "deny", "bash"), rule("user", "allow", "bash(git status)")],
    call: [command("git status", reads("."))],
    verdict: "allow",
  },
  {
    number: "10a",
    rules: [rule("user", "allow", "bash(git status)")],
    call: [command("git status"), command("touch x", writes("x"))],
    verdict: "ask",
  },
  {
    number: "10b (a redirection is a part of its own)",
    rules: [rule("user", "allow", "bash(git status)")],
    call: [command("git status"), { label: "> x", heads: [], effects: writes("x").effects, opaque: false }],
    verdict: "ask",
  },
  {
    number: "10c (an assignment makes another command)",
    rules: [rule("user", "allow", "bash(git status)")],
    call: [command("X=1 git status", { opaque: true })],
    verdict: "ask",
  },
  {
    number: "11",
    rules: defaultsAnd(rule("flag", "allow", "bash(cat *)")),
    call: [command("cat .env", reads(".env"))],
    verdict: "deny",
    decided: "fs.read(**/.env)",
  },
  { number: "12a", rules: defaultsAnd(), call: [command("npm test", { opaque: true })], verdict: "ask" },
  {
    number: "12b",
    rules: defaultsAnd(npmTest),
    call: [command("npm test", { opaque: true })],
    verdict: "allow",
    facts: withScript("digest-1"),
  },
  {
    number: "12c",
    rules: defaultsAnd(npmTest),
    call: [command("npm test", { opaque: true })],
    verdict: "ask",
    facts: withScript("digest-2"),
  },
  {
    number: "13a",
    rules: [rule("user", "allow", "bash(curl *)")],
    call: [command("curl https://x.test", fetches("x.test"))],
    verdict: "ask",
  },
  {
    number: "13b",
    rules: [rule("user", "allow", "bash(curl *)"), rule("user", "allow", "net.fetch(x.test)")],
    call: [command("curl https://x.test", fetches("x.test"))],
    verdict: "allow",
  },
  {
    number: "14",
    rules: defaultsAnd(
      rule("flag", "allow", "*"),
      rule("flag", "allow", "bash"),
      rule("flag", "allow", "fs.write"),
      rule("flag", "allow", "fs.write(.git/config)"),
    ),
    call: [command("echo x", writes(".git/config"))],
    verdict: "ask",
    decided: "fs.write(**/.git/config)",
    final: true,
  },
  {
    number: "15",
    rules: [rule("managed", "deny", "bash(git push *)"), rule("flag", "allow", "bash(git push origin x)")],
    call: [command("git push origin x")],
    verdict: "deny",
    decided: "bash(git push *)",
  },
  {
    number: "16a",
    rules: [rule("user", "deny", "*"), rule("user", "allow", "read")],
    call: read("a"),
    verdict: "allow",
    decided: "read",
  },
  {
    number: "16b",
    rules: [rule("user", "deny", "*"), rule("user", "allow", "read")],
    call: write("a"),
    verdict: "deny",
    decided: "*",
  },
  {
    number: "17a",
    rules: defaultsAnd(manifest("deny", "*"), manifest("allow", "read"), rule("session", "allow", "bash")),
    call: read("a"),
    verdict: "allow",
  },
  {
    number: "17b",
    rules: defaultsAnd(manifest("deny", "*"), manifest("allow", "read"), rule("session", "allow", "bash")),
    call: [command("touch q", writes("q"))],
    verdict: "deny",
    decided: "*",
  },
  {
    number: "18 (an ask that nobody trusts has authority -1)",
    rules: defaultsAnd(rule("user", "deny", "*"), { ...rule("project", "ask", "bash"), authority: -1 }),
    call: [command("touch q", writes("q"))],
    verdict: "deny",
    decided: "*",
  },
  { number: "19", rules: defaultsAnd(rule("flag", "deny", "*")), call: read("a"), verdict: "deny", decided: "*" },
]

function manifest(action: "allow" | "deny", text: string): PlacedRule {
  return rule("manifest", action, text)
}

describe("the worked examples of the design", () => {
  test.each(examples)("[C2-57] example $number: $verdict", (example) => {
    const judgement = judgeWith(example.rules, example.call, example.facts)
    expect(judgement.verdict).toBe(example.verdict)
    if (example.decided) expect(judgement.decided?.text).toBe(example.decided)
    expect(judgement.final).toBe(example.final ?? false)
  })
})
