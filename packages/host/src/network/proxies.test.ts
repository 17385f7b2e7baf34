import { createServer as createHttpsServer } from "node:https"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { certificate, privateKey } from "../proxy/testing/certificate.js"
import { createCall, createGround, get, type Place, textOf } from "./testing/ground.js"
import { serveHttpProxy, serveSocksProxy } from "./testing/upstream-proxies.js"

const ground = createGround()
let plain: Place
let secure: Place
let httpProxy: Place
let socksProxy: Place
/** What the proxies were asked for. */
const asked: string[] = []

beforeAll(async () => {
  plain = await ground.web((request, response) => {
    if (request.url === "/inner") response.writeHead(302, { location: "http://169.254.169.254/" }).end()
    else response.end(`plain ${request.headers.host}`)
  })
  secure = await ground.serve(
    createHttpsServer({ key: privateKey, cert: certificate }, (_request, response) => response.end("secure")),
  )
  httpProxy = await ground.tcp((socket) => void serveHttpProxy(socket, asked).catch(() => socket.destroy()))
  socksProxy = await ground.tcp((socket) => void serveSocksProxy(socket, asked).catch(() => socket.destroy()))
})
afterAll(() => ground.close())

const grants = () => [httpProxy, socksProxy].map(({ port }) => `127.0.0.1:${port}`)
const proxies = () => ({
  http: `http://127.0.0.1:${httpProxy.port}`,
  login: `http://me:p%40ss@127.0.0.1:${httpProxy.port}`,
  socks: `socks5://127.0.0.1:${socksProxy.port}`,
  socksLogin: `socks5h://me:p%40ss@127.0.0.1:${socksProxy.port}`,
})

describe("a proxy that the request names", () => {
  test.each(["http", "login", "socks", "socksLogin"] as const)("%s carries http and https by name", async (which) => {
    const network = ground.network({
      netGrants: grants(),
      authorities: [certificate],
      // Names belong to the proxy: nobody asks for them here.
      resolve: () => Promise.reject(new Error("asked")),
    })
    asked.length = 0
    const proxy = proxies()[which]
    const call = createCall()
    const bounds = { timeoutMs: 30_000, maxBytes: 1000, proxy }
    const site = `site.example:${plain.port}`
    expect(textOf(await network.network(call).fetch({ url: `http://${site}/`, ...bounds }))).toBe(`plain ${site}`)
    expect(textOf(await network.network(call).fetch({ url: `http://${site}/`, ...bounds }))).toBe(`plain ${site}`)
    const https = await network.network(call).fetch({ url: `https://site.example:${secure.port}/`, ...bounds })
    expect(textOf(https)).toBe("secure")
    const login = which.toLowerCase().includes("login") ? " as me:p@ss" : ""
    expect(new Set(asked)).toEqual(new Set([`${site}${login}`, `site.example:${secure.port}${login}`]))
    const proxyPort = which.startsWith("socks") ? socksProxy.port : httpProxy.port
    expect(call.effects.slice(0, 2)).toEqual([
      { kind: "net.fetch", host: "127.0.0.1", port: proxyPort },
      { kind: "net.fetch", host: "site.example", port: plain.port },
    ])
  })

  test("[C2-87] is a destination itself: judged by the grant and by its address", async () => {
    const visits = httpProxy.visits()
    const { http: proxy, login } = proxies()
    const unnamed = ground.network({})
    await expect(get(unnamed, "http://site.example/", { proxy: login })).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining("127.0.0.1 is not a public address"),
    })
    const named = ground.network({ netGrants: grants() })
    const call = createCall({
      admitsHost: (host) =>
        host === "site.example" ? { allowed: true } : { allowed: false, reason: `no rule allows ${host}` },
    })
    await expect(
      named.network(call).fetch({ url: "http://site.example/", proxy, timeoutMs: 30_000, maxBytes: 10 }),
    ).rejects.toMatchObject({ code: "denied", message: expect.stringContaining("no rule allows 127.0.0.1") })
    expect(call.effects).toEqual([])
    expect(httpProxy.visits()).toBe(visits)
  })

  test("[C2-88] is not asked for addresses that are not public, nor for this machine, nor after a redirect", async () => {
    const network = ground.network({ netGrants: grants() })
    for (const proxy of [proxies().http, proxies().socks]) {
      const visits = [httpProxy.visits(), socksProxy.visits()]
      for (const host of [
        "127.0.0.1",
        "0x7f.1",
        "169.254.169.254",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "localhost",
        "a.localhost.",
      ]) {
        await expect(get(network, `http://${host}/`, { proxy })).rejects.toMatchObject({ code: "denied" })
        await expect(get(network, `https://${host}/`, { proxy })).rejects.toMatchObject({ code: "denied" })
      }
      expect([httpProxy.visits(), socksProxy.visits()]).toEqual(visits)
      const error = await get(network, `http://site.example:${plain.port}/inner`, { proxy }).catch((reason) => reason)
      expect(error).toMatchObject({ code: "denied", message: expect.stringContaining("169.254.169.254") })
    }
  })

  test("that refuses, or is none, is a typed error without its password", async () => {
    const deaf = await ground.tcp((socket) => socket.on("data", () => socket.end("what?\r\n\r\n")))
    const mute = await ground.tcp((socket) => socket.on("data", () => socket.destroy()))
    const network = ground.network({ netGrants: [...grants(), `127.0.0.1:${deaf.port}`, `127.0.0.1:${mute.port}`] })
    const wrong = (scheme: string, port: number) => `${scheme}://me:hidden@127.0.0.1:${port}`
    for (const [url, proxy] of [
      ["https://refused.example/", wrong("http", httpProxy.port)],
      ["https://refused.example/", wrong("socks5", socksProxy.port)],
      ["http://site.example/", wrong("socks5", socksProxy.port)],
      ["https://site.example/", wrong("http", deaf.port)],
      ["http://site.example/", wrong("http", deaf.port)],
      ["http://site.example/", wrong("socks5", deaf.port)],
      ["https://site.example/", wrong("http", mute.port)],
      ["http://site.example/", wrong("socks5", mute.port)],
    ] as const) {
      const error = await get(network, url, { proxy }).catch((reason) => reason)
      expect([proxy, error.code]).toEqual([proxy, expect.stringMatching(/^(backend|unavailable)$/)])
      expect(error.message).toContain("127.0.0.1:")
      expect(error.message).not.toContain("hidden")
    }
    await expect(get(network, "http://x.example/", { proxy: "socks4://me:hidden@x" })).rejects.toThrow(
      '"socks4://x" is no proxy',
    )
  })

  test("that is silent runs into the time for connections", async () => {
    const silent = await ground.tcp(() => undefined)
    const network = ground.network({ netGrants: [`127.0.0.1:${silent.port}`] })
    for (const proxy of [`http://127.0.0.1:${silent.port}`, `socks5://127.0.0.1:${silent.port}`]) {
      await expect(get(network, "https://site.example/", { proxy, connectTimeoutMs: 50 })).rejects.toMatchObject({
        code: "timeout",
      })
    }
  })
})

