import { afterEach, beforeEach, expect, test } from "vitest"
import { openSearchBench, type SearchBench } from "../../../tools/test/search-bench.js"
import { speak } from "../../test/dialect-bench.js"
import { webSearchEngines } from "../shared/tools/web-search-engines/index.js"
import { claw } from "./claw.js"

let bench: SearchBench
beforeEach(async () => {
  bench = await openSearchBench()
})
afterEach(() => bench.close())

const call = speak(claw, [webSearchEngines], () => bench)
const row = (host: string) => ({ title: `On ${host}`, url: `https://${host}/page`, snippet: "" })

test("WebSearch: eight hits at most, each address once, domains with their subdomains", async () => {
  const hosts = ["a.org", "docs.a.org", "b.org", ...Array.from({ length: 9 }, (_, index) => `c${index}.net`)]
  bench.server.rows = () => hosts.map(row)
  const search = async (input: object) => {
    const { value, success } = await call("WebSearch", { query: "anything", ...input })
    expect(success, value as string).toBe(true)
    const { query, results, durationSeconds } = JSON.parse(value as string)
    expect([query, typeof durationSeconds]).toEqual(["anything", "number"])
    expect(results[0]).toContain('"anything"')
    return results[1].content.map(({ url }: { url: string }) => new URL(url).host)
  }
  expect(await search({})).toEqual(hosts.slice(0, 8))
  expect(await search({ allowed_domains: ["a.org"] })).toEqual(["a.org", "docs.a.org"])
  expect(await search({ blocked_domains: ["a.org", "net"] })).toEqual(["b.org"])
})

test("WebSearch: a provider that fails is an error string", async () => {
  const { value, success } = await call("WebSearch", { query: "status 500" })
  expect(success).toBe(false)
  expect(value).toMatch(/^Cannot search/)
})
