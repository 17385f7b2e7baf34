import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openModel } from "@haft/agent"
import type { SessionEvent } from "@haft/contract"
import { type ProviderApi, type ProviderServer, startProviderServer } from "@haft/testkit"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createHaft, type Haft } from "../src/index.js"

let folder: string
let haft: Haft
let server: ProviderServer

const env = {
  ANTHROPIC_API_KEY: "test-key",
  OPENAI_API_KEY: "test-key",
  GEMINI_API_KEY: "test-key",
  OPENAI_COMPATIBLE_API_KEY: "test-key",
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-providers-"))
  await mkdir(join(folder, "work"))
  await writeFile(join(folder, "work/a.txt"), "one\ntwo TODO\n")
  haft = await createHaft({ roots: [join(folder, "work")], home: join(folder, "home") })
})
afterEach(async () => {
  await haft.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

test.each<[string, ProviderApi]>([
  ["anthropic:claude-test", "anthropic"],
  ["openai:gpt-5-test", "openai-responses"],
  ["google:gemini-test", "gemini"],
  ["openai-compatible:local-test", "openai-chat"],
])("%s: parallel calls, an error that the model reads and recovers from, a fault that heals", async (name, api) => {
  server = await startProviderServer({
    replies: [
      {
        text: "I look.",
        calls: [
          { name: "grep", args: { pattern: "TODO" } },
          { name: "read", args: { file_path: "a.txt" } },
        ],
      },
      { calls: [{ name: "read", args: { file_path: "missing.txt" } }] },
      { fault: { type: "server-error" } },
      { calls: [{ name: "raed", input: '{"file_path":' }] },
      { text: "It is in a.txt." },
    ],
  })
  const model = await openModel(name, { baseUrl: server.baseUrl(api), env })
  const agent = haft.agent({ model })
  const ends: string[] = []
  for await (const event of agent.send("Where is the TODO?") as AsyncIterable<SessionEvent>) {
    if (event.type === "tool-end") ends.push(`${event.tool} ${event.envelope.type}`)
  }
  expect(await agent.result).toMatchObject({ reason: "done", text: "It is in a.txt.", steps: 4 })
  expect(ends.slice(0, 2).sort()).toEqual(["grep output", "read output"])
  expect(ends.slice(2)).toEqual(["read error", "raed error"])
  expect(server.refusals).toEqual([])
  const last = JSON.stringify(server.requests.at(-1))
  expect(last).toContain("missing.txt")
  expect(last).toContain("Did you mean")
})

test("an agent in a3s is offered every tool of that system, and calls them by its names", async () => {
  server = await startProviderServer({
    replies: [{ calls: [{ name: "read", args: { file_path: "a.txt" } }] }, { text: "Read." }],
  })
  const model = await openModel("anthropic:claude-test", { baseUrl: server.baseUrl("anthropic"), env })
  const agent = haft.agent({ model, dialect: "a3s" })
  const ends: string[] = []
  for await (const event of agent.send("Read it") as AsyncIterable<SessionEvent>) {
    if (event.type === "tool-end") ends.push(event.envelope.type)
  }
  expect(ends).toEqual(["output"])
  const { tools } = server.requests[0]!.body as { tools: readonly { name: string }[] }
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ["bash", "box", "edit", "git", "glob", "grep", "ls", "patch", "read", "web_fetch", "web_search", "write"].sort(),
  )
})