describe("proxies of the configuration", () => {
  test("are used without a grant of their own, except where they are told not to be", async () => {
    asked.length = 0
    const http = proxies().http
    const network = ground.network({
      proxy: { http, noProxy: ["direct.example", ".inner.example", `only.example:${plain.port}`] },
      netGrants: ["direct", "a.inner", "only"].map((name) => `${name}.example:${plain.port}`),
      resolve: async () => ["127.0.0.1"],
    })
    const hosts = ["site.example", "direct.example", "a.inner.example", "only.example"]
    for (const host of hosts) {
      expect(textOf(await get(network, `http://${host}:${plain.port}/`))).toBe(`plain ${host}:${plain.port}`)
    }
    expect(asked).toEqual([`site.example:${plain.port}`])
  })

  test("are never asked for places of this machine, and the environment names none", async () => {
    asked.length = 0
    const before = process.env.http_proxy
    process.env.http_proxy = proxies().http
    try {
      const granted = [`127.0.0.1:${plain.port}`, `localhost:${plain.port}`]
      const configured = ground.network({
        proxy: { http: proxies().http },
        netGrants: granted,
        resolve: async () => ["127.0.0.1"],
      })
      const without = ground.network({ netGrants: granted, resolve: async () => ["127.0.0.1"] })
      for (const network of [configured, without]) {
        for (const host of ["127.0.0.1", "localhost"]) {
          expect(textOf(await get(network, `http://${host}:${plain.port}/`))).toContain("plain")
        }
      }
      await expect(get(configured, "http://10.0.0.1/")).rejects.toMatchObject({ code: "denied" })
      expect(asked).toEqual([])
    } finally {
      if (before === undefined) delete process.env.http_proxy
      else process.env.http_proxy = before
    }
  })
})
