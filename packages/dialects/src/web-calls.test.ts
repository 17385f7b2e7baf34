import { text } from "node:stream/consumers"
import { afterAll, beforeAll, expect, test } from "vitest"
import { httpRequest } from "../../tools/src/web/http-request/index.js"
import { type LoopbackBench, openLoopbackBench } from "../../tools/test/loopback-bench.js"
import { speak } from "../test/dialect-bench.js"
import { asyar } from "./asyar/asyar.js"
import { claw } from "./claw/claw.js"
import { webDigest } from "./claw/tools/web-digest/index.js"

let bench: LoopbackBench

beforeAll(async () => {
  bench = await openLoopbackBench(async (request, response) => {
    if (request.url === "/page") {
      response.setHeader("Content-Type", "text/html; charset=utf-8")
      const words = "word ".repeat(400)
      response.end(`<html><head><title>The &amp; title</title></head><body><p>${words}</p></body></html>`)
      return
    }
    if (request.url === "/binary") return void response.end(Buffer.from([0x61, 0xff, 0x62]))
    if (request.url === "/moved") return void response.writeHead(302, { Location: "/page" }).end()
    const body = await text(request)
    response.writeHead(request.url === "/teapot" ? 418 : 200, { "X-Seen": "yes", "Content-Type": "application/json" })
    response.end(JSON.stringify({ method: request.method, header: request.headers["x-mine"], body }))
  })
})
afterAll(() => bench.close())

const inAsyar = speak(asyar, [httpRequest], () => bench)
const inClaw = speak(claw, [webDigest], () => bench)
const fetched = async (path: string, input: object = {}) => {
  const { value, success } = await inAsyar("builtin:web-fetch", { url: `${bench.address}${path}`, ...input })
  expect(success, JSON.stringify(value)).toBe(true)
  return value as { status: number; statusText: string; headers: Record<string, string>; body: string; ok: boolean }
}

test("builtin:web-fetch: the response as it is, header names in lower case", async () => {
  const response = await fetched("/", { method: "POST", headers: { "X-Mine": "1" }, body: "hi" })
  expect(Object.keys(response)).toEqual(["status", "statusText", "headers", "body", "ok"])
  expect(response).toMatchObject({ status: 200, statusText: "OK", ok: true, headers: { "x-seen": "yes" } })
  expect(JSON.parse(response.body)).toEqual({ method: "POST", header: "1", body: "hi" })
})

test("builtin:web-fetch: any status is a value, an unknown method is GET, bytes are replaced", async () => {
  expect(await fetched("/teapot")).toMatchObject({ status: 418, ok: false })
  expect(JSON.parse((await fetched("/", { method: "TRACE" })).body).method).toBe("GET")
  expect(JSON.parse((await fetched("/", { method: "post" })).body).method).toBe("GET")
  expect((await fetched("/binary")).body).toBe("a\ufffdb")
})

test("builtin:web-fetch: what cannot be reached or sent is an error", async () => {
  const error = async (input: object) => (await inAsyar("builtin:web-fetch", input)).value
  expect(await error({ url: "no address" })).toMatchObject({ error: { code: "invalid_args" } })
  expect(await error({ url: bench.address, headers: { a: { b: "c" } } })).toMatchObject({
    error: { code: "invalid_args" },
  })
  expect(await error({ url: "http://127.0.0.1:9/" })).toMatchObject({ error: { code: expect.any(String) } })
})

test("WebFetch: the title when it is asked for, else how the page begins", async () => {
  const digest = async (path: string, prompt: string) => {
    const { value, success } = await inClaw("WebFetch", { url: `${bench.address}${path}`, prompt })
    expect(success, value as string).toBe(true)
    return JSON.parse(value as string)
  }
  const title = await digest("/moved", "What is the title?")
  expect(Object.keys(title)).toEqual(["bytes", "code", "codeText", "result", "durationMs", "url"])
  expect(title).toMatchObject({ code: 200, codeText: "OK", url: `${bench.address}/page` })
  expect(title.result).toContain("Title: The & title")
  const preview = await digest("/page", "What is it about?")
  expect(preview.result).toContain("word word word")
  expect(preview.result.length).toBeLessThan(1_200)
  expect(preview.bytes).toBeGreaterThan(2_000)
})
