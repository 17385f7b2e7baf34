import type { CallPart, PlacedRule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { judgeLine } from "../../test/command-world.js"
import { defaultsAnd, judgeWith, rule } from "../../test/world.js"
import { parseHostPattern } from "./pattern/host-pattern.js"
import { proposeRule } from "./propose.js"

const request = (method: string, host = "x.test"): readonly CallPart[] => [
  {
    label: "http_request",
    heads: [{ permission: "http_request", subject: { kind: "command", argv: [method, host] } }],
    effects: [{ kind: "net.fetch", host, port: 443 }],
    opaque: false,
  },
]
const page = (host = "x.test"): readonly CallPart[] => [
  {
    label: "web_fetch",
    heads: [{ permission: "web_fetch", subject: { kind: "host", host, port: 443 } }],
    effects: [{ kind: "net.fetch", host, port: 443 }],
    opaque: false,
  },
]
const saved = (tool: string, parts: readonly CallPart[], ...rules: readonly PlacedRule[]) => {
  const proposal = proposeRule(tool, parts, judgeWith(defaultsAnd(...rules), parts))
  if (!proposal) throw new Error("nothing is proposed")
  return { ...proposal, kept: defaultsAnd(...rules, { ...proposal.rule, source: { scope: "session" } }) }
}

describe("an answer that is kept for a request", () => {
  test("of http_request holds for its method and host", () => {
    const { rule: kept, matches, differs, kept: rules } = saved("http_request", request("GET"))
    expect(kept).toEqual({ permission: "http_request", pattern: "GET x.test", action: "allow" })
    expect([matches, differs]).toEqual(["GET x.test", "POST x.test"])
    expect(judgeWith(rules, request("GET")).verdict).toBe("allow")
    for (const parts of [request("POST"), request("DELETE"), request("GET", "y.test"), page()])
      expect(judgeWith(rules, parts).verdict).toBe("ask")
  })

  test("of web_fetch, which only reads, says nothing of other tools", () => {
    const { rule: kept, kept: rules } = saved("web_fetch", page())
    expect(kept).toEqual({ permission: "web_fetch", pattern: "x.test", action: "allow" })
    expect(judgeWith(rules, page()).verdict).toBe("allow")
    for (const parts of [request("POST"), request("DELETE"), page("y.test")])
      expect(judgeWith(rules, parts).verdict).toBe("ask")
  })

  test.each([
    ["curl https://x.test/a", "GET x.test"],
    ["curl -sSL https://x.test/a", "GET x.test"],
    ["curl -I https://x.test", "HEAD x.test"],
    ["curl -d a=1 https://x.test", "POST x.test"],
    ["curl --json '{}' https://x.test", "POST x.test"],
    ["curl -G -d a=1 https://x.test", "GET x.test"],
    ["curl -X delete https://x.test", "DELETE x.test"],
    ["curl -XPUT -d a https://x.test", "PUT x.test"],
    ["wget -qO- https://x.test", "GET x.test"],
    ["wget -qO- --post-data=a https://x.test", "POST x.test"],
  ])("of %s holds for its method", async (line, pattern) => {
    const { parts } = await judgeLine([], line)
    const { rule: kept, kept: rules } = saved("bash", parts, rule("user", "allow", "fs.read(**)"))
    expect(kept).toEqual({ permission: "net.fetch", pattern, action: "allow" })
    expect((await judgeLine(rules, line)).judgement.verdict).toBe("allow")
    const others = ["GET", "HEAD", "POST", "PUT", "DELETE"].filter((method) => !pattern.startsWith(method))
    for (const method of others)
      expect((await judgeLine(rules, `curl -X ${method} https://x.test`)).judgement.verdict, method).toBe("ask")
  })

  test("is not kept for a line with two methods, nor for one whose method is not known", async () => {
    const propose = async (line: string) => {
      const { parts, judgement } = await judgeLine([], line)
      return proposeRule("bash", parts, judgement)
    }
    expect(await propose("curl https://x.test; curl -X DELETE https://x.test")).toBeUndefined()
    expect(await propose('curl -X "$m" https://x.test')).toBeUndefined()
  })

  test.each([
    "curl --request GET -X DELETE https://x.test",
    "curl -X GET --request DELETE https://x.test",
    "curl -X GET -X DELETE https://x.test",
    "curl -X GET -d @a https://x.test",
    "curl -X GET -T a https://x.test",
    "curl -H 'X-HTTP-Method-Override: DELETE' https://x.test",
    "curl -H @headers https://x.test",
    "curl gopher://x.test:80/_DELETE%20/",
    "curl ftp://x.test/a",
    'curl "https://x.test/$a"',
  ])("of a page does not settle what may send: %s", async (line) => {
    const rules = defaultsAnd(rule("user", "allow", "fs.read(**)"), rule("session", "allow", "net.fetch(GET x.test)"))
    expect((await judgeLine(rules, "curl https://x.test")).judgement.verdict).toBe("allow")
    expect((await judgeLine(rules, line)).judgement.verdict).toBe("ask")
  })
})

describe("an answer that was kept without a text or a method", () => {
  const kept = (text: string): PlacedRule => ({ ...rule("local", "allow", text), answer: true })
  const verdict = async (text: string, line: string) =>
    (await judgeLine(defaultsAnd(rule("user", "allow", "fs.read(**)"), kept(text)), line)).judgement.verdict

  test.each([
    "bash x.sh",
    "./x.sh",
    "npm test",
    "make x",
    "make -C sub x",
    "node -r ./h.js x.js",
    "python3 -E x.py",
    "bash -norc x.sh",
    "perl -Mfeature x.pl",
    "awk -f x.awk a",
    "uv run x.py",
    "bun x.ts",
    "bash",
    "timeout 9 bash x.sh",
    "A=1 bash x.sh",
  ])("settles no command that runs one: %s", async (line) => {
    expect(await verdict(`bash(${line})`, line)).toBe("ask")
    expect(await verdict(`bash(${line})`, `cd "$x" && ${line}`)).toBe("ask")
  })

  test.each(["git commit -m x", "python3 -c 'print(1)'", "node -e 1", "python3 -m pytest", "cargo test", "npx foo"])(
    "settles its command where the words are all there is: %s",
    async (line) => {
      expect(await verdict(`bash(${line})`, line)).toBe("allow")
    },
  )

  test("settles reading of a host, and nothing of which the method is not known", async () => {
    expect(await verdict("net.fetch(x.test)", "curl https://x.test")).toBe("allow")
    for (const line of ["curl -I https://x.test", "curl -d a https://x.test", "curl -X DELETE https://x.test"])
      expect(await verdict("net.fetch(x.test)", line)).toBe("ask")
    const clone = [rule("user", "allow", "bash(git clone *)"), kept("net.fetch(x.test)")]
    const line = "git clone https://x.test/a b"
    expect((await judgeLine(defaultsAnd(...clone), line)).judgement.verdict).toBe("ask")
    const written = [clone[0]!, rule("user", "allow", "net.fetch(x.test)")]
    expect((await judgeLine(defaultsAnd(...written), line)).judgement.verdict).toBe("allow")
  })

  test("refuses and asks as it did: only allows are narrower", async () => {
    const deny: PlacedRule = { ...rule("local", "deny", "bash(bash x.sh)"), answer: true }
    expect((await judgeLine([deny], "bash x.sh")).judgement.verdict).toBe("deny")
    const host: PlacedRule = { ...rule("local", "deny", "net.fetch(x.test)"), answer: true }
    expect((await judgeLine([host], "curl -X DELETE https://x.test")).judgement.verdict).toBe("deny")
  })
})

describe("a host pattern with a method", () => {
  test("is inside the host and is compared strictly where the method is not known", () => {
    const rules = [rule("user", "deny", "net.fetch(x.test)"), rule("user", "allow", "net.fetch(GET x.test)")]
    const part = (method?: string): readonly CallPart[] => [
      {
        label: "x",
        heads: [],
        effects: [{ kind: "net.fetch", host: "x.test", port: 443, ...(method ? { method } : {}) }],
        opaque: false,
      },
    ]
    expect(judgeWith(rules, part("GET")).verdict).toBe("allow")
    expect(judgeWith(rules, part("POST")).verdict).toBe("deny")
    expect(judgeWith(rules, part()).verdict).toBe("deny")
    expect(judgeWith([rule("user", "deny", "net.fetch(DELETE *.test)")], part()).verdict).toBe("deny")
    expect(judgeWith([rule("user", "deny", "net.fetch(DELETE *.test)")], part("GET")).verdict).toBe("ask")
    expect(judgeWith([rule("user", "allow", "net.fetch(x.test)")], part("DELETE")).verdict).toBe("allow")
  })

  test("has a number above that of its host", () => {
    expect(parseHostPattern("x.test").number).toBe(302)
    expect(parseHostPattern("get x.test")).toMatchObject({ number: 327, method: "GET" })
    expect(parseHostPattern("GET x.test:443")).toMatchObject({ number: 377, port: 443 })
    expect(() => parseHostPattern("GET  POST x.test")).toThrow()
  })
})
