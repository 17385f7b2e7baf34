import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { inspect } from "node:util"
import type { SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as z from "zod"
import { tool } from "../src/index.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "a.txt": "one\ntwo\n", "docs/b.md": "# B\n" })
})
afterEach(() => world.remove())

test("a call gives the envelope and beside it what the model reads", async () => {
  const session = await (await world.haft()).openSession()
  const read = await session.call("read", { file_path: "a.txt" })
  expect(read).toMatchObject({ type: "output", data: { content: "one\ntwo\n" } })
  expect(read.text).toBe("     1\tone\n     2\ttwo")
  expect(read.content).toEqual([{ type: "text", text: read.text }])
  const failed = await session.call("read", { file_path: "b.txt" })
  expect(failed.type).toBe("error")
  expect(failed.text).toContain('"b.txt"')
})

test("a result is put into words when they are first read, and every copy of it has them", async () => {
  let worded = 0
  const present = ({ sum }: { sum: number }) => {
    worded += 1
    return `the sum is ${sum}`
  }
  const sum = tool({
    ...{ id: "sum", description: "Adds.", input: z.object({}), execute: async () => ({ sum: 3 }), present },
    limit: { unit: "bytes", max: 1000, past: "paged" },
  })
  const session = await (await world.haft({ tools: [sum] })).openSession()
  const result = await session.call("sum", {})
  expect(result).toHaveProperty("data.sum", 3)
  expect(worded).toBe(0)
  const words = { content: [{ type: "text", text: "the sum is 3" }], text: "the sum is 3" }
  expect(JSON.parse(JSON.stringify(result))).toMatchObject(words)
  expect({ ...result }).toMatchObject(words)
  expect(structuredClone(result)).toMatchObject(words)
  expect(inspect(result)).toContain("text: 'the sum is 3'")
  expect(worded).toBe(1)
})

test("rules may be texts, and one that cannot be read is refused by its place and reason", async () => {
  const session = await (await world.haft({ rules: ["allow fs.write(docs/**)", "deny fs.read(a.txt)"] })).openSession()
  expect(await session.call("write", { file_path: "docs/new.md", content: "x" })).toMatchObject({ type: "output" })
  expect(await session.call("write", { file_path: "new.md", content: "x" })).toMatchObject({ type: "error" })
  expect((await session.call("read", { file_path: "a.txt" })).metadata.error_code).toBe("denied")
  await expect(world.haft({ rules: ["alow fs.write(docs/**)"] })).rejects.toMatchObject({
    code: "invalid_args",
    message:
      'Cannot use option "rules": number 1 of the list is "alow fs.write(docs/**)": it must begin with allow, deny or ask',
  })
  await expect(world.haft({ rules: ["deny fs.raed(a.txt)"] })).rejects.toThrow(
    'number 1 of the list is about "fs.raed": there is fs.read, fs.write, fs.delete, net.fetch, shell.run, or the id',
  )
  await expect(world.haft({ rules: ["allow fs.read", "deny fs.write(docs/**"] })).rejects.toThrow(
    'number 2 of the list is "deny fs.write(docs/**": the parenthesis is not closed',
  )
})

test("an empty list of toolsets leaves the tools of the caller alone", async () => {
  const session = await (await world.haft({ toolset: [] })).openSession()
  expect(session.tools()).toEqual([])
  expect((await session.call("read", { file_path: "a.txt" })).metadata.error_code).toBe("not_found")
})

test("another journal than SQLite and PostgreSQL is refused", async () => {
  await expect(world.haft({ storage: { store: "mysql://x" } })).rejects.toThrow("a SQLite file or a postgres:// URL")
})

test("a tool that does not exist is not_found, in every dialect", async () => {
  const session = await (await world.haft()).openSession()
  expect((await session.call("raed", {})).metadata.error_code).toBe("not_found")
  const { result } = await session.callIn("claw", "read_fil", {})
  expect(result.envelope.metadata.error_code).toBe("not_found")
})

