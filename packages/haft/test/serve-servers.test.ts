import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { modules, realServer } from "./mcp-world.js"
import { type Served, serveHere } from "./serve-world.js"
import { sandboxIsHere } from "./shell-world.js"
import { workbench } from "./workbench.js"

describe.skipIf(!sandboxIsHere)("an MCP server, from the first look to a call", () => {
  const { command, args = [] } = realServer("server-everything")
  const entry = { command, args, readable: [modules] }
  let server: Served

  beforeAll(async () => {
    const bench = workbench()
    bench.write(".mcp.json", JSON.stringify({ mcpServers: { every: entry } }))
    server = await serveHere([], bench)
  })
  afterAll(async () => {
    await server?.stop()
    server?.bench.remove()
  })

  const listed = async () => (await server.send("/api/servers")).json[0]
  const tools = async () =>
    (await server.send("/api/tools")).json.flatMap(({ id }: { id: string }) => (id.startsWith("mcp__") ? [id] : []))

  test("nobody trusts it: it is listed with its command, and its tools are not there", async () => {
    expect(await listed()).toMatchObject({
      name: "every",
      state: "untrusted",
      transport: "stdio",
      command: [command, ...args],
    })
    expect(await tools()).toEqual([])
  })

  test("a look starts it once and shows what it offers; trust needs exactly that", async () => {
    const { entry: named } = await listed()
    const wrong = await server.send("/api/servers/every/test", { json: { entry: `${named}0` } })
    expect(wrong.status).toBe(409)
    const look = await server.send("/api/servers/every/test", { json: { entry: named } })
    expect(look.json).toMatchObject({ name: "every", problems: [] })
    expect(look.json.tools.map(({ name }: { name: string }) => name)).toContain("echo")
    const forged = { json: { digest: "0".repeat(64) } }
    expect(await server.send("/api/servers/every/trust", forged)).toMatchObject({ status: 409 })
    expect(await tools()).toEqual([])
    const trusted = await server.send("/api/servers/every/trust", { json: { digest: look.json.digest } })
    expect(trusted.json).toEqual({ trusted: true })
    expect(await listed()).toMatchObject({ state: "trusted", trustedAt: expect.any(Number) })
  })

  test("then its tools are in the catalogue and in new sessions, and a call asks as any other", async () => {
    expect(await tools()).toContain("mcp__every__echo")
    const { json: detail } = await server.send("/api/tools/mcp__every__echo")
    expect(detail).toMatchObject({ foreign: true, input_schema: { required: ["message"] } })
    const id = await server.open({})
    const call = server.call(id, "mcp__every__echo", { message: "hello" })
    const ask = await server.ask(({ session }) => session === id)
    expect(ask).toMatchObject({ kind: "ask", request: { tool: "mcp__every__echo" } })
    await server.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
    expect((await call).json).toMatchObject({ type: "output", data: { server: "every", text: "Echo: hello" } })
    const refused = server.call(id, "mcp__every__echo", { message: "again" })
    const next = await server.ask(({ session }) => session === id)
    await server.send(`/api/asks/${next.id}`, { json: { answer: "reject", reason: "not now" } })
    expect((await refused).json).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
  })

  test("an entry that changes is not trusted any more, and an old look does not bring that back", async () => {
    const { json: old } = await server.send("/api/servers/every/test", { json: { entry: (await listed()).entry } })
    const changed = { ...entry, args: [...args, "stdio"] }
    server.bench.write(".mcp.json", JSON.stringify({ mcpServers: { every: changed } }))
    expect((await listed()).state).toBe("changed")
    await server.send("/api/servers/every/trust", { json: { digest: old.digest } })
    expect((await listed()).state).toBe("changed")
  })
})
