import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { pipeline, Readable } from "node:stream"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { SessionNetwork } from "./create-network.js"
import { createByteSink } from "./read-body.js"
import { createGround, get, type Place, textOf } from "./testing/ground.js"

const ground = createGround()
const text = "content ".repeat(1000)
const answers: Record<string, (response: ServerResponse) => void> = {
  "/plain": (response) => response.end(text),
  "/gzip": encoded("gzip", gzipSync(text)),
  "/x-gzip": encoded("X-GZip", gzipSync(text)),
  "/members": encoded("gzip", Buffer.concat([gzipSync("one "), gzipSync("two")])),
  "/deflate": encoded("deflate", deflateSync(text)),
  "/bare-deflate": encoded("deflate", deflateRawSync(text)),
  "/br": encoded("br", brotliCompressSync(text)),
  "/twice": encoded("gzip, br", brotliCompressSync(gzipSync(text))),
  "/identity": encoded("identity", Buffer.from(text)),
  "/empty-gzip": encoded("gzip", Buffer.alloc(0)),
  "/zstd": encoded("zstd", Buffer.from("x")),
  "/many": encoded("gzip, gzip, gzip, gzip", Buffer.from("x")),
  "/damaged": encoded("gzip", Buffer.from("this is no gzip")),
  "/short": encoded("gzip", gzipSync(text).subarray(0, 40)),
  "/bomb": encoded("gzip", gzipSync(Buffer.alloc(50_000_000))),
  "/endless": endless(Buffer.alloc(16_384, "x")),
  "/endless-bomb": endless(gzipSync(Buffer.alloc(1_000_000)), { "content-encoding": "gzip" }),
  // Blocks without content: what comes in grows without end, what comes out stays empty.
  "/endless-nothing": endless(
    Buffer.from([0, 0, 0, 0xff, 0xff]),
    { "content-encoding": "gzip" },
    gzipSync("").subarray(0, 10),
  ),
  "/slow": (response) => response.write("a beginning"),
  "/204": (response) => response.writeHead(204).end(),
  "/304": (response) => response.writeHead(304, { "content-encoding": "gzip" }).end(),
  "/head": (response) => response.writeHead(200, { "content-length": "5000000", "content-encoding": "gzip" }).end(),
  "/names": (response) =>
    response
      .writeHead(404, "Not Here", [
        ...["Constructor", "a", "__proto__", "b", "Set-Cookie", "x=1", "set-cookie", "y=2"],
        ...["X-Twice", "1", "X-Twice", "2", "connection", "close"],
      ])
      .end("gone"),
}
let site: Place
let network: SessionNetwork

beforeAll(async () => {
  site = await ground.web((request, response) => answers[request.url!]!(response))
  network = ground.network({ netGrants: [`127.0.0.1:${site.port}`] })
})
afterAll(() => ground.close())

