import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openModel } from "@haft/agent"
import type { SessionEvent } from "@haft/contract"
import { type ProviderApi, type ProviderServer, type ScriptedReply, startProviderServer } from "@haft/testkit"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import * as z from "zod"
import { createHaft, type Haft, tool } from "../src/index.js"
import { openHaft } from "../src/library/create-haft.js"

let folder: string
let haft: Pick<Haft, "agent" | "close">
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

// One pixel.
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

test.each<[string, ProviderApi, string]>([
  ["anthropic:claude-test", "anthropic", '{"type":"image","source":{"type":"base64","media_type":"image/png"'],
  ["openai:gpt-5-test", "openai-responses", '{"type":"input_image","image_url":"data:image/png;base64,'],
  ["google:gemini-test", "gemini", '{"inlineData":{"mimeType":"image/png"'],
  ["openai-compatible:local-test", "openai-chat", "The image is not shown"],
])("%s: the model sees an image that a tool read, or reads that it cannot", async (name, api, expected) => {
  await writeFile(join(folder, "work/a.png"), Buffer.from(png, "base64"))
  server = await startProviderServer({
    replies: [{ calls: [{ name: "read", args: { file_path: "a.png" } }] }, { text: "Seen." }],
  })
  const agent = haft.agent({ model: await openModel(name, { baseUrl: server.baseUrl(api), env }) })
  for await (const _ of agent.send("Look at it"));
  expect(await agent.result).toMatchObject({ reason: "done" })
  const last = JSON.stringify(server.requests.at(-1))
  expect(last).toContain(expected)
  expect(last.includes(png)).toBe(api !== "openai-chat")
})

describe("after a change of the model", () => {
  const sub = "---\nname: sub\ndescription: Helps\nmodel: anthropic:claude-sub\n---\nHelp.\n"
  const task = (agent: string) => ({ calls: [{ name: "task", args: { subagent_type: agent, prompt: "Go" } }] })
  let other: ProviderServer

  beforeEach(async () => {
    server = await startProviderServer({ replies: [{ text: "Never." }] })
    other = await startProviderServer({
      replies: [task("general"), task("sub"), ...["Helped.", "Reported.", "Over."].map((text) => ({ text }))],
    })
    vi.stubEnv("ANTHROPIC_API_KEY", "test-key")
    vi.stubEnv("ANTHROPIC_BASE_URL", other.baseUrl("anthropic"))
    vi.stubEnv("HOME", folder)
    await mkdir(join(folder, ".agents/agents"), { recursive: true })
    await writeFile(join(folder, ".agents/agents/sub.md"), sub)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await other.close()
  })

  test("agents that it starts are asked at their own address, and not at that of the model before", async () => {
    await haft.close()
    const driving = await openHaft({ roots: [join(folder, "work")], home: join(folder, "home") })
    haft = driving
    const baseUrl = server.baseUrl("openai-chat")
    const { agent } = await driving.drive({ agent: { model: "openai-compatible:local", baseUrl, contextTokens: 8000 } })
    await agent.useModel("anthropic:claude-test")
    for await (const _ of await agent.agent.send("Go"));
    expect(await agent.agent.newestResult).toMatchObject({ reason: "done", text: "Over." })
    expect(other.requests.map(({ body }) => body.model)).toEqual([
      "claude-test",
      "claude-test",
      "claude-sub",
      "claude-test",
      "claude-test",
    ])
    expect(server.requests).toEqual([])
  })
})

describe("what a provider does not take as an image", () => {
  /** An agent whose tool gives such an image, and what it was told. */
  async function drawing(mediaType: string, data: string, ...replies: readonly ScriptedReply[]) {
    const draw = tool({
      ...{ id: "draw", description: "Draws", input: z.object({}) },
      execute: (_, { attach }) => {
        attach({ mediaType, data })
        return "drawn"
      },
    })
    await haft.close()
    haft = await createHaft({ roots: [join(folder, "work")], home: join(folder, "home"), tools: [draw] })
    server = await startProviderServer({ replies: [{ calls: [{ name: "draw" }] }, ...replies] })
    const model = await openModel("anthropic:claude-test", { baseUrl: server.baseUrl("anthropic"), env })
    const agent = haft.agent({ model })
    const told: string[] = []
    const send = async (message: Parameters<typeof agent.send>[0]) => {
      for await (const event of agent.send(message)) if (event.type === "error") told.push(event.message)
      return agent.result
    }
    return { send, told }
  }

  test("is told in words where no provider takes it", async () => {
    const { send, told } = await drawing("image/svg+xml", "PHN2Zy8+", { text: "Drawn." })
    expect(await send("Draw")).toMatchObject({ reason: "done", text: "Drawn." })
    expect([server.refusals, told]).toEqual([[], []])
    expect(JSON.stringify(server.requests[1])).toContain("image/svg+xml, not shown")
  })

  test("is left out when it is refused, and does not come again", async () => {
    const { send, told } = await drawing("image/png", "bm8gUE5H", { text: "Drawn." }, { text: "Hello." })
    expect(await send("Draw")).toMatchObject({ reason: "done", text: "Drawn.", steps: 2 })
    expect(told).toEqual([expect.stringMatching(/asked again without images.*Could not process image/)])
    expect(await send("Say hello")).toMatchObject({ reason: "done", text: "Hello." })
    expect(server.refusals).toHaveLength(1)
    expect(JSON.stringify(server.requests.at(-1))).toContain("image/png, not shown")
  })

  test("ends the turn of the message that it came with, and is left out of later ones", async () => {
    const { send } = await drawing("image/png", png, { text: "Drawn." }, { text: "Hello." })
    const files = [{ name: "a.png", mediaType: "image/png", data: "bm8gUE5H" }]
    expect(await send({ text: "Look", files })).toMatchObject({
      reason: "model-error",
      message: expect.stringContaining("Could not process image"),
    })
    expect(server.requests).toHaveLength(1)
    expect(await send("Then draw")).toMatchObject({ reason: "done", text: "Drawn." })
    const last = JSON.stringify(server.requests.at(-1))
    expect(last).toContain("a.png (image/png), not shown")
    // An image that came later is shown.
    expect(last).toContain(png)
  })
})

