import { checkTool, fakeMemory } from "@haft/testkit"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openSearchBench, type SearchBench, type SearchCallOptions } from "../../../test/search-bench.js"
import { usualRows } from "../../../test/search-server.js"
import { type ProviderId, providerIds } from "../shared/search/provider-id.js"
import { providers } from "../shared/search/providers/index.js"
import { webSearch } from "./index.js"

let bench: SearchBench
afterEach(() => bench?.close())

const keys = { tavily: "tvly-secret-key", google: "google-secret-key", baidu: "baidu-secret-key" }
const search = (input: object, settings: SearchCallOptions["settings"] = {}, options: SearchCallOptions = {}) =>
  bench.run(webSearch, input, { settings: { keys, ...settings }, ...options })

/** What each provider makes of the usual rows: Wikipedia has addresses of its own. */
const expectedRows = (provider: ProviderId, query: string) =>
  usualRows(query).map(({ title, url, snippet }) =>
    provider === "wiki"
      ? { title, url: `http://example.org/wiki/${title.replaceAll(" ", "_")}`, snippet: `${snippet} "x's"` }
      : { title, url, snippet },
  )

test("it conforms, and its examples run", async () => {
  bench = await openSearchBench()
  const settings = { provider: "ddg" }
  const makeContext = () => ({ context: bench.context(webSearch, { settings, memory: fakeMemory() }) })
  expect(await checkTool(webSearch, { folder: "web-search", makeContext })).toEqual([])
})

describe.each(providerIds)("%s", (provider) => {
  test("[C2-42] the results have the one shape that all providers share", async () => {
    bench = await openSearchBench()
    const { data, state } = await search({ query: "red pandas", max_results: 50 }, { provider })
    expect(data).toEqual({ results: expectedRows(provider, "red pandas") })
    expect(state()).toEqual({ provider })
    expect(bench.server.requests.map((request) => request.provider)).toEqual([provider])
  })

  test("max_results bounds them, and nothing found is an output", async () => {
    bench = await openSearchBench()
    const { data } = await search({ query: "red pandas", max_results: 2 }, { provider })
    expect(data.results).toEqual(expectedRows(provider, "red pandas").slice(0, 2))
    const empty = await search({ query: "nothing" }, { provider })
    expect(empty.data).toEqual({ results: [] })
    expect(empty.text).toBe("No results; try other words")
  })

  test.each([
    ["malformed", "backend", /./],
    ["status 404", "backend", /status 404/],
    ["status 429", "rate_limited", /too many requests; it asks to wait 7 s/],
    ["status 500", "unavailable", /status 500/],
    ["status 503", "unavailable", /status 503/],
    ["reset", undefined, /./],
  ])("a query that ends as %j fails with the name of the provider and the reason", async (query, code, reason) => {
    bench = await openSearchBench()
    const error = await failure(search({ query }, { provider }))
    expect(error.message).toContain(`Cannot search with ${providers[provider].label}: `)
    expect(error.message).toMatch(reason)
    if (code) expect(error.code).toBe(code)
    expect(error.hint).toBeTruthy()
  })

  test("[C2-40] a call that takes too long ends as a timeout", async () => {
    bench = await openSearchBench()
    const error = await failure(search({ query: "held" }, { provider, timeoutMs: 50 }))
    expect(error.code).toBe("timeout")
    expect(error.message).toBe(`Cannot search with ${providers[provider].label}: it did not answer within 0.05 s`)
  })
})

test.each(["ddg", "brave", "sogou", "so360", "searxng"])(
  "%s that asks for a captcha is no empty answer",
  async (provider) => {
    bench = await openSearchBench()
    const error = await failure(search({ query: "captcha" }, { provider }))
    expect(error.code).toBe("unavailable")
    expect(error.message).toMatch(/captcha/i)
  },
)

test("[C2-40] the time of a call is 15 s where nothing else is configured", async () => {
  bench = await openSearchBench()
  const asked: number[] = []
  const context = bench.context(webSearch) as { network: object }
  const network = { fetch: async ({ timeoutMs }: { timeoutMs: number }) => void asked.push(timeoutMs) }
  const { execute } = await webSearch.execute()
  await expect(execute({ query: "x", max_results: 1 }, { ...context, network } as never)).rejects.toThrow()
  expect(asked).toEqual([15_000])
})

test("[C2-39] after 25 calls of a session the next is rate_limited and says the number; another session goes on", async () => {
  bench = await openSearchBench()
  for (let call = 0; call < 25; call++) await search({ query: "nothing" })
  const error = await failure(search({ query: "nothing" }))
  expect(error.code).toBe("rate_limited")
  expect(error.message).toContain("25")
  expect(bench.server.requests).toHaveLength(25)
  await search({ query: "nothing" }, {}, { memory: fakeMemory() })
})

