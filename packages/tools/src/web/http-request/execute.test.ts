import { checkTool } from "@haft/testkit"
import fc from "fast-check"
import iconv from "iconv-lite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { examplePages, openWebBench, type WebBench } from "../../../test/web-bench.js"
import { httpRequest } from "./index.js"

let bench: WebBench
beforeAll(async () => {
  bench = await openWebBench(examplePages)
})
afterAll(() => bench.close())

const send = (path: string, more: object = {}) =>
  bench.run(httpRequest, { url: `${bench.server.origin}${path}`, ...more })

test("it conforms, and its examples run", async () => {
  const makeContext = () => ({ context: bench.context(httpRequest, "http://example.org") })
  expect(await checkTool(httpRequest, { folder: "http-request", makeContext })).toEqual([])
})

test("method, headers and body are sent as they are, secrets included", async () => {
  bench.server.pages.set("/echo", (request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      response.writeHead(201, { "content-type": "application/json", "X-One": "1" })
      response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
    })
  })
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const { data, text } = await send("/echo?token=x", { method, headers: { "X-Key": "k" }, body: "größe" })
    expect(data).toMatchObject({ status: 201, status_text: "Created", ok: true })
    expect(data.headers).toMatchObject({ "x-one": "1", "content-type": "application/json" })
    expect(JSON.parse(data.body)).toMatchObject({
      method,
      url: "/echo?token=x",
      headers: { "x-key": "k" },
      body: "größe",
    })
    expect(text).toMatch(/^201 Created\n.*x-one: 1\n.*\n\n\{/s)
  }
  expect(JSON.parse((await send("/echo")).data.body)).toMatchObject({ method: "GET", body: "" })
})

test("every status is an answer", async () => {
  for (const status of [204, 301, 400, 404, 418, 500]) {
    bench.server.pages.set("/status", { status, headers: {}, ...(status === 204 ? {} : { body: "words" }) })
    const { data } = await send("/status")
    expect([data.status, data.ok, data.body]).toEqual([status, status === 204, status === 204 ? "" : "words"])
  }
  expect((await send("/data.json", { method: "HEAD" })).data).toMatchObject({ status: 200, body: "" })
})

test("the body is text: in its charset, else UTF-8 with what is none replaced, else cut", async () => {
  const body = async (type: string, bytes: Uint8Array) => {
    bench.server.pages.set("/body", { headers: { "content-type": type }, body: bytes })
    return (await send("/body")).data
  }
  expect((await body("text/plain; charset=gbk", iconv.encode("你好", "gbk"))).body).toBe("你好")
  expect((await body("text/plain; charset=klingon", Buffer.from("ä"))).body).toBe("ä")
  expect((await body("image/png", Buffer.from([0x41, 0xff, 0x42]))).body).toBe("A\ufffdB")
  const large = await body("text/plain", Buffer.alloc(5 * 1024 * 1024 + 10, "x"))
  expect([large.cut, large.body.length]).toEqual([true, 5 * 1024 * 1024])
})

describe("headers", () => {
  test.each([
    ["Host", "other.org"],
    ["content-length", "5"],
    ["Connection", "close"],
    ["Transfer-Encoding", "chunked"],
    ["X-A", "b\r\nX-C: d"],
    ["X-A\r\nX-B", "c"],
    ["X A", "b"],
    ["", "b"],
  ])("%j: %j is refused and nothing is sent", async (name, value) => {
    const before = bench.server.requests.length
    expect((await failure(send("/data.json", { headers: { [name]: value } }))).code).toBe("invalid_args")
    expect(bench.server.requests).toHaveLength(before)
  })

  test("that are no map of texts do not fit the schema", () => {
    const parse = (headers: unknown) => httpRequest.manifest.input.safeParse({ url: "http://x/", headers })
    expect(parse({ a: "b" }).success).toBe(true)
    for (const headers of [{ a: { b: "c" } }, { a: 1 }, { a: null }, ["a"], "a"]) {
      expect(parse(headers).success).toBe(false)
    }
  })
})

test("time limits and hosts that may not be reached are typed failures", async () => {
  bench.server.pages.set("/slow", () => undefined)
  expect((await failure(send("/slow", { timeout_ms: 200 }))).code).toBe("timeout")
  expect((await failure(bench.run(httpRequest, { url: "http://127.0.0.1:1/" }))).code).toBe("denied")
})

test("rules see the method and the host", () => {
  const { subject, effects, input } = httpRequest.manifest
  const subjectOf = (call: object) => subject!(input.parse(call))
  expect(subjectOf({ url: "https://user:pw@API.example.org/x?y", method: "POST" })).toEqual({
    kind: "command",
    argv: ["POST", "api.example.org"],
  })
  expect(subjectOf({ url: "http://localhost:8080/" })).toEqual({ kind: "command", argv: ["GET", "localhost:8080"] })
  expect(effects(input.parse({ url: "http://localhost:8080/" }))).toEqual([
    { kind: "net.fetch", host: "localhost", port: 8080, method: "GET" },
  ])
  fc.assert(
    fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.webUrl()), (url) => {
      const call = { url, method: "GET" as const, timeout_ms: 20_000 }
      expect(subject!(call)).toMatchObject({ kind: "command", argv: ["GET", expect.any(String)] })
      // What the rules judge is one host exactly where the arguments fit.
      expect(effects(call)).toHaveLength(input.safeParse(call).success ? 1 : 0)
    }),
  )
})