test("a dialect goes by its name wherever one is taken", async () => {
  const session = await (await world.haft()).openSession()
  expect((await session.callIn("claw", "read_file", { path: "a.txt" })).projection.success).toBe(true)
  expect((await session.callIn("haft", "read", { file_path: "a.txt" })).projection).toMatchObject({
    success: true,
    text: "     1\tone\n     2\ttwo",
  })
  const explained = await session.explain("read_file", { path: "a.txt" }, { dialect: "claw" })
  expect(explained.ladder.verdict).toBe("allow")
  const named = (await session.tools({ dialect: "asyar" })) as readonly { name: string }[]
  expect(named).toHaveLength(8)
  expect((await session.toolDefinitions({ dialect: "claw" })).map(({ name }) => name)).toContain("read_file")
  expect(await session.executor({ dialect: "a3s" }).execute("read", '{"file_path":"a.txt"}')).toContain("two")
  await expect(session.callIn("klaw", "read_file", {})).rejects.toThrow('Cannot speak dialect "klaw"')
})

test("an executor passes the signal on", async () => {
  const session = await (await world.haft()).openSession()
  const abort = new AbortController()
  const running = session.executor().execute("bash", '{"command":"sleep 30"}', { signal: abort.signal })
  setTimeout(() => abort.abort(), 200)
  await expect(running).rejects.toMatchObject({ code: "cancelled" })
})

test("the events of a session are an iterator that ends with the session, with the signal or when it is left", async () => {
  const session = await (await world.haft()).openSession()
  const other = await (await world.haft()).openSession()
  const abort = new AbortController()
  const events = session.events()
  const aborted = session.events({ signal: abort.signal })
  await other.call("read", { file_path: "a.txt" })
  await session.call("read", { file_path: "a.txt" })
  abort.abort()
  await session.call("ls", {})
  await session.close()
  expect(await named(events)).toEqual([
    "tool-call read",
    "tool-start read",
    "tool-end read",
    "tool-call ls",
    "tool-start ls",
    "tool-end ls",
  ])
  expect(await named(aborted)).toEqual(["tool-call read", "tool-start read", "tool-end read"])
  expect(await named(session.events())).toEqual([])
  for await (const event of other.events({ signal: AbortSignal.timeout(100) })) expect(event).toBeUndefined()
}, 30_000)

async function named(events: AsyncIterable<SessionEvent>): Promise<readonly string[]> {
  const names: string[] = []
  for await (const event of events) names.push("tool" in event ? `${event.type} ${event.tool}` : event.type)
  return names
}

test("a session and a Haft are closed by await using", async () => {
  const haft = await world.haft()
  let scratch = ""
  {
    await using session = await haft.openSession()
    scratch = session.scratch
    expect(await session.call("write", { file_path: join(scratch, "x"), content: "x" })).toMatchObject({
      type: "output",
    })
    expect(existsSync(scratch)).toBe(true)
  }
  expect(existsSync(scratch)).toBe(false)
  {
    await using closing = haft
    expect(closing).toBe(haft)
  }
  await expect(haft.openSession()).rejects.toThrow("it is closed")
})

test("with `configuration` the files of user and folder hold as for the command line; without it none is read", async () => {
  await writeFile(
    world.path("haft.jsonc"),
    '{ "rules": [{ "permission": "fs.read", "pattern": "a.txt", "action": "deny" }] }',
  )
  const without = await (await world.haft()).openSession()
  expect((await without.call("read", { file_path: "a.txt" })).type).toBe("output")
  const loaded = await (await world.haft({ configuration: true, rules: ["deny fs.read(docs/**)"] })).openSession()
  expect((await loaded.call("read", { file_path: "a.txt" })).metadata.error_code).toBe("denied")
  expect((await loaded.call("read", { file_path: "docs/b.md" })).metadata.error_code).toBe("denied")
  await writeFile(world.path("haft.jsonc"), "{ rules: ")
  await expect(world.haft({ configuration: true })).rejects.toMatchObject({ code: "not_configured" })
})
