import { afterEach, expect, test } from "vitest"
import { openWebBench, type WebBench } from "../../../../../tools/test/web-bench.js"
import { cutText } from "./execute.js"
import { crawlPages } from "./index.js"

let bench: WebBench
afterEach(() => bench?.close())

const article = (title: string) => ({
  body: `<html><head><title>${title}</title></head><body><nav><a href="/x">Menu</a></nav><article><h1>${title}</h1><p>${"Words. ".repeat(60)}</p></article></body></html>`,
})

test("pages in the order asked for; one that fails does not fail the rest", async () => {
  bench = await openWebBench({
    "/a": article("A"),
    "/moved": { status: 302, headers: { location: "/a" } },
    "/plain": { headers: { "content-type": "text/plain" }, body: "just text" },
    "/image": { headers: { "content-type": "image/png" }, body: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]) },
    "/busy": { status: 503, body: "later" },
  })
  const { origin } = bench.server
  const urls = [...["/a", "/none", "/moved", "/plain", "/image", "/busy"].map((path) => origin + path), "nonsense"]
  const { data, text } = await bench.run(crawlPages, { urls })
  expect(data.failed).toBe(4)
  expect(
    data.pages.map(({ error_code, title, content }: Record<string, string>) => error_code ?? title ?? content),
  ).toEqual(["A", "not_found", "A", "just text", "unsupported", "unavailable", "invalid_args"])
  expect(data.pages[2]).toMatchObject({ url: `${origin}/moved`, final_url: `${origin}/a`, status: 200 })
  expect(data.pages[0].content).toContain("Words.")
  expect(text).toContain("[4 of 7 pages could not be read]")
})

test("a page that needs scripts is no success, and a secret in an address is not sent", async () => {
  bench = await openWebBench({
    "/app": { body: "<title>App</title><div id=root></div><script src=/a.js></script>" },
    "/a": article("A"),
  })
  const { origin, requests } = bench.server
  const { data } = await bench.run(crawlPages, { urls: [`${origin}/app`, `${origin}/a?token=s3cret&x=1`] })
  expect(data.pages[0]).toMatchObject({ content: "", error_code: "unsupported" })
  expect(data.pages[1].content).toContain("[Left out of the address before it was sent: token]")
  expect(requests.toSorted()).toEqual(["GET /a?x=1", "GET /app"])
})

test("an end of the caller ends all pages", async () => {
  bench = await openWebBench({ "/a": article("A") })
  const call = bench.run(crawlPages, { urls: [`${bench.server.origin}/a`] }, { signal: AbortSignal.abort() })
  await expect(call).rejects.toThrow()
})

test("long pages share the limit", async () => {
  bench = await openWebBench({ "/long": { headers: { "content-type": "text/plain" }, body: "é".repeat(5_000) } })
  const url = `${bench.server.origin}/long`
  const { data } = await bench.run(crawlPages, { urls: [url, url] }, { limit: 1_001 })
  expect(data.pages[0].content).toBe(`${"é".repeat(250)}\n[... 9500 bytes left out ...]`)
  expect(cutText("abc", 3)).toBe("abc")
})

test("every host is an effect of its own; what is no address is none", () => {
  const { effects } = crawlPages.manifest
  expect(effects({ urls: ["https://a.test/x", "http://b.test:81/", "nonsense"] })).toEqual([
    { kind: "net.fetch", host: "a.test", port: 443, method: "GET" },
    { kind: "net.fetch", host: "b.test", port: 81, method: "GET" },
  ])
})
