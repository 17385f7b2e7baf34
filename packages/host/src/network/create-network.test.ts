import { once } from "node:events"
import { createServer as createTlsServer } from "node:https"
import type { Socket } from "node:net"
import type { HttpRequest } from "@haft/contract"
import { afterAll, describe, expect, test } from "vitest"
import { certificate, privateKey } from "../proxy/testing/certificate.js"
import { createNetwork } from "./create-network.js"
import { createCall, createGround, get, textOf } from "./testing/ground.js"

// Node may have one of its own; what matters is that a request leaves it alone.
const dispatcher = Symbol.for("undici.globalDispatcher.1")
const dispatcherBefore: unknown = Reflect.get(globalThis, dispatcher)

const ground = createGround()
afterAll(() => ground.close())

const grantFor = (...ports: readonly number[]) => ports.map((port) => `127.0.0.1:${port}`)

const malformed: readonly (Partial<HttpRequest> & { readonly url: string })[] = [
  { url: "no address" },
  { url: "" },
  { url: "file:///etc/passwd" },
  { url: "ftp://site.example/" },
  { url: "http://" },
  { url: "http://site.example:0/" },
  { url: "http://a..b/" },
  { url: "http://x/", method: "get" },
  { url: "http://x/", method: "CONNECT" },
  { url: "http://x/", method: "GET / HTTP/1.1\r\nx: y" },
  { url: "http://x/", headers: { host: "other.example" } },
  { url: "http://x/", headers: { "Transfer-Encoding": "chunked" } },
  { url: "http://x/", headers: { "content-length": "3" } },
  { url: "http://x/", headers: { a: "b\r\nc: d" } },
  { url: "http://x/", headers: { "a b": "c" } },
  { url: "http://x/", headers: { a: "名" } },
  { url: "http://x/", timeoutMs: 0 },
  { url: "http://x/", maxBytes: -1 },
  { url: "http://x/", maxRedirects: Number.NaN },
  { url: "http://x/", connectTimeoutMs: Number.NaN },
  { url: "http://x/", proxy: "ftp://x/" },
  { url: "http://x/", proxy: "x:1" },
]

