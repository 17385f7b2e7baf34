import type { CallPart } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { at, command, defaultsAnd, judgeWith, read, rule, write } from "../../test/world.js"
import type { Facts } from "./rule-book.js"

const fetches = (host: string) => ({ effects: [{ kind: "net.fetch", host, port: 443 }] }) as const

describe("judge", () => {
  test("[C2-54] what no rule settles asks, and the ask is not a written one", () => {
    const judgement = judgeWith([], write("x.ts"))
    expect(judgement).toMatchObject({
      verdict: "ask",
      written: false,
      final: false,
      reason: 'no rule settles fs.write of "x.ts"',
    })
    expect(judgement.decided).toBeUndefined()
  })

  test("[C2-54] a tool without effects asks until a rule names it", () => {
    const part: CallPart = {
      label: "todo",
      heads: [{ permission: "todo", subject: { kind: "arguments", values: {} } }],
      effects: [],
      opaque: false,
    }
    expect(judgeWith([], [part]).verdict).toBe("ask")
    expect(judgeWith(defaultsAnd(), [part]).verdict).toBe("allow")
  })

  test("a call without parts is never allowed", () => {
    expect(judgeWith([rule("flag", "allow", "fs.read")], []).verdict).toBe("ask")
  })

  test.each(["manifest", "managed"] as const)(
    "[C2-58] a deny of scope %s stays, whatever the session allows",
    (scope) => {
      const rules = [
        rule(scope, "deny", "fs.write(src/**)"),
        rule("session", "allow", "fs.write(src/a.ts)"),
        rule("project", "allow", "fs.write(src/a.ts)"),
      ]
      const judgement = judgeWith(rules, write("src/a.ts"))
      expect(judgement).toMatchObject({ verdict: "deny", decided: { source: scope, final: true } })
      expect(judgement.remedy).toBeUndefined()
    },
  )

  const ordinary = ["defaults", "project", "local", "user", "session", "flag"] as const
  test.each(ordinary.slice(1).map((stronger, index) => [ordinary[index]!, stronger] as const))(
    "an allow of scope %s, one step below %s, does not set its deny aside; one of the same scope does",
    (weaker, stronger) => {
      const deny = rule(stronger, "deny", "fs.write(src/**)")
      const allow = (scope: typeof stronger | typeof weaker) => rule(scope, "allow", "fs.write(src/a.ts)")
      expect(judgeWith([deny, allow(weaker)], write("src/a.ts")).verdict).toBe("deny")
      expect(judgeWith([deny, allow(stronger)], write("src/a.ts")).verdict).toBe("allow")
      // An ask needs no authority to be set aside.
      const ask = rule(stronger, "ask", "fs.write(src/**)")
      expect(judgeWith([ask, allow(weaker)], write("src/a.ts")).verdict).toBe("allow")
    },
  )

  test("a saved answer, which has scope local, does not lift a default secret; one of the user or session does", () => {
    for (const [scope, verdict] of [
      ["local", "deny"],
      ["user", "allow"],
      ["session", "allow"],
    ] as const)
      expect(judgeWith(defaultsAnd(rule(scope, "allow", "fs.read(test/.env)")), read("test/.env")).verdict).toBe(
        verdict,
      )
  })

  test.each(["manifest", "session", "project"] as const)("[C2-56] rules of scope %s take part", (scope) => {
    expect(judgeWith([rule(scope, "allow", "fs.write(a)")], write("a")).verdict).toBe("allow")
    expect(judgeWith([rule(scope, "deny", "fs.write(a)")], write("a")).verdict).toBe("deny")
    expect(judgeWith([rule(scope, "ask", "fs.write(a)")], write("a"))).toMatchObject({
      verdict: "ask",
      written: true,
      final: scope === "manifest",
    })
  })

  test("[C2-53] a permission is a tool id, a capability or a star with a pattern", () => {
    expect(judgeWith([rule("user", "allow", "write(src/**)")], write("src/a")).verdict).toBe("allow")
    expect(judgeWith([rule("user", "allow", "fs.write(src/**)")], write("src/a")).verdict).toBe("allow")
    expect(judgeWith([rule("user", "allow", "*(src/**)")], write("src/a")).verdict).toBe("allow")
    expect(judgeWith([rule("user", "deny", "*(src/**)")], write("src/a")).verdict).toBe("deny")
    expect(judgeWith([rule("user", "allow", "*(src/**)")], write("lib/a")).verdict).toBe("ask")
  })

  test("a star rule about paths says nothing about hosts", () => {
    const rules = [rule("user", "deny", "*(**/.env)"), rule("user", "allow", "net.fetch(x.test)")]
    const part: CallPart = {
      label: "fetch",
      heads: [{ permission: "fetch", subject: { kind: "host", host: "x.test" } }],
      effects: [{ kind: "net.fetch", host: "x.test" }],
      opaque: false,
    }
    expect(judgeWith(rules, [part]).verdict).toBe("allow")
  })

  test("[C2-62] the finding names the rule, its number, its authority, its place and what it beat", () => {
    const place = { scope: "project", file: "haft.jsonc", line: 41 } as const
    const rules = defaultsAnd({ permission: "fs.read", pattern: "test/.env", action: "allow", source: place })
    const [, effect] = judgeWith(rules, read("test/.env")).findings
    expect(effect).toMatchObject({
      permission: "fs.read",
      subject: "test/.env",
      verdict: "deny",
      decided: { text: "fs.read(**/.env)", specificity: 201, authority: 3, source: "defaults" },
    })
    expect(effect?.beaten).toContainEqual({
      text: "fs.read(test/.env)",
      specificity: 305,
      authority: 1,
      source: "project haft.jsonc:41",
      because: "its authority 1 is below 3",
    })
    expect(effect?.beaten).toContainEqual(
      expect.objectContaining({ text: "fs.read({workspace}/**)", because: "it is not inside fs.read(**/.env)" }),
    )
  })

  test("a rule that was set aside says by which", () => {
    const rules = [rule("user", "deny", "fs.write(src/**)"), rule("user", "allow", "fs.write(src/gen/**)")]
    const beaten = judgeWith(rules, write("src/gen/a")).findings[1]?.beaten
    expect(beaten).toMatchObject([{ text: "fs.write(src/**)", because: "fs.write(src/gen/**) is inside it" }])
  })

  test("a deny matches the spelled and the resolved path, an allow only the resolved one", () => {
    const deny = [rule("user", "deny", "fs.read(secret/**)"), rule("user", "allow", "fs.read(**)")]
    expect(judgeWith(deny, read(at("secret/a", "/home/me/app/public/a"))).verdict).toBe("deny")
    expect(judgeWith(deny, read(at("public/a", "/home/me/app/secret/a"))).verdict).toBe("deny")
    const allow = [rule("user", "allow", "fs.read(public/**)")]
    expect(judgeWith(allow, read(at("public/a", "/home/me/app/secret/a"))).verdict).toBe("ask")
    expect(judgeWith(allow, read(at("secret/a", "/home/me/app/public/a"))).verdict).toBe("allow")
  })

  test("an allow for where a link leads does not lift a deny for how it is spelled", () => {
    const rules = defaultsAnd(rule("flag", "allow", "fs.read(conf/real)"))
    expect(judgeWith(rules, read(at("x/.env", "/home/me/app/conf/real"))).verdict).toBe("deny")
  })

  test("the strictest part of a call decides", () => {
    const rules = [rule("user", "allow", "bash(a)"), rule("user", "ask", "bash(b)"), rule("user", "deny", "bash(c)")]
    expect(judgeWith(rules, [command("a"), command("b")]).verdict).toBe("ask")
    expect(judgeWith(rules, [command("a"), command("b"), command("c")]).verdict).toBe("deny")
  })

  test("a deny of everything holds for the part that nothing settles, beside one that asks", () => {
    const rules = [rule("user", "deny", "*"), rule("user", "ask", "bash(b)")]
    expect(judgeWith(rules, [command("b")])).toMatchObject({ verdict: "ask", written: true })
    expect(judgeWith(rules, [command("b"), command("c")]).verdict).toBe("deny")
  })

  test("of the star rules without a pattern deny goes before ask and ask before allow", () => {
    const allow = rule("flag", "allow", "*")
    const ask = rule("project", "ask", "*")
    const deny = rule("defaults", "deny", "*")
    expect(judgeWith([allow], write("a")).verdict).toBe("allow")
    expect(judgeWith([allow, ask], write("a"))).toMatchObject({ verdict: "ask", written: true })
    expect(judgeWith([allow, ask, deny], write("a")).verdict).toBe("deny")
  })

  test("an allowed head does not settle the hosts of a command, but those of another tool", () => {
    const fetch: CallPart = {
      label: "web_fetch",
      heads: [{ permission: "web_fetch", subject: { kind: "host", host: "nodejs.org" } }],
      effects: [{ kind: "net.fetch", host: "nodejs.org", port: 443 }],
      opaque: false,
    }
    expect(judgeWith(defaultsAnd(), [fetch]).verdict).toBe("allow")
    expect(judgeWith([rule("user", "allow", "bash")], [command("curl x", fetches("x.test"))]).verdict).toBe("ask")
  })

  test("key files that git tracks may be read, others not", () => {
    const tracked: Facts = { isTracked: (path) => path.endsWith("fixture.pem") }
    expect(judgeWith(defaultsAnd(), read("test/fixture.pem"), tracked).verdict).toBe("allow")
    expect(judgeWith(defaultsAnd(), read("test/private.pem"), tracked).verdict).toBe("deny")
    expect(judgeWith(defaultsAnd(), read(".env"), { isTracked: () => true }).verdict).toBe("deny")
  })

  test("the reason of a refusal carries the rule's own reason", () => {
    const judgement = judgeWith(defaultsAnd(), read("x/.env"))
    expect(judgement.reason).toBe('fs.read(**/.env) (defaults) denies fs.read of "x/.env": such files hold secrets')
  })

  test("a harmless command without effects needs no rule, but a star rule speaks of it", () => {
    const part = command("echo hi", { harmless: true })
    expect(judgeWith([], [part])).toMatchObject({ verdict: "allow", written: false })
    expect(judgeWith([], [command("echo hi")]).verdict).toBe("ask")
    expect(judgeWith([], [command("echo hi", { harmless: true, opaque: true })]).verdict).toBe("ask")
    expect(judgeWith([], [part, command("rm x")]).verdict).toBe("ask")
    expect(judgeWith([rule("user", "deny", "*")], [part]).verdict).toBe("deny")
    expect(judgeWith([rule("user", "ask", "*")], [part])).toMatchObject({ verdict: "ask", written: true })
    expect(judgeWith([rule("user", "deny", "bash(echo *)")], [part]).verdict).toBe("deny")
    expect(judgeWith([rule("user", "deny", "bash")], [part]).verdict).toBe("deny")
  })

  test("a head for strict rules only is denied and asked about, but never settles", () => {
    const subject = { kind: "command", argv: ["git", "push"] } as const
    const part: CallPart = {
      label: "X=1 git push",
      heads: [
        { permission: "bash", subject: { kind: "command", argv: ["X=1", "git", "push"] } },
        { permission: "bash", subject, strictOnly: true },
      ],
      effects: [],
      opaque: true,
    }
    expect(judgeWith([rule("user", "allow", "bash(git push)")], [part]).verdict).toBe("ask")
    expect(judgeWith([rule("user", "deny", "bash(git push)")], [part]).verdict).toBe("deny")
    expect(judgeWith([rule("user", "ask", "bash(git *)"), rule("user", "allow", "bash")], [part])).toMatchObject({
      verdict: "ask",
      written: true,
    })
    expect(judgeWith([rule("user", "allow", "bash")], [part]).verdict).toBe("allow")
    const whole = rule("user", "allow", "bash(X=1 git push)")
    expect(judgeWith([whole], [part]).verdict).toBe("allow")
    expect(judgeWith([whole, rule("user", "deny", "bash")], [part]).verdict).toBe("allow")
    expect(judgeWith([whole, rule("user", "deny", "bash(git push)")], [part]).verdict).toBe("deny")
  })
})
