import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { SessionNetwork } from "./create-network.js"
import { createCall, createGround, get, type Place, textOf } from "./testing/ground.js"

const ground = createGround()
let site: Place
let other: Place
let network: SessionNetwork

beforeAll(async () => {
  other = await ground.web((request, response) => response.end(JSON.stringify(request.headers)))
  site = await ground.web((request, response) => {
    const url = new URL(request.url!, "http://site.example")
    const to = url.searchParams.get("to")
    if (url.pathname === "/go") {
      response.writeHead(Number(url.searchParams.get("status") ?? 302), { location: to! }).end("moved")
    } else if (url.pathname.startsWith("/count/")) {
      const left = Number(url.pathname.slice(7))
      if (left > 0) response.writeHead(302, { location: `/count/${left - 1}`, "content-length": "0" }).end()
      else response.end("arrived")
    } else if (url.pathname === "/circle") response.writeHead(302, { location: "/circle" }).end()
    else if (url.pathname === "/nowhere") response.writeHead(302).end("no location")
    else if (url.pathname === "/broken") response.writeHead(302, { location: "http://[" }).end()
    else {
      const body: Buffer[] = []
      request.on("data", (chunk: Buffer) => body.push(chunk))
      request.on("end", () => {
        const { method, headers } = request
        response.end(JSON.stringify({ method, headers, body: Buffer.concat(body).toString() }))
      })
    }
  })
  network = ground.network({
    netGrants: [`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`, `site.example:${site.port}`],
    resolve: async () => ["127.0.0.1"],
  })
})
afterAll(() => ground.close())

const credentials = {
  Authorization: "Bearer secret",
  Cookie: "session=secret",
  "Proxy-Authorization": "Basic secret",
  "X-Api-Key": "secret",
  "PRIVATE-TOKEN": "secret",
  "X-Whatever": "secret",
}

describe("redirects", () => {
  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [301, "PUT", "PUT"],
    [302, "DELETE", "DELETE"],
    [307, "POST", "POST"],
    [308, "PUT", "PUT"],
    [302, "GET", "GET"],
  ])("%d after %s is %s", async (status, method, then) => {
    const body = method === "POST" || method === "PUT" ? { body: "content" } : {}
    const reply = await get(network, `${site.url}/go?status=${status}&to=/end`, {
      method,
      headers: { "Content-Type": "text/plain" },
      ...body,
    })
    expect(reply.url).toBe(`${site.url}/end`)
    expect(reply.redirects).toEqual([`${site.url}/go?status=${status}&to=/end`])
    if (then === "HEAD") return expect(reply.body).toHaveLength(0)
    const seen = JSON.parse(textOf(reply))
    const keeps = method === then && "body" in body
    expect([seen.method, seen.body]).toEqual([then, keeps ? "content" : ""])
    expect(seen.headers["content-type"]).toBe(method === then ? "text/plain" : undefined)
  })

  test("[C2-87] credentials stay with the origin they were meant for", async () => {
    const same = await get(network, `${site.url}/go?to=/end`, { headers: credentials })
    expect(JSON.parse(textOf(same)).headers).toMatchObject({ authorization: "Bearer secret", cookie: "session=secret" })
    for (const to of [`${other.url}/`, `${site.url.replace("127.0.0.1", "site.example")}/end`]) {
      const across = await get(network, `${site.url}/go?status=307&to=${encodeURIComponent(to)}`, {
        headers: { ...credentials, Accept: "text/html", "User-Agent": "Test" },
      })
      expect(textOf(across)).not.toContain("secret")
      expect(textOf(across)).toContain('"accept":"text/html"')
      expect(textOf(across)).toContain('"user-agent":"Test"')
    }
    const back = `${site.url.replace("127.0.0.1", "site.example")}/go?to=${encodeURIComponent(`${site.url}/end`)}`
    const there = await get(network, `${site.url}/go?to=${encodeURIComponent(back)}`, { headers: credentials })
    expect(there.redirects).toHaveLength(2)
    expect(textOf(there)).not.toContain("secret")
  })

  test("ten are followed, the eleventh is an error; a circle is called one", async () => {
    const call = createCall()
    const reply = await network.network(call).fetch({ url: `${site.url}/count/10`, timeoutMs: 30_000, maxBytes: 100 })
    expect([textOf(reply), reply.redirects.length, call.effects.length]).toEqual(["arrived", 10, 11])
    await expect(get(network, `${site.url}/count/11`)).rejects.toMatchObject({
      code: "backend",
      message: expect.stringContaining("redirects more than 10 times"),
    })
    await expect(get(network, `${site.url}/circle`)).rejects.toThrow("round in a circle")
    await expect(get(network, `${site.url}/count/3`, { maxRedirects: 2 })).rejects.toThrow("more than 2 times")
  })

  test("none followed gives the redirect itself, and so does one that leads nowhere", async () => {
    const asked = await get(network, `${site.url}/go?to=/end`, { maxRedirects: 0 })
    expect(asked).toMatchObject({ status: 302, redirects: [], headers: { location: "/end" } })
    expect(textOf(asked)).toBe("moved")
    expect(await get(network, `${site.url}/nowhere`)).toMatchObject({ status: 302 })
    await expect(get(network, `${site.url}/broken`)).rejects.toMatchObject({ code: "backend" })
  })

  test("user names and passwords are neither sent nor shown, wherever they stand", async () => {
    const to = `http://user:secret@127.0.0.1:${site.port}/end#part`
    const reply = await get(network, `http://me:secret@127.0.0.1:${site.port}/go?to=${encodeURIComponent(to)}#x`)
    expect(reply.url).toBe(`${site.url}/end`)
    expect(JSON.stringify([reply.headers, reply.url, textOf(reply)])).not.toContain("secret")
    const loud = `http://me:secret@127.0.0.1:${site.port}/go?to=http://you:secret@10.0.0.1/`
    const error = await get(network, loud).catch((reason) => reason)
    expect(error.message).toContain("-> http://10.0.0.1/")
    expect(error.message).not.toContain("me:")
    expect(error.message.split("->")[1]).not.toContain("secret")
    for (const url of [
      "http://me:secret@@ /",
      "ftp://me:secret@host/",
      "http://me:sec/ret@host:x/",
      "me:secret@host",
    ]) {
      const refused = await get(network, url).catch((reason) => reason)
      expect([url, refused.code, /sec/.test(refused.message)]).toEqual([url, "invalid_args", false])
    }
  })
})