describe("requests", () => {
  test("a request goes out as it was asked for, with plain headers of its own", async () => {
    const place = await ground.web(async (request, response) => {
      const body = await request.reduce((text: string, chunk: Buffer) => text + chunk, "")
      response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
    })
    const network = ground.network({ netGrants: grantFor(place.port) })
    const call = createCall()
    const reply = await network.network(call).fetch({
      url: `${place.url}/a%20b/ü?q=1 2#part`,
      method: "POST",
      headers: { "X-One": "1", ACCEPT: "text/html" },
      body: "grüße",
      timeoutMs: 30_000,
      maxBytes: 10_000,
    })
    expect(JSON.parse(textOf(reply))).toEqual({
      method: "POST",
      url: "/a%20b/%C3%BC?q=1%202",
      headers: {
        host: `127.0.0.1:${place.port}`,
        connection: "keep-alive",
        "user-agent": "Haft",
        accept: "text/html",
        "accept-encoding": "gzip, deflate, br",
        "x-one": "1",
        "content-length": "7",
      },
      body: "grüße",
    })
    expect(reply).toMatchObject({
      url: `${place.url}/a%20b/%C3%BC?q=1%202`,
      status: 200,
      statusText: "OK",
      redirects: [],
    })
    expect(call.effects).toEqual([{ kind: "net.fetch", host: "127.0.0.1", port: place.port }])
  })

  test.each(malformed)("refused before anything happens: %o", async (request) => {
    const network = ground.network({ netGrants: ["x", "site.example"], resolve: async () => ["127.0.0.1"] })
    await expect(get(network, request.url, request)).rejects.toMatchObject({
      code: "invalid_args",
      message: expect.stringMatching(/^Cannot fetch ".*": ./),
    })
  })

  test("a grant without a port is for 80 and 443; what is no grant is said at once", async () => {
    const network = ground.network({ netGrants: ["site.example", "[::1]"], resolve: async () => ["127.0.0.1"] })
    // Port 80 and 443 have no listener here, or one of the machine's own; either way nobody refuses.
    for (const url of ["http://site.example/", "https://site.example/", "http://[::1]/"]) {
      const code = await get(network, url, { method: "HEAD" }).then(
        () => "reached",
        (error) => error.code,
      )
      expect(["reached", "unavailable", "backend"]).toContain(code)
    }
    await expect(get(network, "http://site.example:8080/")).rejects.toMatchObject({ code: "denied" })
    expect(() => createNetwork({ netGrants: ["http://x"] })).toThrow('Cannot grant "http://x"')
    expect(() => createNetwork({ netGrants: [], proxy: { http: "ftp://me:secret@x" } })).toThrow(
      'Cannot use the proxy "ftp://x',
    )
  })

  test("nobody listening and a name without an address are typed, with a next step", async () => {
    // The system gives this port to nobody who asks for any.
    const gone = "http://127.0.0.1:1/"
    const network = ground.network({ netGrants: grantFor(1) })
    await expect(get(network, gone)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("refuses connections"),
      hint: expect.any(String),
    })
    await expect(get(network, "http://nowhere.example/")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("has no address"),
      hint: expect.any(String),
    })
  })

  test("https: a certificate must be trusted and of the host", async () => {
    const place = await ground.serve(
      createTlsServer({ key: privateKey, cert: certificate }, (_request, response) => response.end("secure")),
    )
    const options = {
      netGrants: [`site.example:${place.port}`, `other.example:${place.port}`],
      resolve: async () => ["127.0.0.1"],
    }
    const trusting = ground.network({ ...options, authorities: [certificate] })
    expect(textOf(await get(trusting, `https://site.example:${place.port}/`))).toBe("secure")
    expect(textOf(await get(trusting, `https://SITE.example.:${place.port}/`))).toBe("secure")
    for (const [network, url] of [
      [ground.network(options), `https://site.example:${place.port}/`],
      [trusting, `https://other.example:${place.port}/`],
    ] as const) {
      await expect(get(network, url)).rejects.toMatchObject({
        code: "backend",
        message: expect.stringContaining("certificate"),
      })
    }
    const plain = await ground.web((_request, response) => response.end())
    const network = ground.network({ netGrants: grantFor(plain.port) })
    await expect(get(network, `https://127.0.0.1:${plain.port}/`)).rejects.toMatchObject({
      code: expect.stringMatching(/backend|unavailable/),
    })
  })
})

describe("connections", () => {
  // Elsewhere this machine has one loopback address only.
  test.runIf(process.platform === "linux")(
    "are used again, but only for an address that was judged this time too",
    async () => {
      const [first, second] = await sameGround()
      let answer = ["127.0.0.1"]
      let lookups = 0
      const network = ground.network({
        netGrants: [`site.example:${first.port}`],
        resolve: async () => {
          lookups += 1
          return answer
        },
      })
      const url = `http://site.example:${first.port}/`
      expect(textOf(await get(network, url))).toBe("first")
      expect(textOf(await get(network, url))).toBe("first")
      expect([first.visits(), lookups]).toEqual([1, 2])
      // The name leads elsewhere now; what is dialled is what this request was told, and it was told once.
      answer = ["127.0.0.2"]
      expect(textOf(await get(network, url))).toBe("second")
      expect([first.visits(), second.visits(), lookups]).toEqual([1, 1, 3])
    },
  )

  test("that were closed meanwhile are made again; what may not be sent twice never meets one", async () => {
    const place = await ground.web((request, response) => response.end(request.method))
    const network = ground.network({ netGrants: grantFor(place.port) })
    expect(textOf(await get(network, place.url))).toBe("GET")
    const [socket] = place.sockets
    await once(socket!.destroy(), "close")
    expect(textOf(await get(network, place.url))).toBe("GET")
    expect(textOf(await get(network, place.url, { method: "POST", body: "x" }))).toBe("POST")
    expect(place.visits()).toBe(3)
  })

  test("fifty at once are fifty answers, and one that fails harms no other", async () => {
    const place = await ground.web((request, response) => {
      if (request.url === "/7") response.destroy()
      else response.end(request.url)
    })
    const network = ground.network({ netGrants: grantFor(place.port) })
    const replies = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, index) => textOf(await get(network, `${place.url}/${index}`))),
    )
    expect(replies.map((reply) => (reply.status === "fulfilled" ? reply.value : "failed"))).toEqual(
      Array.from({ length: 50 }, (_, index) => (index === 7 ? "failed" : `/${index}`)),
    )
  })

  test("end with the session, and so do the requests on them", async () => {
    const waiting = await ground.web(() => undefined)
    const idle = await ground.web((_request, response) => response.end("x"))
    const network = ground.network({ netGrants: grantFor(waiting.port, idle.port) })
    await get(network, idle.url)
    const [kept] = idle.sockets
    const ended = once(kept!, "close")
    const pending = get(network, waiting.url).catch((error) => error)
    while (waiting.visits() === 0) await new Promise((resolve) => setImmediate(resolve))
    await network.close()
    expect(await pending).toMatchObject({ code: "cancelled", message: expect.stringContaining("session was closed") })
    await ended
    await expect(get(network, idle.url)).rejects.toMatchObject({ code: "cancelled" })
  })

  test("no dispatcher of the process is touched", async () => {
    expect(Reflect.get(globalThis, dispatcher)).toBe(dispatcherBefore)
  })
})

