import { expect, test } from "vitest"
import { judgeAddresses } from "./judge-addresses.js"

test("answers that are no addresses are no answer: they would be looked up once more", async () => {
  for (const answers of [[], ["other.example"], ["127.0.0.1", "other.example"]]) {
    const verdict = await judgeAddresses("site.example", 443, { isNamed: true, resolve: async () => answers })
    expect(verdict.kind).toBe("unknown")
  }
  const failing = { isNamed: true, resolve: () => Promise.reject(new Error("no network")) }
  expect((await judgeAddresses("site.example", 443, failing)).kind).toBe("unknown")
})

test("names of this machine are refused without asking, and looked up when the user named them", async () => {
  let lookups = 0
  const resolve = async () => {
    lookups += 1
    return ["127.0.0.1"]
  }
  for (const host of ["localhost", "a.localhost"]) {
    expect(await judgeAddresses(host, 80, { isNamed: false, resolve })).toEqual({
      kind: "refused",
      reason: `${host} is not a public address`,
      fix: `Allow it with --grant-net ${host}:80`,
    })
  }
  expect(lookups).toBe(0)
  expect(await judgeAddresses("localhost", 80, { isNamed: true, resolve })).toMatchObject({ kind: "reachable" })
})

test("a port of Haft itself is refused in every spelling of this machine", async () => {
  for (const host of ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::", "::1", "::ffff:127.0.0.1"]) {
    const verdict = await judgeAddresses(host, 4000, { isNamed: true, ownPorts: () => [4000] })
    expect([host, verdict.kind]).toEqual([host, "refused"])
  }
})
