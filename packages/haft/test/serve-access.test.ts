import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, type Served, serveHere } from "./serve-world.js"

let server: Served
let session: string

beforeAll(async () => {
  server = await serveHere()
  server.bench.write("notes.txt", "hello\n")
  session = await server.open()
})

afterAll(async () => {
  await server?.stop()
  server?.bench.remove()
})

const failed = (status: number, code: string, words: RegExp) => ({
  status,
  json: { error: { code, message: expect.stringMatching(words) } },
})

describe("who is let in", () => {
  test("health needs no token, everything else does", async () => {
    expect(await server.send("/api/health", { headers: { authorization: "" } })).toMatchObject({
      status: 200,
      json: { ok: true, name: "haft" },
    })
    for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${"0123456789abcdef0123456789abcdef"}`]) {
      const answer = await server.send("/api/tools", { headers: { authorization } })
      expect(answer, authorization).toMatchObject(failed(401, "denied", /token is missing or wrong/))
      expect(answer.json.error.hint).toMatch(/haft serve printed/)
    }
  })

  test("the token is taken from no other place", async () => {
    const key = "0123456789abcdef0123456789abcdef"
    const without = { authorization: "" }
    expect(await server.send(`/api/tools?token=${key}`, { headers: without })).toMatchObject({ status: 401 })
    const headers = { ...without, cookie: `token=${key}` }
    expect(await server.send("/api/tools", { headers })).toMatchObject({ status: 401 })
  })

  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ["a name that was pointed here (DNS rebinding)", { host: "evil.example" }],
    ["the right port under another name", { host: "evil.example:PORT" }],
    ["no port", { host: "127.0.0.1" }],
    ["another port", { host: "127.0.0.1:1" }],
    ["a name that begins as ours", { host: "127.0.0.1.evil.example:PORT" }],
    ["a page of another site", { origin: "https://evil.example" }],
    ["a page on another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["an opaque origin", { origin: "null" }],
    ["what the browser marks as of another site", { "sec-fetch-site": "cross-site" }],
    ["what the browser marks as of the same site", { "sec-fetch-site": "same-site" }],
  ]
  test.each(foreign)("403 for %s, also with the token", async (_name, given) => {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace("PORT", String(server.port))]),
    )
    for (const path of ["/api/tools", "/api/health", "/index.html"]) {
      expect(await server.send(path, { headers }), path).toMatchObject(
        failed(403, "denied", /Cannot take this request/),
      )
    }
    const call = { headers, json: { tool: "read", args: { file_path: "notes.txt" } } }
    expect(await server.send(`/api/sessions/${session}/calls`, call)).toMatchObject({ status: 403 })
  })

  test("the page itself is let in, and a link to the page works", async () => {
    const own = { origin: `http://127.0.0.1:${server.port}`, "sec-fetch-site": "same-origin" }
    expect(await server.send("/api/tools", { headers: own })).toMatchObject({ status: 200 })
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
    expect((await server.send("/", { headers: link })).status).not.toBe(403)
    expect(await server.send("/api/tools", { headers: link })).toMatchObject({ status: 403 })
    const frame = { ...link, "sec-fetch-dest": "iframe" }
    expect(await server.send("/", { headers: frame })).toMatchObject({ status: 403 })
  })

  test("no answer lets another site read it, and a preflight gets nothing", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" }
    const answer = await server.send("/api/tools", { method: "OPTIONS", headers })
    expect(answer.status).toBe(403)
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined()
    expect(await server.send("/api/tools", { method: "OPTIONS" })).toMatchObject({ status: 404 })
  })
})

