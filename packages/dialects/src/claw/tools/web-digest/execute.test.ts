import { checkTool } from "@haft/testkit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { examplePages, openWebBench, type WebBench } from "../../../../../tools/test/web-bench.js"
import { webDigest } from "./index.js"
import { secureAddress } from "./secure-address.js"

let bench: WebBench
beforeAll(async () => {
  bench = await openWebBench(examplePages)
})
afterAll(() => bench.close())

const digest = (path: string, prompt: string) => bench.run(webDigest, { url: `${bench.server.origin}${path}`, prompt })

test("it conforms, and its examples run", async () => {
  const makeContext = () => ({ context: bench.context(webDigest, "http://localhost") })
  expect(await checkTool(webDigest, { folder: "web-digest", makeContext })).toEqual([])
})

test("the preview has 900 characters, and bytes and time are said", async () => {
  const body = `<p>${"字".repeat(2_000)}`
  bench.server.pages.set("/long", { headers: { "content-type": "text/html; charset=utf-8" }, body })
  const { data } = await digest("/long", "x".repeat(500))
  const [first, prompt, label, preview] = data.result.split("\n")
  expect([first, prompt, label]).toEqual([`Fetched ${data.url}`, `Prompt: ${"x".repeat(200)}…`, "Content preview:"])
  expect(preview).toBe(`${"字".repeat(900)}…`)
  expect(data).toMatchObject({ bytes: Buffer.byteLength(body), code: 200, code_text: "OK" })
  expect(data.duration_ms).toBeGreaterThanOrEqual(0)
})

test("a title that is asked for and missing is the beginning of the page", async () => {
  bench.server.pages.set("/untitled", { body: "<p>Only text" })
  expect((await digest("/untitled", "the TITLE please")).data.result).toMatch(/Content preview:\nOnly text$/)
  expect((await digest("/app", "what is there")).data.result).toContain("runs its scripts")
})

test("ten redirects are followed", async () => {
  for (let step = 0; step < 12; step += 1) {
    bench.server.pages.set(`/m${step}`, { status: 302, headers: { location: `/m${step + 1}` } })
  }
  bench.server.pages.set("/m12", { body: "<title>There</title>" })
  expect((await digest("/m2", "title")).data.result).toMatch(/Title: There$/)
  expect(await failure(digest("/m1", "title"))).toBeDefined()
})

test("http becomes https, but for this machine", () => {
  expect(secureAddress("http://example.org/a?b")).toBe("https://example.org/a?b")
  expect(secureAddress("http://example.org:8080/")).toBe("https://example.org:8080/")
  expect(secureAddress("https://example.org/")).toBe("https://example.org/")
  for (const url of ["http://localhost:1/", "http://127.0.0.1/", "http://[::1]/", "nothing"])
    expect(secureAddress(url)).toBe(url)
  const effects = (url: string) => webDigest.manifest.effects({ url, prompt: "" })
  expect(effects("http://example.org/")).toEqual([{ kind: "net.fetch", host: "example.org", port: 443, method: "GET" }])
  expect(effects("nothing")).toEqual([])
})
