import type { Client } from "@modelcontextprotocol/client"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  type AnyClient,
  blocks,
  clientKinds,
  connectHttp,
  connectStdio,
  type Listening,
  listen,
  modelText,
} from "./mcp-serve-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

let command: SourceCommand
let bench: Workbench
const opened: AnyClient[] = []
let server: Listening | undefined

beforeAll(async () => {
  command = await sourceCommand()
}, 120_000)
afterAll(() => command.remove())
beforeEach(() => {
  bench = workbench()
})
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
  await server?.stop()
  server = undefined
  bench.remove()
})

// Nothing here may reach further than this machine.
const words = ["--deny", "net.fetch", "--allow", "fs.write(out/**)"]

/** Every locked tool, a call to it, and what a client gets. */
const calls = [
  { name: "read", arguments: { file_path: "a.txt" }, text: /hello/ },
  { name: "write", arguments: { file_path: "out/new.txt", content: "one\n" }, text: /out\/new\.txt/ },
  {
    name: "edit",
    arguments: { file_path: "out/new.txt", old_string: "one", new_string: "two" },
    text: /out\/new\.txt/,
  },
  { name: "glob", arguments: { pattern: "*.txt" }, text: /a\.txt/ },
  { name: "grep", arguments: { pattern: "hel+o" }, text: /a\.txt/ },
  { name: "bash", arguments: { command: "cat a.txt" }, text: /hello/ },
  { name: "todo", arguments: { todos: [{ content: "Test it", status: "pending" }] }, text: /1 pending/ },
  { name: "task", arguments: { description: "x", prompt: "y", subagent_type: "general" }, fails: "not_configured" },
  { name: "question", arguments: { questions: [{ question: "Which?" }] }, fails: "unavailable" },
  { name: "web_search", arguments: { query: "x" }, fails: "denied" },
  { name: "web_fetch", arguments: { url: "http://127.0.0.1:1/" }, fails: "denied" },
  { name: "skill", arguments: { name: "nothing-of-that-name" }, fails: "not_found" },
  { name: "tool_search", arguments: { query: "read" }, text: /read/ },
] as const

async function connect(door: "stdio" | "http", kind: (typeof clientKinds)[number]): Promise<AnyClient> {
  if (door === "http") server ??= await listen(command, bench, words)
  const client = server
    ? await connectHttp(server, { kind })
    : (await connectStdio(command, bench, { kind, words })).client
  opened.push(client)
  return client
}

describe.each(["stdio", "http"] as const)("over %s", (door) => {
  test.each(clientKinds)("the official client %s lists and calls every locked tool", async (kind) => {
    bench.write("a.txt", "hello\n")
    const client = await connect(door, kind)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(calls.map(({ name }) => name))
    for (const { name, arguments: input, ...expected } of calls) {
      const result = await client.callTool({ name, arguments: input as never })
      const envelope = (result._meta as Record<string, { readonly error_code?: string }>)["haft/envelope"]
      if ("fails" in expected) {
        expect([name, result.isError, envelope?.error_code]).toEqual([name, true, expected.fails])
      } else {
        expect([name, result.isError, envelope?.error_code]).toEqual([name, undefined, undefined])
        expect(modelText(result)).toMatch(expected.text)
        expect(result.structuredContent).toBeTypeOf("object")
      }
    }
    expect(bench.read("out/new.txt")).toBe("two\n")
  })
})

test("what is listed says title, all four annotations and both schemas, in the same order every time", async () => {
  const client = await connect("stdio", "2.4 of 2026")
  const { tools } = await client.listTools()
  const hints = Object.fromEntries(
    tools.map(({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = {} }) => [
      name,
      [readOnlyHint, destructiveHint, idempotentHint, openWorldHint],
    ]),
  )
  expect(hints).toEqual({
    // read-only, destructive, idempotent, open world
    read: [true, false, true, false],
    write: [false, true, true, false],
    edit: [false, true, false, false],
    glob: [true, false, true, false],
    grep: [true, false, true, false],
    bash: [false, true, false, true],
    todo: [true, false, true, false],
    task: [false, true, true, true],
    question: [true, false, true, false],
    web_search: [true, false, true, true],
    web_fetch: [true, false, true, true],
    skill: [true, false, true, false],
    tool_search: [true, false, true, false],
  })
  for (const { title, inputSchema, outputSchema } of tools) {
    expect(title).toMatch(/^[A-Z]/)
    expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"])
  }
  expect((await client.listTools()).tools).toEqual(tools)
})