describe("what is sent", () => {
  const bodies: readonly (readonly [string, number, string, RegExp, Ask])[] = [
    [
      "a form",
      415,
      "invalid_args",
      /must be application\/json/,
      { body: "tool=read", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ],
    [
      "plain text, as a page can send without asking",
      415,
      "invalid_args",
      /application\/json/,
      { body: '{"tool":"read"}', headers: { "content-type": "text/plain" } },
    ],
    ["no type", 415, "invalid_args", /application\/json/, { body: "{}" }],
    [
      "broken JSON",
      400,
      "invalid_args",
      /it is no JSON/,
      { body: '{"tool":', headers: { "content-type": "application/json" } },
    ],
    ["nothing", 400, "invalid_args", /it is no JSON/, { body: "", headers: { "content-type": "application/json" } }],
    ["null", 400, "invalid_args", /must be a JSON object/, { json: null }],
    ["a list", 400, "invalid_args", /must be a JSON object/, { json: [] }],
    ["a number", 400, "invalid_args", /must be a JSON object/, { json: 7 }],
    ["no tool", 400, "invalid_args", /without "tool"/, { json: {} }],
    ["a tool of the wrong kind", 400, "invalid_args", /"tool": it is of the wrong kind/, { json: { tool: 7 } }],
    ["a key that nobody knows", 400, "invalid_args", /Cannot use "tools"/, { json: { tools: "read" } }],
    [
      "keys of the prototype",
      400,
      "invalid_args",
      /Cannot use "__proto__"/,
      { body: '{"__proto__":{"tool":"read"}}', headers: { "content-type": "application/json" } },
    ],
    ["a constructor", 400, "invalid_args", /Cannot use "constructor"/, { json: { constructor: {} } }],
    [
      "bytes that are no UTF-8",
      400,
      "invalid_args",
      /no UTF-8/,
      { body: Buffer.from([0x22, 0xff, 0x22]), headers: { "content-type": "application/json" } },
    ],
    [
      "a callId that could be a path",
      400,
      "invalid_args",
      /callId/,
      { json: { tool: "read", args: {}, callId: "../../x" } },
    ],
  ]
  test.each(bodies)("%s: %i", async (_name, status, code, words, ask) => {
    expect(await server.send(`/api/sessions/${session}/calls`, { method: "POST", ...ask })).toMatchObject(
      failed(status, code, words),
    )
  })

  test("a body that is too large is refused before it is read, and while it is read", async () => {
    const path = `/api/asks/none`
    const said = await server
      .send(path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": String(20 * 1024 * 1024),
          connection: "close",
        },
        body: "{}",
      })
      .catch((error: unknown) => error)
    if (!(said instanceof Error)) expect(said).toMatchObject(failed(413, "too_large", /more than \d+ bytes/))
    const answer = await server.send("/api/sessions", { json: { toolset: "x".repeat(2 * 1024 * 1024) } })
    expect(answer).toMatchObject(failed(413, "too_large", /more than 1048576 bytes/))
  })

  test("hostile arguments reach the tool's own checks and nothing else", async () => {
    const body = `{"tool":"read","args":{"file_path":"notes.txt","__proto__":{"limit":1}}}`
    const headers = { "content-type": "application/json" }
    const answer = await server.send(`/api/sessions/${session}/calls`, { method: "POST", body, headers })
    expect(answer.status).toBe(200)
    expect(({} as { limit?: number }).limit).toBeUndefined()
  })

  test("an error of a tool is status 200 with its envelope", async () => {
    expect(await server.call(session, "read", { file_path: "gone.txt" })).toMatchObject({
      status: 200,
      json: { type: "error", metadata: { error_code: "not_found" } },
    })
    expect(await server.call(session, "no_such_tool", {})).toMatchObject({ status: 200, json: { type: "error" } })
  })
})

describe("what is asked for", () => {
  test("unknown sessions, asks, tools and addresses are 404 with a next step", async () => {
    const gone = "ses_000000000000000000000000"
    for (const path of [`/api/sessions/${gone}`, `/api/sessions/${gone}/events`, `/api/sessions/${gone}/timeline`]) {
      expect(await server.send(path), path).toMatchObject(failed(404, "not_found", /Cannot find session/))
    }
    expect(await server.call(gone, "read", {})).toMatchObject({ status: 404 })
    expect(await server.send("/api/asks/none", { json: { answer: "once" } })).toMatchObject(
      failed(404, "not_found", /nothing waits under this id/),
    )
    expect(await server.send("/api/tools/raed")).toMatchObject({
      status: 404,
      json: { error: { hint: "Did you mean read?" } },
    })
    expect(await server.send("/api/nothing")).toMatchObject(failed(404, "not_found", /nothing under this address/))
    expect(await server.send("/api/tools", { method: "DELETE" })).toMatchObject({ status: 404 })
  })

  test("the beginning of an id is no id", async () => {
    expect(await server.send(`/api/sessions/${session.slice(0, 12)}`)).toMatchObject({ status: 404 })
  })

  test("GET changes nothing: what changes state has no GET", async () => {
    for (const path of ["calls", "explain", "messages", "abort", "undo", "fork"]) {
      expect(await server.send(`/api/sessions/${session}/${path}`), path).toMatchObject({ status: 404 })
    }
    const before = (await server.send("/api/sessions")).json
    await server.send("/api/tour")
    expect((await server.send("/api/sessions")).json).toEqual(before)
  })

  test("HEAD is answered and opens no stream", async () => {
    for (const path of ["/api/tools", `/api/sessions/${session}/events`, "/api/events", "/"]) {
      const answer = await server.send(path, { method: "HEAD" })
      expect(answer.text, path).toBe("")
      expect([200, 503], path).toContain(answer.status)
    }
  })

  test("a cursor of another session is 409, and what is no cursor 400", async () => {
    const other = await server.open()
    const [, live] = await server.frames(`/api/sessions/${other}/events`, ({ event }) => event === "live")
    const cursor = encodeURIComponent(live!.id!)
    expect(await server.send(`/api/sessions/${session}/events?from=${cursor}`)).toMatchObject(
      failed(409, "conflict", /belongs to another session/),
    )
    expect(await server.send(`/api/sessions/${session}/events?from=12`)).toMatchObject(
      failed(400, "invalid_args", /no cursor/),
    )
  })
})

