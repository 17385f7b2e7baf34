import { type Network, nearestNames, ToolError } from "@haft/contract"
import { checkTool, fakeMemory } from "@haft/testkit"
import { afterEach, describe, expect, test, vi } from "vitest"
import { webSearch } from "../../../../../tools/src/web/web-search/index.js"
import { failure } from "../../../../../tools/test/failure.js"
import { openSearchBench, type SearchBench, type SearchCallOptions } from "../../../../../tools/test/search-bench.js"
import { webSearchEngines } from "./index.js"

let bench: SearchBench
afterEach(async () => {
  vi.useRealTimers()
  await bench?.close()
})

const search = (input: object, options: SearchCallOptions = {}) =>
  bench.run(webSearchEngines, input, { ...options, settings: { keys: { tavily: "k" }, ...options.settings } })
const asked = () => bench.server.requests.map(({ provider }) => provider).toSorted()
const row = (path: string, title = path) => ({ title, url: `https://example.org/${path}`, snippet: `about ${path}` })

test("it conforms, and its examples run", async () => {
  bench = await openSearchBench()
  const makeContext = () => ({ context: bench.context(webSearchEngines, { memory: fakeMemory() }) })
  expect(await checkTool(webSearchEngines, { folder: "web-search-engines", makeContext })).toEqual([])
})

describe("engines", () => {
  test("DuckDuckGo and Wikipedia are asked by default", async () => {
    bench = await openSearchBench()
    const { data } = await search({ query: "x" })
    expect(asked()).toEqual(["ddg", "wiki"])
    expect(data.results).toHaveLength(10)
    expect(data.failed).toEqual([])
  })

  test.each([
    [
      ["ddg", "360"],
      ["ddg", "so360"],
    ],
    ["Brave, sogou ,,so360", ["brave", "so360", "sogou"]],
    [
      ["ddg,wiki", "ddg"],
      ["ddg", "wiki"],
    ],
    [
      ["searxng", "tavily"],
      ["searxng", "tavily"],
    ],
  ])("%j names %j", async (engines, expected) => {
    bench = await openSearchBench()
    await search({ query: "x", engines })
    expect(asked()).toEqual(expected)
  })

  test("a name that is none is said beside the results; without a known one the arguments are not valid", async () => {
    bench = await openSearchBench()
    const { data, text } = await search({ query: "x", engines: ["ddg", "bing"], limit: 1 })
    expect(data.failed).toEqual([{ engine: "bing", reason: expect.stringContaining("known are ddg, wiki") }])
    expect(text).toContain("Failed: bing: it is no known engine")
    for (const engines of [["bing"], "", [], ["constructor"]]) {
      const parsed = webSearchEngines.manifest.input.safeParse({ query: "x", engines })
      expect(parsed.error?.issues[0]).toMatchObject({
        path: ["engines"],
        message: "name at least one of ddg, wiki, brave, sogou, so360 (or 360), searxng, tavily, google, baidu",
      })
    }
  })

  test("`engine` is not an argument, and `engines` is the nearest one", () => {
    const parsed = webSearchEngines.manifest.input.safeParse({ query: "x", engine: "ddg" })
    expect(parsed.error?.issues[0]).toMatchObject({ code: "unrecognized_keys", keys: ["engine"] })
    // The name that the message of the runtime suggests.
    expect(nearestNames("engine", Object.keys(webSearchEngines.manifest.input.shape), 1)).toEqual(["engines"])
  })
})

