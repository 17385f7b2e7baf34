import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, test, vi } from "vitest"
import * as z from "zod"
import { openHaft } from "../src/library/create-haft.js"
import { openWithServers } from "./mcp-world.js"

const once = { answer: "once" } as const
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Guard = (request: IncomingMessage, response: ServerResponse) => boolean

/** A server of the newest era on this machine; `guard` answers what is not for it. */
async function listen(guard: Guard = () => false): Promise<{ url: string; host: string; origin: string }> {
  const handle = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: "docs", version: "1" })
      const inputSchema = z.object({ word: z.string() })
      server.registerTool("find", { description: "Finds a word", inputSchema }, async ({ word }) => ({
        content: [{ type: "text", text: `found ${word}` }],
      }))
      return server
    }),
  )
  const http = createServer((request, response) => {
    if (!guard(request, response)) void handle(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  closing.push(() => {
    http.close()
    http.closeAllConnections()
  })
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  return { host, origin: `http://${host}`, url: `http://${host}/mcp` }
}

const textOf = (envelope: unknown) => String((envelope as { data?: { text?: string } }).data?.text)

describe("a server at an address", () => {
  test("of the newest era is called through the network of the session", async () => {
    const { url, host } = await listen()
    await using opened = await openWithServers({ docs: { url, trusted: true } }, { network: { grants: [host] } })
    expect(opened.errors()).toEqual([])
    const seen = JSON.parse(readFileSync(join(opened.world.home, "mcp", "seen.json"), "utf8"))
    expect(seen.servers[0]).toMatchObject({ name: "docs", era: "modern" })
    expect((await opened.session.call("mcp__docs__find", { word: "x" })).metadata.error_code).toBe("denied")
    expect(textOf(await opened.session.call("mcp__docs__find", { word: "bridge" }, once))).toBe("found bridge")
  })

  test("whose address has a variable that is not set any more brings no tools, and the session opens all the same", async () => {
    const { host } = await listen()
    process.env.MCP_TEST_HOST = host
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the user
    const docs = { url: "http://${MCP_TEST_HOST}/mcp", trusted: true }
    await using opened = await openWithServers({ docs }, { network: { grants: [host] } })
    expect(textOf(await opened.session.call("mcp__docs__find", { word: "x" }, once))).toBe("found x")
    delete process.env.MCP_TEST_HOST
    const later = await opened.haft.openSession()
    expect((await later.call("todo", { todos: [] })).type).toBe("output")
    expect(opened.errors()).toEqual([
      expect.stringMatching(
        /^The MCP server "docs" brings no tools: .*MCP_TEST_HOST is not set. Set MCP_TEST_HOST, or write/,
      ),
    ])
  })

  test("of this machine is not reached without a grant", async () => {
    const asked: string[] = []
    const { url } = await listen((request) => {
      asked.push(request.url ?? "")
      return false
    })
    await using opened = await openWithServers({ docs: { url, trusted: true } })
    expect(opened.errors().join()).toMatch(/brings no tools: Cannot reach ".*": .*/)
    expect(asked).toEqual([])
  })

  test("that is gone, or answers with a page, is an error that names it", async () => {
    const page = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>")
      return true
    })
    await using html = await openWithServers(
      { docs: { url: page.url, trusted: true } },
      { network: { grants: [page.host] } },
    )
    expect(html.errors().join()).toMatch(/The MCP server "docs" brings no tools/)
    const { url, host } = await listen()
    for (const close of closing.splice(0)) close()
    await using gone = await openWithServers({ docs: { url, trusted: true } }, { network: { grants: [host] } })
    expect(gone.errors().join()).toMatch(/refuses connections/)
  })
})