test("[C2-39] calls that fail count, and the number is the host's to set", async () => {
  bench = await openSearchBench()
  const calls = Array.from({ length: 5 }, () => failure(search({ query: "status 500" }, { callsPerSession: 3 })))
  const codes = (await Promise.all(calls)).map(({ code }) => code)
  expect(codes.toSorted()).toEqual(["rate_limited", "rate_limited", "unavailable", "unavailable", "unavailable"])
})

test("the results are numbered and compact", async () => {
  bench = await openSearchBench()
  bench.server.rows = () => [
    { title: "First\n result", url: "https://example.org/1", snippet: "Words  on\nlines" },
    { title: "Second", url: "https://example.org/2", snippet: "" },
  ]
  const { text } = await search({ query: "x" }, { provider: "tavily" })
  expect(text).toBe("1. First result\n   https://example.org/1\n   Words on lines\n2. Second\n   https://example.org/2")
})

test("keys go to their provider alone and are in no message", async () => {
  bench = await openSearchBench()
  await search({ query: "x" }, { provider: "tavily" })
  await search({ query: "x" }, { provider: "brave", keys: { brave: "brave-secret" } })
  await search({ query: "x" }, { provider: "ddg" })
  const [tavily, brave, ddg] = bench.server.requests
  expect(tavily?.headers.authorization).toBe("Bearer tvly-secret-key")
  expect(tavily?.address.href).not.toContain("secret")
  expect(brave?.headers["x-subscription-token"]).toBe("brave-secret")
  expect(JSON.stringify(ddg?.headers)).not.toContain("secret")
  const error = await failure(search({ query: "status 401" }, { provider: "tavily" }))
  expect(error.code).toBe("not_configured")
  expect(`${error.message}${error.hint}`).not.toContain("secret")
})

test("Brave with a key is asked through its interface for programs", async () => {
  bench = await openSearchBench()
  const settings = { provider: "brave", keys: { brave: "brave-secret" } }
  const { data } = await search({ query: "red pandas", max_results: 50 }, settings)
  expect(data.results).toEqual(expectedRows("brave", "red pandas"))
  expect(bench.server.requests[0]?.address.pathname).toBe("/brave/res/v1/web/search")
  expect(bench.server.requests[0]?.address.searchParams.get("count")).toBe("20")
  expect((await search({ query: "nothing" }, settings)).data.results).toEqual([])
})

test.each([
  ["tavily", "not_configured", { keys: {} }],
  ["google", "not_configured", { keys: {} }],
  ["google", "not_configured", { endpoints: {} }],
  ["baidu", "not_configured", { keys: {} }],
  ["searxng", "not_configured", { endpoints: {} }],
  ["searxng", "not_configured", { endpoints: { searxng: "file:///etc/passwd" } }],
  ["bing", "not_configured", {}],
])("%s that cannot be asked is %s", async (provider, code, settings) => {
  bench = await openSearchBench()
  const error = await failure(search({ query: "x" }, { provider, ...settings }))
  expect(error.code).toBe(code)
  expect([error.hint, error.fix]).toEqual([undefined, expect.stringMatching(/./)])
  expect(bench.server.requests).toEqual([])
})

test("a host that is not admitted is not asked", async () => {
  bench = await openSearchBench()
  const grant = {
    admits: () => true,
    mayKeep: () => true,
    admitsHost: () => ({ allowed: false, reason: "a rule denies it" }),
  }
  const error = await failure(search({ query: "x" }, { provider: "ddg" }, { grant }))
  expect(error.code).toBe("denied")
  expect(error.message).toBe("Cannot search with DuckDuckGo: a rule denies it")
  expect(bench.server.requests).toEqual([])
})

test("a caller who gives up ends the search as cancelled", async () => {
  bench = await openSearchBench()
  const controller = new AbortController()
  const running = failure(search({ query: "held" }, { provider: "ddg" }, { signal: controller.signal }))
  await bench.server.requestsCame(1)
  controller.abort()
  expect((await running).code).toBe("cancelled")
})

test("a query goes out as it is, whatever it holds", async () => {
  bench = await openSearchBench()
  const query = `"a&b=c" #d %20 + 汉字 <script> \ud83d\ude00`
  for (const provider of providerIds) await search({ query }, { provider })
  expect(bench.server.requests.map((request) => request.query)).toEqual(providerIds.map(() => query))
  await search({ query: "lone \ud800 half" }, { provider: "ddg" })
  expect((await failure(search({ query: "x".repeat(2000) }, { provider: "ddg" }))).code).toBe("invalid_args")
})

test.each([
  [{}],
  [{ query: "" }],
  [{ query: "x", max_results: 51 }],
  [{ query: "x", provider: "ddg" }],
  [{ query: 1 }],
])("%j is not valid", (input) => {
  expect(webSearch.manifest.input.safeParse(input).success).toBe(false)
})
