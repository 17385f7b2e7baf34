import { request } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { connect } from "node:net"
import { connect as tlsConnect } from "node:tls"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { ProxySettings } from "../network/choose-proxy.js"
import { createGround, type Place } from "../network/testing/ground.js"
import { serveHttpProxy, serveSocksProxy } from "../network/testing/upstream-proxies.js"
import type { Decision } from "./decision.js"
import { createSandboxNetwork } from "./sandbox-network.js"
import { certificate, privateKey } from "./testing/certificate.js"

const ground = createGround()
/** What the proxies of the user were asked for. */
const asked: string[] = []
let plain: Place
let secure: Place
let upstream: Readonly<Record<"http" | "socks", Place>>

beforeAll(async () => {
  plain = await ground.web((incoming, response) => response.end(`plain ${incoming.headers.host}`))
  secure = await ground.serve(
    createHttpsServer({ key: privateKey, cert: certificate }, (_request, response) => response.end("secure")),
  )
  upstream = {
    http: await ground.tcp((socket) => void serveHttpProxy(socket, asked).catch(() => socket.destroy())),
    socks: await ground.tcp((socket) => void serveSocksProxy(socket, asked).catch(() => socket.destroy())),
  }
})
beforeEach(() => void asked.splice(0))
afterAll(() => ground.close())

describe.each([
  ["http", ""],
  ["http", "me:p%40ss@"],
  ["socks", ""],
  ["socks", "me:p%40ss@"],
] as const)("through a proxy of the user: %s %s", (kind, user) => {
  const login = user === "" ? "" : " as me:p@ss"
  const address = () => `${kind === "http" ? "http" : "socks5"}://${user}127.0.0.1:${upstream[kind].port}`

  test("[C2-77] plain requests and tunnels go by name, which nobody looks up here", async () => {
    const sandbox = await sandboxOf({ http: address(), https: address() }, async () => {
      throw new Error("asked")
    })
    expect(await get(sandbox.port, `http://site.example:${plain.port}/`)).toBe(`plain site.example:${plain.port}`)
    expect(await overTls(sandbox.port, `site.example:${secure.port}`)).toBe("secure")
    expect(asked).toEqual([`site.example:${plain.port}${login}`, `site.example:${secure.port}${login}`])
    expect(sandbox.decisions.every(({ allowed }) => allowed)).toBe(true)
    sandbox.close()
  })

  test("[C2-77] a route is no grant: what no rule allows is not asked for", async () => {
    const sandbox = await sandboxOf({ http: address(), https: address() })
    expect(await get(sandbox.port, "http://other.example/")).toContain("no rule allows other.example:80")
    expect(await overTls(sandbox.port, "other.example:443")).toContain("403 Forbidden")
    expect(asked).toEqual([])
    sandbox.close()
  })
})

test("[C2-78] a proxy that refuses or is gone ends the connection with its reason; nothing goes around it", async () => {
  const visits = plain.visits() + secure.visits()
  for (const [proxy, reason] of [
    [`http://me:hidden@127.0.0.1:${upstream.http.port}`, "wants a user name and password"],
    ["http://me:hidden@127.0.0.1:1", "ECONNREFUSED"],
  ] as const) {
    const sandbox = await sandboxOf({ http: proxy, https: proxy }, async () => ["127.0.0.1"])
    const answer = await overTls(sandbox.port, `refused.example:${secure.port}`)
    expect(answer).toContain("502 Bad Gateway")
    expect(answer).toContain(reason)
    expect(answer).not.toContain("hidden")
    sandbox.close()
  }
  expect(plain.visits() + secure.visits()).toBe(visits)
})

test("hosts that the user exempts, and places of this machine, are reached without it", async () => {
  const http = `http://127.0.0.1:${upstream.http.port}`
  const sandbox = await sandboxOf({ http, https: http, noProxy: ["site.example"] }, async () => ["127.0.0.1"])
  expect(await get(sandbox.port, `http://site.example:${plain.port}/`)).toContain("plain")
  expect(await get(sandbox.port, `http://127.0.0.1:${plain.port}/`)).toContain("plain")
  expect(asked).toEqual([])
  sandbox.close()
})

test("[C2-88] it is not asked for an address that is not public, nor reached at a port of Haft itself", async () => {
  const http = `http://127.0.0.1:${upstream.http.port}`
  const sandbox = await sandboxOf({ http, https: http }, undefined, ["10.0.0.1:80", "169.254.169.254:80"])
  for (const host of ["10.0.0.1", "169.254.169.254"])
    expect(await get(sandbox.port, `http://${host}/`)).toContain("not a public address")
  sandbox.close()
  const own = await sandboxOf({ http, https: http }, undefined, [], [upstream.http.port])
  expect(await get(own.port, `http://site.example:${plain.port}/`)).toContain("is a port of Haft itself")
  own.close()
  expect(asked).toEqual([])
})

test("a setting that is no proxy is said before anything runs", async () => {
  await expect(sandboxOf({ http: "ftp://x" })).rejects.toMatchObject({ code: "not_configured" })
})

async function sandboxOf(
  proxy: ProxySettings,
  resolve?: (host: string) => Promise<readonly string[]>,
  hosts: readonly string[] = [],
  ownPorts: readonly number[] = [],
) {
  const decisions: Decision[] = []
  const named = ["site.example", "refused.example", "127.0.0.1"].flatMap((host) =>
    [plain, secure].map(({ port }) => `${host}:${port}`),
  )
  const network = await createSandboxNetwork({
    hosts,
    netGrants: named,
    bundle: async () => undefined,
    proxy,
    ownPorts: () => ownPorts,
    ...(resolve && { resolve }),
    onDecision: (one) => decisions.push(one),
  })
  return { ...(await network.listen()), decisions, close: network.close }
}

function get(port: number, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: url, headers: { host: "x" }, agent: false }, (response) => {
      let text = ""
      response.on("data", (chunk) => (text += chunk))
      response.on("end", () => resolve(text))
    })
    sent.on("error", reject)
    sent.end()
  })
}

/** What a server says over TLS through CONNECT, or what the proxy answers instead. */
function overTls(port: number, authority: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`))
    socket.once("data", (first: Buffer) => {
      if (!`${first}`.includes(" 200 ")) return resolve(`${first}`)
      const inner = tlsConnect({ socket, servername: authority.split(":")[0]!, ca: certificate })
      let text = ""
      inner.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      inner.on("data", (chunk) => (text += chunk))
      inner.on("error", () => undefined)
      inner.on("close", () => resolve(text.endsWith("\r\nsecure") ? "secure" : text))
    })
  })
}