describe("a server of the era with sessions", () => {
  let session = "first"
  let inputSchema: object = { type: "object" }
  let streamStatus = 405
  let streamsAsked = 0
  let onCall: ((response: ServerResponse) => void) | undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ""
    for await (const piece of request) body += String(piece)
    if (request.method !== "POST") {
      streamsAsked += 1
      return void response.writeHead(streamStatus).end()
    }
    const { id, method } = JSON.parse(body) as { id?: number; method: string }
    const tools = [{ name: "find", description: "Finds", inputSchema }]
    const results: Readonly<Record<string, unknown>> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "docs", version: "1" },
      },
      "tools/list": { tools },
      "tools/call": { content: [{ type: "text", text: "found" }] },
    }
    if (id === undefined) return void response.writeHead(202).end()
    if (results[method] === undefined) return void response.writeHead(400).end()
    if (method !== "initialize" && request.headers["mcp-session-id"] !== session) {
      return void response.writeHead(404, { "content-type": "text/plain" }).end("no such session")
    }
    if (method === "tools/call" && onCall) return onCall(response)
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": session })
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }))
  }

  async function opened() {
    onCall = undefined
    const { url, host } = await listen((request, response) => {
      void answer(request, response)
      return true
    })
    return openWithServers({ docs: { url, trusted: true } }, { network: { grants: [host] } })
  }

  test.each([404, 405])("that has no stream of its own is used all the same: it says so with %i", async (status) => {
    streamStatus = status
    streamsAsked = 0
    await using world = await opened()
    const find = () => world.session.call("mcp__docs__find", {}, once)
    expect(textOf(await find())).toBe("found")
    // One for the look at it, one for the session.
    await vi.waitFor(() => expect(streamsAsked).toBe(2))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(textOf(await find())).toBe("found")
  })

  test.each([
    ["that is none of an object", { type: "string" }, /its input schema is not one of an object/],
    [
      "that cannot be checked",
      { type: "object", properties: { n: { type: "strnig" } } },
      /its schema cannot be used: /,
    ],
  ])("whose only tool has a schema %s brings nothing, and the error says why", async (_, schema, why) => {
    inputSchema = schema
    await using world = await opened()
    inputSchema = { type: "object" }
    expect(world.errors()).toEqual([
      expect.stringMatching(
        /^The MCP server "docs" brings no tools: .*it offers nothing: the tool "find" is left out: /,
      ),
    ])
    expect(world.errors()[0]).toMatch(why)
    expect(world.errors()[0]).toContain("haft mcp test docs")
  })

  test("that was started anew is lost for one call, and comes back by itself", async () => {
    await using world = await opened()
    const find = () => world.session.call("mcp__docs__find", {}, once)
    expect(textOf(await find())).toBe("found")
    session = "second"
    expect(await find()).toMatchObject({
      error_text: 'Cannot use the MCP server "docs": it has ended the session',
      metadata: { error_code: "unavailable" },
    })
    const end = Date.now() + 10_000
    let back = await find()
    while (back.type === "error" && Date.now() < end) {
      expect(back.error_text).toContain('"docs": it is not connected, because it has ended the session')
      await new Promise((resolve) => setTimeout(resolve, 200))
      back = await find()
    }
    expect(textOf(back)).toBe("found")
  })

  const broken: readonly (readonly [string, (response: ServerResponse) => void, object])[] = [
    [
      "ends its stream without the answer",
      (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(),
      {
        error_text: 'Cannot use the MCP server "docs": it closed the connection without an answer',
        metadata: { error_code: "unavailable" },
      },
    ],
    [
      "drops the connection in the middle of the answer",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write('data: {"jsonrpc"')
        setTimeout(() => response.destroy(), 20)
      },
      {
        error_text: 'Cannot use the MCP server "docs": it closed the connection without an answer',
        metadata: { error_code: "unavailable" },
      },
    ],
    [
      "answers with an error page",
      (response) => response.writeHead(503, { "content-type": "text/html" }).end("<h1>Sorry</h1>"),
      { error_text: 'Cannot use the MCP server "docs": it answers with HTTP 503', metadata: { error_code: "backend" } },
    ],
    [
      "has had enough",
      (response) => response.writeHead(429).end("slow down"),
      {
        error_text: 'Cannot use the MCP server "docs": it answers with HTTP 429: slow down',
        metadata: { error_code: "rate_limited" },
      },
    ],
  ]
  test.each(broken)("that %s: the call says so at once, and the next one works", async (_, broken, expected) => {
    await using world = await opened()
    const find = () => world.session.call("mcp__docs__find", {}, once)
    await find()
    onCall = broken
    const started = Date.now()
    expect(await find()).toMatchObject({ type: "error", ...expected })
    expect(Date.now() - started).toBeLessThan(10_000)
    onCall = undefined
    expect(textOf(await find())).toBe("found")
  })
})

/** An authorization server and the guard of a resource, both on the address that serves them. */
class Authorization {
  readonly issued = new Set<string>()
  refreshes = 0
  origin = ""
  private challenge = ""
  private refreshToken = ""