describe("bodies", () => {
  test.each(["/plain", "/gzip", "/x-gzip", "/deflate", "/bare-deflate", "/br", "/twice", "/identity"])(
    "%s comes without its encoding",
    async (path) => expect(textOf(await get(network, site.url + path))).toBe(text),
  )

  test("parts of a gzip body that stand one after the other are one body; an empty one is empty", async () => {
    expect(textOf(await get(network, `${site.url}/members`))).toBe("one two")
    expect(await get(network, `${site.url}/empty-gzip`)).toMatchObject({ body: new Uint8Array(0), cut: false })
  })

  test.each([
    ["/zstd", "unsupported"],
    ["/many", "backend"],
    ["/damaged", "backend"],
    ["/short", "backend"],
  ])("%s is a typed error", async (path, code) => {
    await expect(get(network, site.url + path)).rejects.toMatchObject({ code })
  })

  test.each(["/plain", "/gzip", "/bomb", "/endless", "/endless-bomb", "/endless-nothing"])(
    "%s past the limit is too large, or cut, and the connection ends",
    async (path) => {
      await expect(get(network, site.url + path, { maxBytes: 5000 })).rejects.toMatchObject({
        code: "too_large",
        message: expect.stringContaining("5000"),
      })
      const cut = await get(network, site.url + path, { maxBytes: 5000, past: "cut" })
      expect([cut.status, cut.cut, cut.body.length]).toEqual([200, true, path === "/endless-nothing" ? 0 : 5000])
    },
  )

  test("an endless body is hung up on", async () => {
    const place = await ground.web((_request, response) => answers["/endless"]!(response))
    const own = ground.network({ netGrants: [`127.0.0.1:${place.port}`] })
    const left = new Promise<void>((resolve) => {
      const look = () => (place.sockets.size === 0 ? resolve() : void [...place.sockets][0]!.once("close", look))
      get(own, place.url, { maxBytes: 10, past: "cut" }).then(look, look)
    })
    await left
    expect(place.visits()).toBe(1)
  })

  test("a body of exactly the limit is whole", async () => {
    for (const path of ["/plain", "/gzip", "/br"]) {
      expect(await get(network, site.url + path, { maxBytes: text.length })).toMatchObject({ cut: false })
    }
  })

  test("a slow body is a timeout", async () => {
    await expect(get(network, `${site.url}/slow`, { timeoutMs: 200 })).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("within 200 ms"),
    })
  })

  test("answers without a body have none", async () => {
    for (const [path, method] of [
      ["/204", "GET"],
      ["/304", "GET"],
      ["/head", "HEAD"],
    ] as const) {
      expect((await get(network, site.url + path, { method, maxBytes: 10 })).body).toHaveLength(0)
    }
  })

  test("another status is an answer; header names are data whatever they spell", async () => {
    const reply = await get(network, `${site.url}/names`)
    expect(reply).toMatchObject({ status: 404, statusText: "Not Here" })
    expect(Object.entries(reply.headers)).toEqual(
      expect.arrayContaining([
        ["constructor", "a"],
        ["__proto__", "b"],
        ["set-cookie", "x=1, y=2"],
        ["x-twice", "1, 2"],
      ]),
    )
  })

  test("a sink keeps the beginning of whatever comes in whatever pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.nat(300), (pieces, limit) => {
        const sink = createByteSink(limit)
        const all = pieces.flatMap((piece) => [...piece])
        const fits = pieces.map((piece) => sink.add(piece)).every(Boolean)
        expect([...sink.bytes()]).toEqual(all.slice(0, limit))
        expect(fits).toBe(all.length <= limit)
      }),
    )
  })
})

describe("answers that are no proper HTTP", () => {
  test.each([
    ["a body shorter than announced", "backend", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort"],
    ["chunks without sense", "backend", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZZ\r\nwhat\r\n"],
    ["chunks without end", "backend", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"],
    ["another protocol", "backend", "220 mail.example ESMTP ready\r\n"],
    ["noise", "backend", "\0\x01\x02\xff\xfe".repeat(100)],
    ["two lengths", "backend", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nabc"],
    ["nothing at all", "unavailable", ""],
    ["headers without end", "unavailable", "HTTP/1.1 200 OK\r\nx: y\r\n"],
    ["a megabyte of headers", "too_large", `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1000)}\r\n`.repeat(1000)}\r\n`],
    ["one endless header", "too_large", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_000_000)}`],
  ])("%s: %s", async (_name, code, bytes) => {
    const place = await ground.tcp((socket) => answerRaw(socket, (end) => end.end(bytes, "latin1")))
    const own = ground.network({ netGrants: [`127.0.0.1:${place.port}`] })
    const error = await get(own, place.url).catch((reason) => reason)
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(`Cannot fetch "${place.url}/"`)])
  })

  test("bytes after the end belong to nobody, not even to the next request", async () => {
    const place = await ground.tcp((socket) =>
      answerRaw(socket, (end) =>
        end.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil"),
      ),
    )
    const own = ground.network({ netGrants: [`127.0.0.1:${place.port}`] })
    for (let count = 0; count < 3; count++) expect(textOf(await get(own, place.url))).toBe("ok")
  })

  test("a connection that is reset in the middle of the body", async () => {
    const place = await ground.tcp((socket) =>
      answerRaw(socket, (end) =>
        end.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () =>
          setImmediate(() => end.resetAndDestroy()),
        ),
      ),
    )
    const own = ground.network({ netGrants: [`127.0.0.1:${place.port}`] })
    await expect(get(own, place.url)).rejects.toMatchObject({ code: expect.stringMatching(/backend|unavailable/) })
  })
})

function encoded(encoding: string, bytes: Buffer): (response: ServerResponse) => void {
  return (response) => void response.writeHead(200, { "content-encoding": encoding }).end(bytes)
}

function endless(piece: Buffer, headers = {}, first?: Buffer): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, headers)
    if (first) response.write(first)
    pipeline(Readable.from(forever(piece)), response, () => undefined)
  }
}

function* forever(piece: Buffer): Generator<Buffer> {
  for (;;) yield piece
}

function answerRaw(socket: Socket, answer: (socket: Socket) => void): void {
  let request = ""
  socket.on("data", (chunk) => {
    request += chunk.toString("latin1")
    if (!request.endsWith("\r\n\r\n")) return
    request = ""
    answer(socket)
  })
}
