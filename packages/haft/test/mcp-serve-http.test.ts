import { request as httpRequest } from "node:http"
import { networkInterfaces } from "node:os"
import type { Client } from "@modelcontextprotocol/client"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { type AnyClient, connectHttp, type Listening, listen, modelText, modern, running } from "./mcp-serve-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

let command: SourceCommand
let bench: Workbench
let server: Listening
const opened: AnyClient[] = []

beforeAll(async () => {
  command = await sourceCommand()
}, 120_000)
afterAll(() => command.remove())
beforeEach(async () => {
  bench = workbench()
  server = await listen(command, bench)
})
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
  await server.stop()
  bench.remove()
})

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** One request as somebody writes it: `fetch` would correct its headers. */
function send(
  body: unknown,
  { method = "POST", path = "/mcp", ...headers }: { readonly [name: string]: string } = {},
): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...{ hostname, port, method, path },
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${server.token}`,
          ...headers,
        },
      },
      async (response) => {
        let read = ""
        response.on("error", () => undefined)
        for await (const piece of response) read += String(piece)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read })
      },
    )
    request.on("error", reject)
    request.end(method === "GET" ? undefined : text)
  })
}

async function connect(kind: "2.4 of 2026" | "2.4 of 2025" | "1.x"): Promise<AnyClient> {
  const client = await connectHttp(server, { kind })
  opened.push(client)
  return client
}

describe("who is served", () => {
  test.each<[string, number, Record<string, string>]>([
    ["has no token", 401, { authorization: "" }],
    ["has another token", 401, { authorization: `Bearer ${"x".repeat(43)}` }],
    ["has it in another scheme", 401, { authorization: "Basic eDp4" }],
    ["names another host (DNS rebinding)", 403, { host: "evil.example" }],
    ["names a host that begins like this one", 403, { host: "127.0.0.1.evil.example" }],
    ["is a page of another site", 403, { origin: "https://evil.example" }],
    ["is a page without an origin of its own", 403, { origin: "null" }],
    ["is a page on another port of this machine", 403, { origin: "http://127.0.0.1:1" }],
    ["is sent by another site", 403, { "sec-fetch-site": "cross-site" }],
    ["is sent by another port of this machine", 403, { "sec-fetch-site": "same-site" }],
    ["asks for another path", 404, { path: "/" }],
    ["asks for what is no address", 404, { path: "http://[" }],
  ])("a request that %s gets %i", async (_who, status, headers) => {
    expect((await send(initialize, headers)).status).toBe(status)
  })

  test("the token opens it, also for a page of this machine", async () => {
    const { port } = new URL(server.url)
    expect((await send(initialize)).status).toBe(200)
    expect((await send(initialize, { host: `localhost:${port}`, origin: `http://localhost:${port}` })).status).toBe(200)
  })

  test("it listens on this machine alone", async () => {
    const { port } = new URL(server.url)
    const other = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4")
    if (other === undefined) return
    await expect(fetch(`http://${other.address}:${port}/mcp`, { signal: AbortSignal.timeout(3000) })).rejects.toThrow()
  })
})

describe("what cannot be served", () => {
  test("is answered with a status and an error of the protocol, and the others go on", async () => {
    const client = await connect("2.4 of 2025")
    const problem = async (body: unknown, headers: Record<string, string> = {}) => {
      const { status, body: text } = await send(body, headers)
      return [status, (JSON.parse(text) as { error?: { code: number } }).error?.code]
    }
    expect(await problem("{ no json")).toEqual([400, -32700])
    expect((await send("x".repeat(17 * 1024 * 1024)).catch(() => ({ status: 413 }))).status).toBe(413)
    expect((await send(initialize, { "content-type": "text/plain" })).status).toBe(415)
    expect(await problem(initialize, { "mcp-session-id": "none" })).toEqual([404, -32001])
    expect(await problem({ jsonrpc: "2.0", id: 1, method: "tools/list" })).toEqual([400, expect.any(Number)])
    const unknown = { jsonrpc: "2.0", id: 1, method: "no/method", params: modern({}) }
    const named = { "mcp-protocol-version": "2026-07-28", "mcp-method": "no/method" }
    expect((await problem(unknown, named))[1]).toBe(-32601)
    expect((await send("", { method: "PUT" })).status).toBe(405)
    expect((await client.listTools()).tools).toHaveLength(13)
  })

  test("a port that is taken, or none, is said with the next step", async () => {
    const { port } = new URL(server.url)
    const taken = await bench.run(["mcp", "--http", port])
    expect([taken.code, taken.stderr]).toEqual([5, expect.stringContaining("another program listens there")])
    expect((await bench.run(["mcp", "--http", "99999"])).code).toBe(2)
    expect((await bench.run(["mcp", "--http", "0", "--token", "short"])).code).toBe(2)
    const yes = await bench.run(["mcp", "--yes"])
    expect([yes.code, yes.stderr]).toEqual([2, expect.stringContaining("--mode auto")])
  })
})