describe("more than the server was started with", () => {
  const requests: readonly (readonly [string, number, RegExp, object])[] = [
    ["a folder outside", 403, /outside the roots/, { roots: ["/etc"] }],
    ["a folder outside, spelled from inside", 403, /outside the roots/, { roots: ["../.."] }],
    ["a link that leads outside", 403, /outside the roots/, { roots: ["out"] }],
    ["a folder that is not there", 404, /no such directory/, { roots: ["gone"] }],
    ["a rule that allows", 403, /may only narrow/, { rules: [{ permission: "fs.write", action: "allow" }] }],
    [
      "a rule with authority",
      400,
      /"rules": it is of the wrong kind/,
      { rules: [{ permission: "x", action: "deny", authority: 9 }] },
    ],
    ["a mode that rises", 403, /mode "auto"/, { mode: "auto" }],
    ["a toolset that is none", 400, /toolset/, { toolset: "everything" }],
  ]
  test.each(requests)("%s: %i", async (_name, status, words, json) => {
    symlinkOnce(join(server.bench.work, "out"))
    const answer = await server.send("/api/sessions", { json })
    expect(answer).toMatchObject({ status, json: { error: { message: expect.stringMatching(words) } } })
  })

  test("less is taken, and stays so: a folder below, a lower mode, rules that narrow", async () => {
    mkdirSync(join(server.bench.work, "sub"), { recursive: true })
    writeFileSync(join(server.bench.work, "sub/in.txt"), "in\n")
    const rules = [{ permission: "fs.read", pattern: "**/in.txt", action: "deny" }]
    const id = await server.open({ roots: ["sub"], mode: "plan", toolset: "locked", rules })
    expect((await server.send(`/api/sessions/${id}`)).json).toMatchObject({
      roots: [join(server.bench.work, "sub")],
      mode: "plan",
      toolset: "locked",
    })
    const denied = await server.call(id, "read", { file_path: "in.txt" })
    expect(denied.json).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    expect((await server.call(id, "read", { file_path: "../notes.txt" })).json).toMatchObject({ type: "error" })
  })

  test("an ask rule of a request softens no deny", async () => {
    server.bench.write(".env", "SECRET=1\n")
    const rules = [{ permission: "fs.read", pattern: "{workspace}/.env", action: "ask" }]
    const id = await server.open({ rules })
    const explained = await server.send(`/api/sessions/${id}/explain`, {
      json: { tool: "read", args: { file_path: ".env" } },
    })
    expect(explained.json.ladder.verdict).toBe("deny")
  })
})

function symlinkOnce(path: string): void {
  try {
    symlinkSync("/etc", path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

describe("the page", () => {
  test("every answer has the headers that keep other sites out", async () => {
    for (const path of ["/", "/api/health", "/api/tools", "/api/nothing", "/nothing.js"]) {
      const { headers } = await server.send(path)
      expect(headers, path).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      })
      expect(headers["content-security-policy"], path).toMatch(/default-src 'none'/)
    }
  })

  test("the policy of the page is exactly the one that was decided, with a new nonce each time", async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => String((await server.send("/")).headers["content-security-policy"])),
    )
    const nonces = policies.map((policy) => /'nonce-([\w-]{22})'/.exec(policy)?.[1])
    expect(policies[0]!.replace(nonces[0]!, "N")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
    )
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test("no address is a path on the disk", async () => {
    server.bench.write("secret.txt", "swordfish")
    const paths = [
      "/../secret.txt",
      "/..%2f..%2fsecret.txt",
      "/assets/../../../package.json",
      "/%2e%2e/%2e%2e/package.json",
    ]
    for (const path of [...paths, "/assets/..\\..\\package.json", "//etc/passwd", "/.build-stamp", "/assets/%00.js"]) {
      const { text } = await server.send(path)
      expect(text, path).not.toMatch(/swordfish|"name"|root:/)
    }
  })
})
