import { gzipSync } from "node:zlib"
import { checkTool } from "@haft/testkit"
import fc from "fast-check"
import iconv from "iconv-lite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { webDigest } from "../../../../dialects/src/claw/tools/web-digest/index.js"
import { failure } from "../../../test/failure.js"
import type { PageRoute } from "../../../test/page-server.js"
import { examplePages, openWebBench, type WebBench } from "../../../test/web-bench.js"
import { httpRequest } from "../http-request/index.js"
import { webFetch } from "./index.js"

let bench: WebBench
beforeAll(async () => {
  bench = await openWebBench(examplePages)
})
afterAll(() => bench.close())

const fetch = (path: string, more: object = {}) =>
  bench.run(webFetch, { url: `${bench.server.origin}${path}`, ...more })
const serve = (path: string, page: PageRoute) => bench.server.pages.set(path, page)
const html = (body: string | Uint8Array, type = "text/html"): PageRoute => ({ headers: { "content-type": type }, body })

test("it conforms, and its examples run", async () => {
  const makeContext = () => ({ context: bench.context(webFetch, "http://example.org") })
  expect(await checkTool(webFetch, { folder: "web-fetch", makeContext })).toEqual([])
})

describe("images", () => {
  const image = "https://tracker.test/p.png?who=you"

  test("of a page, of Markdown and of plain text are links", async () => {
    serve(
      "/images",
      html(`<main><article><p>Words before.</p><img src="${image}" alt="x"><p>Words after.</p></article></main>`),
    )
    serve("/readme.md", html(`![x](${image})\n\n![y][r]\n\n<img src="${image}">\n\n[r]: ${image}`, "text/plain"))
    serve("/notes", html(`see ![x](${image}) there`, "text/plain"))
    expect((await fetch("/images")).data.content).toContain(`[image: x](${image})`)
    for (const path of ["/images", "/readme.md", "/notes"]) {
      for (const format of ["markdown", "text"]) {
        const { data, text } = await fetch(path, { format })
        expect([path, format, data.content + text]).toEqual([path, format, expect.not.stringMatching(/!\[|<img/)])
      }
    }
    expect((await fetch("/images", { format: "html" })).data.content).toContain("<img")
  })
})

describe("a page", () => {
  const paragraphs = Array.from({ length: 30 }, (_, at) => `<p>Sentence ${at} of the story, long enough to count.</p>`)
  const page = `<!doctype html><html><head><title>Story</title></head><body><nav><a href=/home>Home</a></nav><main><article>${paragraphs.join("")}<pre><code class=language-js>let a</code></pre></article></main><footer>Footer</footer></body></html>`

  test("comes as the Markdown of its article, as text, or as it is", async () => {
    serve("/story", html(page))
    const { data, text } = await fetch("/story")
    expect(data).toMatchObject({
      url: `${bench.server.origin}/story`,
      status: 200,
      content_type: "text/html",
      title: "Story",
    })
    expect(data.content).toMatch(/^Sentence 0 .*```js\nlet a\n```$/s)
    expect(text).toMatch(/^Story\nhttp:\/\/127.0.0.1:\d+\/story\n\nSentence 0 /)
    expect((await fetch("/story", { format: "text" })).data.content).toMatch(/^Sentence 0 .*let a$/s)
    expect((await fetch("/story", { format: "html" })).data).toMatchObject({ content: page, title: "Story" })
  })

  test("is followed where it sends its readers, three times", async () => {
    for (const step of [1, 2, 3, 4]) {
      serve(`/r${step}`, html(`<meta http-equiv=refresh content="0;url=/r${step + 1}"><p>Step ${step}`))
    }
    const { data } = await fetch("/r1")
    expect([data.url, data.content]).toEqual([`${bench.server.origin}/r4`, "Step 4"])
    serve("/r0", html('<meta http-equiv=refresh content="0;url=/data.json">'))
    expect((await fetch("/r0")).data.content).toBe('{"bridges": 2}')
  })

  test("that sends its readers to a place that may not be reached is refused", async () => {
    serve("/away", html('<meta http-equiv=refresh content="0;url=http://127.0.0.1:1/">'))
    expect((await failure(fetch("/away"))).code).toBe("denied")
    serve("/file", html('<meta http-equiv=refresh content="0;url=file:///etc/passwd"><p>text'))
    expect((await fetch("/file")).data.content).toBe("text")
  })

  test("without a word says so", async () => {
    serve("/empty", html(""))
    expect((await fetch("/empty")).data.content).toBe("[The page is empty]")
    serve("/blank", html("<html><body> </body></html>"))
    expect((await fetch("/blank")).data.content).toBe("[The page is empty]")
    serve("/none", { status: 204 })
    expect((await fetch("/none")).data).toMatchObject({ status: 204, content: "[The page is empty]" })
  })

  test("that its scripts would write is an error that says so; its source is one option away", async () => {
    const error = await failure(fetch("/app"))
    expect([error.code, error.message]).toEqual([
      "unsupported",
      expect.stringMatching(/runs its scripts.*it says "App"/),
    ])
    expect((await fetch("/app", { format: "html" })).data.content).toContain("id=root")
  })

  test("that is moved is taken from its new place", async () => {
    serve("/old", { status: 301, headers: { location: "/story" } })
    const { data, state } = await fetch("/old")
    expect(data.url).toBe(`${bench.server.origin}/story`)
    expect(state()).toEqual({ redirects: [`${bench.server.origin}/old`] })
    const { state: asked } = await bench.run(httpRequest, { url: `${bench.server.origin}/old` })
    expect(asked()).toEqual({ redirects: [`${bench.server.origin}/old`], url: `${bench.server.origin}/story` })
  })
})

describe("the address", () => {
  test("loses secrets, user name and fragment before it is sent, and the content says so", async () => {
    serve("/q", html("<p>text"))
    const url = `http://me:pw@${bench.server.host}/q?a=1&Token=x&api-key=y&X-Amz-Signature=z&b=%20#part`
    const { data } = await bench.run(webFetch, { url })
    expect(bench.server.requests.at(-1)).toBe("GET /q?a=1&b=+")
    expect(data.url).toBe(`${bench.server.origin}/q?a=1&b=+`)
    expect(data.content).toBe("[Left out of the address before it was sent: Token, api-key, X-Amz-Signature]\n\ntext")
  })

  test("is sent as it is spelled where nothing is taken out", async () => {
    await fetch("/q?a=%20b&monkey=1&c")
    expect(bench.server.requests.at(-1)).toBe("GET /q?a=%20b&monkey=1&c")
  })

  test.each([
    "nothing",
    "ftp://example.org/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://",
    "//example.org",
    " ",
  ])("%s is a wrong argument, which nobody is asked to allow, and names no effect", (url) => {
    for (const { manifest } of [webFetch, httpRequest, webDigest]) {
      const problems = manifest.input.safeParse({ url, ...(manifest === webDigest.manifest && { prompt: "x" }) }).error
      expect(problems?.issues.map(({ path, message }) => [...path, message].join(": "))).toEqual([
        expect.stringMatching(/^url: (?:it is no address; write https:|only http and https are allowed)/),
      ])
    }
    expect(webFetch.manifest.effects({ url, format: "markdown", timeout: 30 })).toEqual([])
  })

  test("names its host and port as an effect, whatever the text is", () => {
    const effects = (url: string) => webFetch.manifest.effects({ url, format: "markdown", timeout: 30 })
    expect(effects("HTTPS://Example.ORG/x")).toEqual([
      { kind: "net.fetch", host: "example.org", port: 443, method: "GET" },
    ])
    expect(effects("http://0x7f.1:8080/")).toEqual([
      { kind: "net.fetch", host: "127.0.0.1", port: 8080, method: "GET" },
    ])
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (url) => {
        expect(effects(url).length).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe("other content", () => {
  test("texts come as they are", async () => {
    const cases: readonly [string, string][] = [
      ["text/plain", "a < b\n\n<p>no page</p>"],
      ["application/json; charset=utf-8", '{"a": "ä"}'],
      ["application/ld+json", "{}"],
      ["application/rss+xml", "<rss><title>x</title></rss>"],
      ["text/markdown", "# Title"],
      ["image/svg+xml", "<svg></svg>"],
      ["application/x-unknown", "some words"],
    ]
    for (const [type, body] of cases) {
      serve("/text", html(body, type))
      const { data } = await fetch("/text")
      expect([data.content, data.content_type]).toEqual([body, type.split(";")[0]])
    }
  })

  test("without a type it is what it looks like", async () => {
    serve("/bare", { headers: {}, body: "<!doctype html><title>T</title><p>text" })
    expect((await fetch("/bare")).data).toMatchObject({ content_type: "text/html", title: "T", content: "text" })
    serve("/bare", { headers: { "content-type": "application/octet-stream" }, body: "plain words" })
    expect((await fetch("/bare")).data.content).toBe("plain words")
  })

  test("a PDF comes as its text", async () => {
    serve("/pdf", html(smallPdf("Hello from a page"), "application/octet-stream"))
    expect((await fetch("/pdf")).data).toMatchObject({ content_type: "application/pdf", content: "Hello from a page" })
    serve("/pdf", html("%PDF-1.7 broken", "application/pdf"))
    expect((await failure(fetch("/pdf"))).code).toBe("unsupported")
  })

  test.each([
    ["image/png", Buffer.from("\x89PNG\r\n\x1a\n...", "latin1")],
    ["text/html", Buffer.from("\xff\xd8\xff\xe0...", "latin1")],
    ["audio/mpeg", Buffer.from("ID3 text")],
    ["application/zip", Buffer.from("PK\x03\x04\0\0\0\0\0\0\0\0", "latin1")],
    ["text/plain", Buffer.from([0, 1, 2, 3, 0, 0, 0, 255, 254, 0, 0, 1, 2, 3, 4])],
  ])("%s that is no text is an error that names what it is", async (type, body) => {
    serve("/binary", html(body, type))
    const error = await failure(fetch("/binary"))
    expect(error.code).toBe("unsupported")
    expect(error.message).toMatch(new RegExp(`no text but [a-z]+/[a-z-]+, ${body.length} bytes`))
  })

  test("more than 5 MB is too large", async () => {
    serve("/large", html("x".repeat(5 * 1024 * 1024 + 1)))
    expect((await failure(fetch("/large"))).code).toBe("too_large")
  })
})

test("a compressed page with the wrong charset is read", async () => {
  const page = '<meta charset="gbk"><title>标题</title><p>你好，世界。这是一个简单的例子</p>'
  const headers = { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" }
  serve("/gzip", { headers, body: gzipSync(iconv.encode(page, "gbk")) })
  expect((await fetch("/gzip")).data).toMatchObject({ title: "标题", content: "你好，世界。这是一个简单的例子" })
})

describe("failures", () => {
  test.each([
    [404, "not_found"],
    [410, "not_found"],
    [429, "rate_limited"],
    [500, "unavailable"],
    [503, "unavailable"],
    [403, "backend"],
    [418, "backend"],
  ])("status %i is %s, with what the server says", async (status, code) => {
    const headers = { "content-type": "text/html", "retry-after": "7" }
    serve("/status", { status, headers, body: "<title>x</title><h1>Oh dear</h1><p>Not today.</p>" })
    const error = await failure(fetch("/status"))
    expect(error.code).toBe(code)
    expect(error.message).toContain(`the server answers ${status}`)
    expect(error.message).toContain("Oh dear Not today.")
    if (status === 429) expect([error.hint, error.details]).toEqual(["Wait 7 seconds", { retry_after: "7" }])
  })

  test("a server that does not answer in time, and a call that is given up", async () => {
    serve("/slow", () => undefined)
    expect((await failure(fetch("/slow", { timeout: 1 }))).code).toBe("timeout")
    const controller = new AbortController()
    const given = bench.run(webFetch, { url: `${bench.server.origin}/slow` }, { signal: controller.signal })
    controller.abort()
    expect((await failure(given)).code).toBe("cancelled")
  })
})

test("20,000 nested elements are read while other calls go on", async () => {
  serve("/deep", html(`<p>before</p>${"<div>".repeat(20_000)}deep`))
  const pages = await Promise.all([fetch("/deep"), fetch("/story"), fetch("/deep"), fetch("/story")])
  expect(pages.map(({ data }) => data.content.includes("deep") || data.content.includes("Sentence 0"))).toEqual([
    true,
    true,
    true,
    true,
  ])
})

test("any bytes under any type are a page or a typed failure", async () => {
  const type = fc.constantFrom(
    "text/html",
    "text/plain; charset=gbk",
    "application/xml; charset=utf-16",
    "",
    "a/b",
    "image/x",
    "text/html; charset=",
    ";;",
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string().map((text) => Buffer.from(`<p>${text}`)),
  )
  await fc.assert(
    fc.asyncProperty(type, bytes, async (name, body) => {
      serve("/any", { headers: name === "" ? {} : { "content-type": name }, body })
      const end = await fetch("/any").catch((error: { code?: string }) => error.code)
      if (typeof end === "string") expect(["unsupported"]).toContain(end)
      else expect(end).toHaveProperty("data.content", expect.stringMatching(/./s))
    }),
    { numRuns: 150 },
  )
})

function smallPdf(words: string): string {
  const stream = `BT /F1 24 Tf 72 700 Td (${words}) Tj ET`
  return [
    "%PDF-1.4",
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj",
    `4 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj`,
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
    "trailer<</Root 1 0 R>>",
    "%%EOF",
  ].join("\n")
}