const todo = (content: string) => ({ name: "todo", arguments: { todos: [{ content, status: "pending" }] } })
const seconds = () => `${10_000 + Math.floor(Math.random() * 80_000)}.${Date.now()}`
const soon = { timeout: 10_000, interval: 50 }
const sessionOf = (result: unknown) =>
  (result as { _meta: Record<string, { session_id: string }> })._meta["haft/envelope"]!.session_id

describe("sessions", () => {
  test("each client of before 2026 has its own; one that begins again gets another", async () => {
    const [first, second] = [await connect("2.4 of 2025"), await connect("1.x")]
    const ids = [await first.callTool(todo("a")), await second.callTool(todo("b")), await first.callTool(todo("c"))]
    const [one, two, again] = ids.map(sessionOf)
    expect([one === again, one === two]).toEqual([true, false])
    await first.close()
    expect(sessionOf(await (await connect("2.4 of 2025")).callTool(todo("d")))).not.toBe(one)
    expect(sessionOf(await second.callTool(todo("e")))).toBe(two)
  })

  test("a client of 2026 goes on in the session of its name, or in one that it names", async () => {
    const client = (await connect("2.4 of 2026")) as Client
    const first = sessionOf(await client.callTool(todo("a")))
    expect(sessionOf(await (await connect("2.4 of 2026")).callTool(todo("b")))).toBe(first)
    const named = { ...todo("c"), _meta: { "haft/session": "review" } }
    const own = sessionOf(await client.callTool(named))
    expect([own === first, sessionOf(await client.callTool(named))]).toEqual([false, own])
  })
})

describe("what runs", () => {
  test.each(["2.4 of 2026", "2.4 of 2025"] as const)("ends when the client %s cancels", async (kind) => {
    const client = (await connect(kind)) as Client
    const time = seconds()
    const abort = new AbortController()
    const request = { name: "bash", arguments: { command: `sleep ${time} & sleep ${time}` } }
    const call = client.callTool(request, { signal: abort.signal })
    await vi.waitFor(() => expect(running(`sleep ${time}`)).toBeGreaterThan(0), soon)
    abort.abort()
    await expect(call).rejects.toThrow()
    await vi.waitFor(() => expect(running(time)).toBe(0), soon)
    expect(modelText(await client.callTool({ name: "glob", arguments: { pattern: "*" } }))).toBeTypeOf("string")
  })

  test.each(["2026", "2025"])("ends when a client of %s goes away without a word", async (era) => {
    const time = seconds()
    const bash = { name: "bash", arguments: { command: `sleep ${time}` } }
    const headers: Record<string, string> =
      era === "2026"
        ? { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "bash" }
        : { "mcp-session-id": String((await send(initialize)).headers["mcp-session-id"]) }
    const params = era === "2026" ? modern(bash) : bash
    const { hostname, port } = new URL(server.url)
    const request = httpRequest({
      ...{ hostname, port, method: "POST", path: "/mcp" },
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${server.token}`,
        ...headers,
      },
    })
    request.on("error", () => undefined)
    request.end(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params }))
    await vi.waitFor(() => expect(running(`sleep ${time}`)).toBeGreaterThan(0), soon)
    request.destroy()
    await vi.waitFor(() => expect(running(time)).toBe(0), soon)
  })

  test("ends with the server", async () => {
    const client = await connect("2.4 of 2026")
    const time = seconds()
    const call = client.callTool({ name: "bash", arguments: { command: `sleep ${time}` } }).catch(() => undefined)
    await vi.waitFor(() => expect(running(`sleep ${time}`)).toBeGreaterThan(0), soon)
    expect(await server.stop()).toBe(0)
    expect(running(time)).toBe(0)
    await call
  })
})