test("a provider that asks to wait is asked again, and the person knows how long and why", async () => {
  server = await startProviderServer({
    replies: [
      { fault: { type: "rate-limit", retryAfter: "2" } },
      { fault: { type: "server-error" } },
      { text: "Now." },
    ],
  })
  const model = await openModel("anthropic:claude-test", { baseUrl: server.baseUrl("anthropic"), env })
  const agent = haft.agent({ model })
  const told: string[] = []
  for await (const event of agent.send("Go")) if (event.type === "error") told.push(event.message)
  expect(await agent.result).toMatchObject({ reason: "done", text: "Now." })
  expect(told).toEqual([expect.stringMatching(/^The model is asked again in 2 seconds: .*Rate limit reached/)])
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

/** What the model is sent in two steps of a turn and in a second turn. */
async function threeRequests(name: string, api: ProviderApi) {
  server = await startProviderServer({
    replies: [{ calls: [{ name: "read", args: { file_path: "a.txt" } }] }, { text: "Read." }, { text: "Again." }],
  })
  const agent = haft.agent({ model: await openModel(name, { baseUrl: server.baseUrl(api), env }) })
  for (const text of ["Read it", "And now?"]) for await (const _ of agent.send(text));
  return { bodies: server.requests.map(({ body }) => body), session: await agent.session() }
}

interface Block {
  readonly type: string
  readonly cache_control?: unknown
}

test("[C2-194] Anthropic is told where the parts of a request end that it will see again", async () => {
  const { bodies } = await threeRequests("anthropic:claude-test", "anthropic")
  const requests = bodies as unknown as { system: Block[]; messages: { role: string; content: Block[] }[] }[]
  const marked = requests.map(({ system, messages }) => ({
    system: system.map((block) => block.cache_control),
    messages: messages.map(({ content }) => content.map((block) => block.cache_control !== undefined)),
  }))
  const system = [{ type: "ephemeral" }]
  expect(marked).toEqual([
    { system, messages: [[true]] },
    { system, messages: [[true], [false], [true]] },
    { system, messages: [[false], [false], [true], [false], [true]] },
  ])
  const bare = requests.map(({ messages }) =>
    messages.map(({ role, content }) => ({ role, content: content.map(({ cache_control: _, ...rest }) => rest) })),
  )
  expect(bare[1]!.slice(0, 1)).toEqual(bare[0])
  expect(bare[2]!.slice(0, 3)).toEqual(bare[1])
})

test.each<[string, ProviderApi]>([
  ["anthropic:claude-test", "anthropic"],
  ["openai:gpt-5-test", "openai-responses"],
])("%s takes a file without words", async (name, api) => {
  server = await startProviderServer({ replies: [{ text: "A dot." }] })
  const agent = haft.agent({ model: await openModel(name, { baseUrl: server.baseUrl(api), env }) })
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  for await (const _ of agent.send({ text: "", files: [{ name: "a.png", mediaType: "image/png", data: dot }] }));
  expect(await agent.result).toMatchObject({ reason: "done", text: "A dot." })
  expect(JSON.stringify(server.requests[0]!.body).includes('"text":""')).toBe(false)
})

test("[C2-194] OpenAI is told which requests belong together, and servers that only resemble it are not", async () => {
  const { bodies, session } = await threeRequests("openai:gpt-5-test", "openai-responses")
  expect(bodies.map((body) => body.prompt_cache_key)).toEqual([session, session, session])
  await server.close()
  const other = await threeRequests("openai-compatible:local-test", "openai-chat")
  expect(JSON.stringify(other.bodies)).not.toMatch(/cache/i)
})