  readonly guard: Guard = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.origin)
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
      return true
    }
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return json({ resource: `${this.origin}/mcp`, authorization_servers: [this.origin] })
    }
    if (pathname.startsWith("/.well-known/")) return json(this.metadata())
    if (pathname === "/register") return json({ client_id: "haft-client", redirect_uris: [this.redirect] }, 201)
    if (pathname === "/authorize") {
      this.challenge = searchParams.get("code_challenge") ?? ""
      const state = searchParams.get("state")
      const location = `${searchParams.get("redirect_uri")}?code=the-code&state=${state}&iss=${encodeURIComponent(this.origin)}`
      response.writeHead(302, { location }).end()
      return true
    }
    if (pathname === "/token") {
      void this.token(request).then(({ status, value }) => json(value, status))
      return true
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
    if (token !== undefined && this.issued.has(token)) return false
    const where = `${this.origin}/.well-known/oauth-protected-resource`
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${where}"` }).end()
    return true
  }

  redirect = ""

  /** Forgets all tokens; with `all` also the one that gives new ones. */
  revoke(all: boolean): void {
    this.issued.clear()
    if (all) this.refreshToken = ""
  }

  private metadata() {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    }
  }

  private async token(request: IncomingMessage): Promise<{ status: number; value: unknown }> {
    let body = ""
    for await (const piece of request) body += String(piece)
    const given = new URLSearchParams(body)
    const isRefresh = given.get("grant_type") === "refresh_token"
    const verifier = createHash("sha256")
      .update(given.get("code_verifier") ?? "")
      .digest("base64url")
    const fits = isRefresh
      ? this.refreshToken !== "" && given.get("refresh_token") === this.refreshToken
      : given.get("code") === "the-code" && verifier === this.challenge
    if (!fits) return { status: 400, value: { error: "invalid_grant" } }
    if (isRefresh) this.refreshes += 1
    const access = `access-token-${this.issued.size}-${this.refreshes}`
    this.issued.add(access)
    this.refreshToken = `refresh-token-${this.refreshes}`
    return {
      status: 200,
      value: { access_token: access, refresh_token: this.refreshToken, token_type: "Bearer", expires_in: 3600 },
    }
  }
}

describe("a server that wants a sign-in", () => {
  test("[C2-152] [C2-153] gets a code with PKCE, tokens that nobody else may read, a refresh on 401, and a clear end", async () => {
    const authorization = new Authorization()
    const { url, host, origin } = await listen((request, response) => authorization.guard(request, response))
    authorization.origin = origin
    await using opened = await openWithServers({})
    const { root, home } = opened.world
    const grants = [host]
    const entry = {
      kind: "http",
      name: "docs",
      url,
      headers: {},
      oauth: {},
      startTimeoutMs: 10_000,
      callTimeoutMs: 10_000,
    } as const
    const program = await openHaft({ roots: [root], home, network: { grants }, storage: { journal: false } })
    const signal = new AbortController().signal
    await expect(program.inspectServer({ entry, signal })).rejects.toThrow("it wants somebody to sign in")

    const redirectUrl = "http://127.0.0.1:9/callback"
    authorization.redirect = redirectUrl
    const browser = {
      redirectUrl,
      async authorize(address: URL, state: string) {
        const answer = await fetch(address, { redirect: "manual" })
        const back = new URL(answer.headers.get("location") ?? "")
        expect(back.searchParams.get("state")).toBe(state)
        return back.searchParams
      },
    }
    const found = await program.inspectServer({ entry, signal, browser })
    expect(found.pin.tools.map(({ name }) => name)).toEqual(["find"])
    await program.close()
    const files = readdirSync(join(home, "mcp"))
    expect(files.map((file) => statSync(join(home, "mcp", file)).mode & 0o777)).toEqual(files.map(() => 0o600))

    const haft = await opened.world.haft({ mcpServers: { docs: { url, trusted: true } }, network: { grants } })
    const session = await haft.openSession()
    expect(textOf(await session.call("mcp__docs__find", { word: "bridge" }, once))).toBe("found bridge")
    authorization.revoke(false)
    expect(textOf(await session.call("mcp__docs__find", { word: "again" }, once))).toBe("found again")
    expect(authorization.refreshes).toBe(1)
    authorization.revoke(true)
    const ended = await session.call("mcp__docs__find", { word: "no" }, once)
    expect(ended).toMatchObject({
      metadata: { error_code: "not_configured", details: { fix: expect.stringContaining("haft mcp trust docs") } },
    })
    expect(JSON.stringify(ended)).not.toMatch(/access-token|refresh-token/)
  })
})