describe("results", () => {
  test("of several engines are one list: each page once, ranked by place and agreement", async () => {
    bench = await openSearchBench()
    bench.server.rows = (_query, provider) =>
      provider === "sogou" ? [row("a"), row("b"), row("c?utm_source=s")] : [row("d"), row("c"), row("b/")]
    const { data } = await search({ query: "x", engines: ["so360", "sogou"] })
    expect(data.results.map(({ url, engines, score }: Found) => [url, engines, score])).toEqual([
      ["https://example.org/b", ["sogou", "so360"], 1.6667],
      ["https://example.org/c", ["sogou", "so360"], 1.6667],
      ["https://example.org/a", ["sogou"], 1],
      ["https://example.org/d", ["so360"], 1],
    ])
  })

  test("are numbered rows with address, snippet and engines; the date is shown where one is known", async () => {
    bench = await openSearchBench()
    bench.server.rows = () => [row("a", "Page A")]
    const { data, text } = await search({ query: "x", engines: ["ddg", "searxng"] })
    expect(data.results[0]).toEqual({
      title: "Page A",
      url: "https://example.org/a",
      content: "about a",
      engines: ["ddg", "searxng"],
      score: 4,
      published_date: "2025-01-02T00:00:00",
    })
    expect(text).toBe(
      "1. Page A\n   URL: https://example.org/a\n   Published: 2025-01-02T00:00:00\n   about a\n   (via ddg, searxng)",
    )
  })

  test("are JSON rows where that is the format, and failures are apart from them", async () => {
    bench = await openSearchBench()
    bench.server.rows = () => [row("a")]
    const settings = { endpoints: { ...bench.server.endpoints, wiki: "http://127.0.0.1:9/refused" } }
    const { content, data } = await search({ query: "x", format: "json" }, { settings })
    expect(content).toHaveLength(2)
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(data.results)
    expect(content[1]).toMatchObject({ text: expect.stringMatching(/^Failed: wiki: /) })
  })

  test("stay within the limit", async () => {
    bench = await openSearchBench()
    expect((await search({ query: "x", engines: ["ddg"], limit: 3 })).data.results).toHaveLength(3)
    const { data, text } = await search({ query: "nothing" })
    expect(data).toEqual({ results: [], failed: [] })
    expect(text).toBe("No results; try other words or engines")
  })

  test("keep to the allowed domains and off the blocked, subdomains included", async () => {
    bench = await openSearchBench()
    const hosts = ["example.org", "docs.example.org", "notexample.org", "private.docs.example.org", "example.com"]
    bench.server.rows = () => hosts.map((host) => ({ title: host, url: `https://${host}/`, snippet: "" }))
    const titles = async (filter: object) =>
      (await search({ query: "x", engines: ["tavily"], ...filter })).data.results.map(({ title }: Found) => title)
    expect(await titles({ allowed_domains: ["Example.ORG"] })).toEqual([hosts[0], hosts[1], hosts[3]])
    expect(await titles({ blocked_domains: ["*.docs.example.org", "https://example.com/x"] })).toEqual([
      hosts[0],
      hosts[2],
    ])
    expect(await titles({ allowed_domains: ["example.org"], blocked_domains: ["docs.example.org"] })).toEqual([
      hosts[0],
    ])
    expect(await titles({ allowed_domains: [] })).toEqual(hosts)
    expect(webSearchEngines.manifest.input.safeParse({ query: "x", allowed_domains: ["a b"] }).success).toBe(false)
  })
})

interface Found {
  readonly title: string
  readonly url: string
  readonly engines: readonly string[]
  readonly score: number
}

describe("failures", () => {
  test("of some engines are beside what the others found", async () => {
    bench = await openSearchBench()
    const { data, text } = await search({ query: "captcha", engines: ["ddg", "tavily"] })
    expect(data.results).toHaveLength(5)
    expect(data.failed).toEqual([{ engine: "ddg", reason: expect.stringContaining("it asks for a captcha") }])
    expect(text).toMatch(/\(via tavily\)\nFailed: ddg: it asks for a captcha/)
  })

  test("of all engines are one error that names each", async () => {
    bench = await openSearchBench()
    const error = await failure(search({ query: "status 503", engines: ["ddg", "wiki"] }))
    expect(error.code).toBe("unavailable")
    expect(error.message).toBe(
      "Cannot search the web: ddg: it answered with status 503; wiki: it answered with status 503",
    )
    const mixed = await failure(
      search(
        { query: "captcha", engines: "ddg,searxng", timeout: 1 },
        { settings: { endpoints: { ddg: bench.server.endpoints.ddg } } },
      ),
    )
    expect(mixed.details).toMatchObject({ failed: [{ engine: "ddg" }, { engine: "searxng", code: "not_configured" }] })
  })

  test("of one engine's time leave the others alone", async () => {
    bench = await openSearchBench()
    const context = bench.context(webSearchEngines, { settings: { keys: { tavily: "k" } } }) as { network: Network }
    const network: Network = {
      ...context.network,
      async fetch(request) {
        if (request.url.includes("/ddg/")) throw new ToolError("timeout", "too late")
        return context.network.fetch(request)
      },
    }
    const { execute } = await webSearchEngines.execute()
    const input = webSearchEngines.manifest.input.parse({ query: "x", engines: ["ddg", "tavily"] })
    const { results, failed } = await execute(input, { ...context, network } as never)
    expect(results).toHaveLength(5)
    expect(failed).toEqual([{ engine: "ddg", reason: "it did not answer within 10 s" }])
  })

  test("a caller who gives up ends the search as cancelled", async () => {
    bench = await openSearchBench()
    const controller = new AbortController()
    const running = failure(search({ query: "held", engines: ["ddg", "sogou"] }, { signal: controller.signal }))
    await bench.server.requestsCame(2)
    controller.abort()
    expect((await running).code).toBe("cancelled")
  })
})