describe("giving up", () => {
  const stages = {
    "while the name is looked up": {
      resolve: () => new Promise<never>(() => undefined),
      url: () => "http://slow.example/",
    },
    "while the connection is made": { url: (port: number) => `https://127.0.0.1:${port}/` },
    "before the answer": { url: (port: number) => `http://127.0.0.1:${port}/` },
    "in the middle of the body": {
      greeting: "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf",
      url: (port: number) => `http://127.0.0.1:${port}/`,
    },
  }
  test.each(Object.entries(stages))("%s ends at once and leaves no connection", async (name, stage) => {
    let onReached: (socket: Socket | undefined) => void = () => undefined
    const reached = new Promise<Socket | undefined>((resolve) => {
      onReached = resolve
    })
    const place = await ground.tcp((socket) =>
      socket.once("data", () => {
        if ("greeting" in stage) socket.write(stage.greeting, () => onReached(socket))
        else onReached(socket)
      }),
    )
    const network = ground.network({
      netGrants: grantFor(place.port),
      ...("resolve" in stage && { resolve: stage.resolve }),
    })
    if (name.includes("name")) onReached(undefined)
    const giving = new AbortController()
    const pending = network
      .network(createCall({ signal: giving.signal }))
      .fetch({ url: stage.url(place.port), timeoutMs: 600_000, maxBytes: 1000 })
      .catch((error) => error)
    const socket = await reached
    const left = socket && new Promise((resolve) => socket.once("close", resolve))
    socket?.on("end", () => socket.end())
    giving.abort()
    expect(await pending).toMatchObject({ code: "cancelled", message: expect.stringContaining("was cancelled") })
    await left
    expect(place.sockets.size).toBe(0)
  })

  test("a call that is over already sends nothing", async () => {
    const place = await ground.web((_request, response) => response.end())
    const network = ground.network({ netGrants: grantFor(place.port) })
    const call = createCall({ signal: AbortSignal.abort() })
    await expect(network.network(call).fetch({ url: place.url, timeoutMs: 1000, maxBytes: 1 })).rejects.toMatchObject({
      code: "cancelled",
    })
    expect([place.visits(), call.effects.length]).toEqual([0, 0])
  })

  test("time runs out in every stage as a timeout", async () => {
    const silent = await ground.tcp(() => undefined)
    const network = ground.network({
      netGrants: grantFor(silent.port),
      resolve: () => new Promise<never>(() => undefined),
    })
    for (const url of [silent.url, silent.url.replace("http", "https"), "http://slow.example/"]) {
      await expect(get(network, url, { timeoutMs: 100 })).rejects.toMatchObject({ code: "timeout" })
    }
    await expect(get(network, silent.url.replace("http", "https"), { connectTimeoutMs: 50 })).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("within 50 ms"),
    })
  })
})

/** Two listeners at the same port of two addresses of this machine. */
async function sameGround() {
  for (;;) {
    const first = await ground.web((_request, response) => response.end("first"), "127.0.0.1")
    try {
      return [first, await ground.web((_request, response) => response.end("second"), "127.0.0.2", first.port)] as const
    } catch (error) {
      // The port is taken at the other address; another one will be free.
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error
    }
  }
}
