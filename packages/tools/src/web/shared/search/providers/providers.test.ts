import { createCompute } from "@haft/compute"
import { type HttpResponse, ToolError } from "@haft/contract"
import * as fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { answerForms } from "../../../../../test/search-pages.js"
import { usualRows } from "../../../../../test/search-server.js"
import { foundResult } from "../found-result.js"
import type { Reading } from "../provider.js"
import { providers } from "./index.js"

const compute = createCompute()
afterAll(() => compute.close())

const reading: Reading = {
  access: { base: "https://provider.example" },
  select: (html, options) => compute.selectHtml(html, { ...options, signal: new AbortController().signal }),
}

function answer(body: string, url = "https://provider.example/find?q=x"): HttpResponse {
  const rest = { status: 200, statusText: "OK", headers: {}, cut: false, redirects: [] }
  return { ...rest, url, body: new TextEncoder().encode(body) }
}

describe.each(["wiki", "searxng", "tavily", "brave", "google", "baidu"] as const)(
  "%s, which answers with JSON,",
  (id) => {
    const list = {
      ...{ wiki: ["query", "search"], searxng: ["results"], tavily: ["results"], brave: ["web", "results"] },
      ...{ google: ["items"], baidu: ["references"] },
    }[id]
    const access = { ...reading.access, ...(id === "brave" ? { key: "k" } : {}) }

    test("is read or refused, whatever the JSON is", async () => {
      const inner = fc.array(
        fc.oneof(fc.jsonValue(), fc.record({ title: fc.string(), url: fc.oneof(fc.webUrl(), fc.string()) })),
      )
      const nested = inner.map((rows) => list.reduceRight<unknown>((value, key) => ({ [key]: value }), rows))
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.jsonValue(), nested), async (json) => {
          try {
            const rows = await providers[id].read(answer(JSON.stringify(json)), { ...reading, access })
            for (const row of rows) foundResult(row, "https://provider.example/")
          } catch (error) {
            expect(ToolError.is(error), String(error)).toBe(true)
          }
        }),
      )
    })
  },
)

describe.each(["ddg", "brave", "sogou", "so360"] as const)("%s, which answers with a page,", (id) => {
  test("finds its results again when the page is cut anywhere", async () => {
    const whole = answerForms[id].found(usualRows("x"), "x")
    const titles = usualRows("x").map(({ title }) => title)
    for (const part of [0, 0.1, 0.5, 0.9]) {
      const cut = whole.slice(0, whole.length * part)
      const rows = await providers[id].read(answer(cut), reading).catch((error: unknown) => {
        expect(ToolError.is(error), String(error)).toBe(true)
        return []
      })
      for (const { title } of rows) expect(titles.some((known) => known.startsWith(title?.trim() ?? "?"))).toBe(true)
    }
  })

  test("is not fooled by words of the query that other pages are known by", async () => {
    const query = `"no-results" #no-result captcha <div class="anomaly-modal__title">`
    expect(await providers[id].read(answer(answerForms[id].found(usualRows("x"), query)), reading)).toHaveLength(5)
    const unknown = `<title>${query.replaceAll("<", "&lt;")}</title><input value='${query.replaceAll("<", "&lt;")}'>`
    await expect(providers[id].read(answer(unknown), reading)).rejects.toMatchObject({ code: "backend" })
  })
})

test.each([
  ["sogou", "https://www.sogou.com/antispider/?from=%2fweb"],
  ["so360", "https://qcaptcha.so.com/?ret=https%3A%2F%2Fwww.so.com"],
] as const)("%s that sends us to its captcha asks for one", async (id, url) => {
  await expect(providers[id].read(answer("<p>?</p>", url), reading)).rejects.toMatchObject({ code: "unavailable" })
})

test("a link without the address beside it is kept as it is", async () => {
  const page = '<div class="vrwrap"><h3><a href="/link?url=abc">Title</a></h3></div>'
  const [row] = await providers.sogou.read(answer(page, "https://www.sogou.com/web?query=x"), reading)
  expect(foundResult(row!, "https://www.sogou.com/web?query=x")?.url).toBe("https://www.sogou.com/link?url=abc")
})

test("advertisements of DuckDuckGo are dropped also where they look like results", async () => {
  const page = [
    "https://duckduckgo.com/y.js?ad_domain=a",
    "/l/?uddg=https%3A%2F%2Fexample.org%2F%3Fa%3D1%26b",
    "https://direct.example/",
  ]
    .map((href) => `<div class="result"><a class="result__a" href="${href}">t</a></div>`)
    .join("")
  const rows = await providers.ddg.read(answer(page), reading)
  expect(rows.map(({ url }) => url)).toEqual(["https://example.org/?a=1&b", "https://direct.example/"])
})

test("Wikipedia that refuses the query says why", async () => {
  const body = JSON.stringify({ error: { code: "cirrussearch-query-too-long", info: "Search request is too long" } })
  await expect(providers.wiki.read(answer(body), reading)).rejects.toThrow("Search request is too long")
})

const search = { text: "red apples", count: 30, timeoutMs: 1000 }

test("google is asked as its documentation says, with the engine of its endpoint", async () => {
  const access = {
    key: "k",
    base: "https://www.googleapis.com/customsearch/v1?cx=017576662512468239146:omuauf_lfve",
  }
  const { url, method, maxRedirects } = providers.google.request(search, access)
  const { origin, pathname, searchParams } = new URL(url)
  expect([origin, pathname, method, maxRedirects]).toEqual([
    "https://www.googleapis.com",
    "/customsearch/v1",
    undefined,
    0,
  ])
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ cx: "017576662512468239146:omuauf_lfve", q: "red apples", num: "10", key: "k" },
  })
  const bare = { key: "k", base: "https://www.googleapis.com/customsearch/v1" }
  expect(() => providers.google.request(search, bare)).toThrow("its endpoint names no search engine")
  const rows = await providers.google.read(answer(answerForms.google.found(usualRows("x"), "x")), reading)
  expect(rows.map(({ title, url, snippet }) => ({ title, url, snippet }))).toEqual(usualRows("x"))
  expect(await providers.google.read(answer(answerForms.google.nothing("x")), reading)).toEqual([])
})

test("baidu is asked as its documentation says, and a refusal with status 200 is one", async () => {
  const { url, method, headers, body, maxRedirects } = providers.baidu.request(search, {
    base: "https://qianfan.baidubce.com",
    key: "k",
  })
  expect([url, method, maxRedirects]).toEqual(["https://qianfan.baidubce.com/v2/ai_search/web_search", "POST", 0])
  expect(headers).toMatchObject({ authorization: "Bearer k", "content-type": "application/json" })
  expect(JSON.parse(body as string)).toEqual({
    messages: [{ role: "user", content: "red apples" }],
    search_source: "baidu_search_v2",
    resource_type_filter: [{ type: "web", top_k: 30 }],
  })
  const rows = await providers.baidu.read(answer(answerForms.baidu.found(usualRows("x"), "x")), reading)
  expect(rows.map(({ title, url, snippet }) => ({ title, url, snippet }))).toEqual(usualRows("x"))
  expect(rows[0]!.published).toBe("2025-04-27 18:02:00")
  const refusal = JSON.stringify({ request_id: "r", code: 216003, message: "Authentication error" })
  await expect(providers.baidu.read(answer(refusal), reading)).rejects.toThrow("it refused: Authentication error")
})