describe("the session", () => {
  test("leaves an engine out for 60 s after three failures in a row, and says so", async () => {
    bench = await openSearchBench()
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 })
    const fail = () => failure(search({ query: "status 500", engines: ["ddg"] }))
    for (let call = 0; call < 3; call++) await fail()
    vi.setSystemTime(1_000_000 + 18_000)
    const { data } = await search({ query: "x", engines: ["ddg", "tavily"] })
    expect(data.failed).toEqual([{ engine: "ddg", reason: "it failed 3 times in a row; it is left out for 42 s more" }])
    expect(asked()).toEqual(["ddg", "ddg", "ddg", "tavily"])
    vi.setSystemTime(1_000_000 + 60_000)
    await fail()
    expect((await fail()).message).toContain("left out for 60 s more")
    vi.setSystemTime(1_000_000 + 120_000)
    await search({ query: "x", engines: ["ddg"] })
    expect((await fail()).message).toContain("status 500")
    expect((await fail()).message).toContain("status 500")
  })

  test("blames no engine for a missing key, a refusal of ours or a caller who gave up", async () => {
    bench = await openSearchBench()
    const grant = { admits: () => true, mayKeep: () => true, admitsHost: () => ({ allowed: false, reason: "denied" }) }
    for (let call = 0; call < 4; call++) await failure(search({ query: "x", engines: ["ddg"] }, { grant }))
    await search({ query: "x", engines: ["ddg"] })
    expect(asked()).toEqual(["ddg"])
  })

  test("makes searches that are the same and run at the same time only once", async () => {
    bench = await openSearchBench()
    const running = [1, 2, 3].map(() => search({ query: "held x", engines: ["ddg"] }))
    const other = search({ query: "held y", engines: ["ddg"] })
    await bench.server.requestsCame(2)
    bench.server.release()
    const [first, ...rest] = await Promise.all(running)
    expect(rest.map(({ data }) => data)).toEqual([first?.data, first?.data])
    expect((await other).data).not.toEqual(first?.data)
    expect(bench.server.requests).toHaveLength(2)
    await search({ query: "x", engines: ["ddg"] })
    await search({ query: "x", engines: ["ddg"] })
    expect(bench.server.requests).toHaveLength(4)
  })

  test("goes on for those who waited with a caller who gave up", async () => {
    bench = await openSearchBench()
    const controller = new AbortController()
    const first = failure(search({ query: "held", engines: ["ddg"] }, { signal: controller.signal }))
    const waiting = [1, 2].map(() => search({ query: "held", engines: ["ddg"] }))
    await bench.server.requestsCame(1)
    controller.abort()
    expect((await first).code).toBe("cancelled")
    await bench.server.requestsCame(2)
    bench.server.release()
    expect((await Promise.all(waiting)).map(({ data }) => data.results.length)).toEqual([5, 5])
    expect(bench.server.requests).toHaveLength(2)
  })

  test("[C2-39] has one number of searches, whichever tool makes them", async () => {
    bench = await openSearchBench()
    const settings = { callsPerSession: 2 }
    await search({ query: "x" }, { settings })
    await bench.run(webSearch, { query: "x" }, { settings })
    expect((await failure(search({ query: "x" }, { settings }))).code).toBe("rate_limited")
  })
})

describe("the proxy", () => {
  test("is handed to every request", async () => {
    bench = await openSearchBench()
    const proxies: (string | undefined)[] = []
    const context = bench.context(webSearchEngines) as { network: object }
    const network = {
      fetch: async ({ proxy }: { proxy?: string }) => {
        proxies.push(proxy)
        throw new ToolError("unavailable", "not here")
      },
    }
    const { execute } = await webSearchEngines.execute()
    const input = webSearchEngines.manifest.input.parse({ query: "x", proxy: "socks5://127.0.0.1:1080" })
    await failure(execute(input, { ...context, network } as never))
    expect(proxies).toEqual(["socks5://127.0.0.1:1080", "socks5://127.0.0.1:1080"])
  })
})
