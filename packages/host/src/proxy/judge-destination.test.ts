import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { covers, hostName, parseDestination } from "../address/destination.js"
import { judgeDestination, type Reach } from "./judge-destination.js"

const names: Readonly<Record<string, readonly string[]>> = {
  "example.org": ["93.184.216.34"],
  "api.example.org": ["93.184.216.35"],
  "mixed.example.org": ["93.184.216.34", "127.0.0.1"],
  "inner.example.org": ["10.0.0.7"],
  localhost: ["127.0.0.1", "::1"],
}
const reach = (
  destinations: readonly string[],
  named: readonly string[] = [],
  ownPorts: readonly number[] = [],
): Reach => ({
  destinations: destinations.map((text) => parseDestination(text)!),
  named: named.map((text) => parseDestination(text)!),
  ownPorts: () => ownPorts,
  resolve: async (host) => names[host] ?? [],
})

describe("[C2-87] a destination is judged before anything is sent", () => {
  test("a rule for a host covers that host at port 443, and the addresses to dial come with the answer", async () => {
    expect(await judgeDestination("EXAMPLE.org.", 443, reach(["example.org"]))).toEqual({
      host: "example.org",
      port: 443,
      allowed: true,
      reason: "allowed by a rule",
      addresses: ["93.184.216.34"],
    })
    expect(await judgeDestination("example.org", 80, reach(["example.org"]))).toMatchObject({
      allowed: false,
      reason: "no rule allows example.org:80",
      fix: "Allow it with --allow 'net.fetch(example.org:80)'",
    })
  })

  test("a wildcard covers names below, not the name itself, and nothing that only ends alike", async () => {
    const wide = reach(["*.example.org"])
    expect((await judgeDestination("api.example.org", 443, wide)).allowed).toBe(true)
    expect((await judgeDestination("example.org", 443, wide)).allowed).toBe(false)
    expect((await judgeDestination("badexample.org", 443, wide)).allowed).toBe(false)
  })

  test("[C2-88] one address that is not public is enough to refuse, unless the user named the host and port", async () => {
    expect((await judgeDestination("mixed.example.org", 443, reach(["mixed.example.org"]))).allowed).toBe(false)
    const refused = await judgeDestination("inner.example.org", 443, reach(["inner.example.org"]))
    expect(refused.reason).toContain("leads to 10.0.0.7")
    expect(refused.fix).toContain("--grant-net inner.example.org:443")
    expect((await judgeDestination("inner.example.org", 443, reach([], ["inner.example.org:443"]))).allowed).toBe(true)
    expect((await judgeDestination("inner.example.org", 444, reach([], ["inner.example.org:443"]))).allowed).toBe(false)
    expect((await judgeDestination("127.0.0.1", 8080, reach(["127.0.0.1:8080"]))).allowed).toBe(false)
  })

  test("[C2-88] numbers in disguise are the address that they mean", async () => {
    for (const spelled of ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::1]"]) {
      const judged = await judgeDestination(spelled, 443, reach([spelled]))
      expect([spelled, judged.allowed]).toEqual([spelled, false])
    }
  })

  test("a port of Haft itself cannot be granted", async () => {
    const judged = await judgeDestination("localhost", 4000, reach([], ["localhost:4000"], [4000]))
    expect(judged).toMatchObject({ allowed: false, reason: expect.stringContaining("Haft itself") })
  })

  test("what is no host name is refused, and what does not resolve", async () => {
    for (const spelled of [
      "",
      "a b",
      "exa\0mple.org",
      "example.org/../x",
      "a..b",
      "x".repeat(300),
      "http://x",
      "*.org",
    ]) {
      expect((await judgeDestination(spelled, 443, reach(["example.org"]))).allowed).toBe(false)
    }
    expect((await judgeDestination("nowhere.example.org", 443, reach(["nowhere.example.org"]))).reason).toContain(
      "no address",
    )
    expect((await judgeDestination("example.org", 0, reach(["example.org"]))).allowed).toBe(false)
  })

  test("nothing is reached without a grant, whatever is asked for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.domain(), fc.ipV4(), fc.ipV6()), fc.integer(), async (host, port) => {
        return !(await judgeDestination(host, port, reach([]))).allowed
      }),
    )
  })
})

describe("destinations", () => {
  test.each([
    ["example.org", { host: "example.org", below: false, port: 443 }],
    ["Example.ORG:8443", { host: "example.org", below: false, port: 8443 }],
    ["*.example.org", { host: "example.org", below: true, port: 443 }],
    ["[::1]:80", { host: "::1", below: false, port: 80 }],
    ["bücher.example", { host: "xn--bcher-kva.example", below: false, port: 443 }],
    ["https://example.org", undefined],
    ["example.org:0", undefined],
    ["example.org:99999", undefined],
    ["", undefined],
    ["*", undefined],
  ])("%s", (text, expected) => expect(parseDestination(text)).toEqual(expected))

  test("a name has one spelling only: reading it twice changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain(), fc.webAuthority()), (text) => {
        const once = hostName(text)
        return once === undefined || hostName(once) === once
      }),
    )
  })

  test("a grant covers its own port alone", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 65_535 }),
        (port) => covers({ host: "a.example", below: false, port: 443 }, "a.example", port) === (port === 443),
      ),
    )
  })
})