test("--tools, --toolset and a rule that denies a tool decide what is listed; what is not listed cannot be called", async () => {
  const listed = async (...more: readonly string[]) => {
    const { client } = await connectStdio(command, bench, { kind: "2.4 of 2025", words: more })
    opened.push(client)
    return { client, names: (await client.listTools()).tools.map(({ name }) => name) }
  }
  const { client, names } = await listed("--tools", "grep,read")
  expect(names).toEqual(["read", "grep"])
  await expect(client.callTool({ name: "bash", arguments: { command: "true" } })).rejects.toThrow(/Unknown tool: bash/)
  await expect(client.callTool({ name: "raed" })).rejects.toThrow(/Did you mean read/)
  expect((await listed("--toolset", "launcher")).names).toContain("calculator")
  expect((await listed("--deny", "bash")).names).toEqual(
    calls.map(({ name }) => name).filter((name) => name !== "bash"),
  )
})

test("arguments that do not fit are a result that the model can act on", async () => {
  const client = await connect("http", "2.4 of 2026")
  const result = await client.callTool({ name: "read", arguments: { path: 5 } })
  expect(result.isError).toBe(true)
  expect(modelText(result)).toMatch(/file_path/)
})

test("a thousand calls at once are all answered, each with its own", async () => {
  for (let file = 0; file < 50; file += 1) bench.write(`f${file}.txt`, `content ${file}\n`)
  const client = await connect("stdio", "2.4 of 2026")
  const numbers = Array.from({ length: 1000 }, (_, index) => index)
  const texts = await Promise.all(
    numbers.map(async (index) => {
      const input = { file_path: `f${index % 50}.txt`, limit: 1 + Math.floor(index / 50) }
      return modelText(await client.callTool({ name: "read", arguments: input }))
    }),
  )
  expect(texts.map((text) => /content (\d+)/.exec(text)?.[1])).toEqual(numbers.map((index) => String(index % 50)))
})

test("an output that was cut is linked, listed and read whole, and only by its own session", async () => {
  bench.write("long.txt", Array.from({ length: 60_000 }, (_, index) => `line ${index}`).join("\n"))
  const client = await connect("http", "2.4 of 2025")
  const result = await client.callTool({ name: "bash", arguments: { command: "cat long.txt" } })
  const link = blocks(result).find(({ type }) => type === "resource_link")
  expect(link?.uri).toMatch(/^haft:\/\/session\/ses_\w+\/call_\w+$/)
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([link?.uri])
  const { contents } = await client.readResource({ uri: link!.uri! })
  expect((contents[0] as { text: string }).text).toContain("line 31234\n")
  const other = await connect("http", "2.4 of 2026")
  await expect(other.readResource({ uri: link!.uri! })).rejects.toThrow(/not found/i)
  await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/not found/i)
})

test("what a call prints is told while it runs, rising, and only to a client that asks", async () => {
  const client = (await connect("stdio", "2.4 of 2026")) as Client
  const told: { progress: number; message?: string }[] = []
  const input = { command: "for i in 1 2 3 4; do echo step $i; sleep 0.3; done" }
  const request = { name: "bash", arguments: input }
  await client.callTool(request, { onprogress: (progress) => void told.push(progress as never) })
  expect(told.length).toBeGreaterThan(1)
  expect(told.map(({ message }) => message)).toContain("step 2")
  const amounts = told.map(({ progress }) => progress)
  expect(amounts).toEqual([...new Set(amounts)].sort((a, b) => a - b))
})
