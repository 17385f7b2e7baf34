import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openModel } from "@haft/agent"
import { type ProviderFault, type ProviderServer, type ScriptedReply, startProviderServer } from "@haft/testkit"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as z from "zod"
import { tool } from "../src/index.js"
import { AgentWorld, all } from "./agent-world.js"

let world: AgentWorld
let server: ProviderServer | undefined
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(async () => {
  await world.remove()
  await server?.close()
})

const reads = (path: string) => ({ calls: [{ name: "read", args: { file_path: path } }] })
const tooLong: ProviderFault = { type: "context-length" }

/** Some 11,000 tokens each. */
async function longFiles(count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `long${index}.txt`)
  for (const name of names) await writeFile(join(world.work, name), `${name} words and more words\n`.repeat(1300))
  return names
}

/** A model of which nobody knows how much it reads. */
async function local(...replies: readonly ScriptedReply[]) {
  server = await startProviderServer({ replies })
  return openModel("openai-compatible:local", { baseUrl: server.baseUrl("openai-chat"), env: {} })
}

/** Reads one file after another; a provider counts what it was sent. */
const readsAll = (files: readonly string[]): readonly ScriptedReply[] =>
  files.map((file, index) => ({ ...reads(file), usage: { input: 12_000 + index * 11_000, output: 20 } }))

const sizes = () => server!.requests.map(({ body }) => JSON.stringify(body.messages).length)

test("those who watch are told that a conversation is made shorter, and what is left of it", async () => {
  const [one, two] = await longFiles(2)
  const { model } = await world.model(
    reads(one!),
    reads(two!),
    { text: "Read.", usage: { input: 99_000, output: 5 } },
    { text: "THE SUMMARY", usage: { input: 500, output: 50 } },
    { text: "After.", usage: { input: 10, output: 1 } },
  )
  const agent = (await world.open()).agent({ model, contextTokens: 100_000 })
  const about = (events: readonly { readonly type: string }[]) =>
    events.filter(({ type }) => type.startsWith("compaction"))
  expect(about(await all(agent.send("Read both")))).toEqual([])
  const events = await all(agent.send("And now?"))
  expect(about(events)).toMatchObject([
    { type: "compaction-start", step: 1 },
    { type: "compaction-end", step: 1, leftOut: 0, summary: "THE SUMMARY", usage: { inputTokens: 500 } },
  ])
  expect(events.at(-1)).toMatchObject({ type: "turn-end", outcome: { text: "After." } })
})

test("a model that refuses a conversation as too long is asked again with a shorter one", async () => {
  const files = await longFiles(4)
  const model = await local(
    ...readsAll(files),
    { fault: tooLong },
    { text: "THE SUMMARY" },
    { text: "After." },
    { text: "Again." },
  )
  const haft = await world.open()
  const agent = haft.agent({ model })
  const events = await all(agent.send("Read all"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "After." })
  expect(events.filter(({ type }) => type === "compaction-end")).toMatchObject([{ summary: "THE SUMMARY" }])
  const after = JSON.stringify(server!.requests.at(-1)!.body.messages)
  expect(after).toContain("THE SUMMARY")
  expect(sizes()[6]! * 2).toBeLessThan(sizes()[4]!)
  const session = await agent.session()
  await agent.close()
  // Another process sees the same conversation.
  const again = haft.agent({ model, session })
  await all(again.send("Go on"))
  expect(await again.result).toMatchObject({ reason: "done", text: "Again." })
  const next = JSON.stringify(server!.requests.at(-1)!.body.messages)
  expect(next.startsWith(after.slice(0, -1))).toBe(true)
})

test("a model that refuses the shorter conversation too ends the turn, and the next turn tries once more", async () => {
  const files = await longFiles(4)
  const model = await local(
    ...readsAll(files),
    { fault: tooLong },
    { text: "THE SUMMARY" },
    { fault: tooLong },
    { text: "Read." },
  )
  const agent = (await world.open()).agent({ model })
  await all(agent.send("Read all"))
  expect(await agent.result).toMatchObject({
    reason: "model-error",
    message: expect.stringContaining("refused the request as too long"),
    hint: expect.stringContaining("larger context"),
  })
  expect(server!.requests).toHaveLength(7)
  await all(agent.send("Once more"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Read." })
})

test("a request that was refused as too long is no step of its turn", async () => {
  const files = await longFiles(4)
  const model = await local(...readsAll(files), { fault: tooLong }, { text: "THE SUMMARY" }, { text: "After." })
  const agent = (await world.open()).agent({ model, limits: { maxSteps: 5 } })
  await all(agent.send("Read all"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "After.", steps: 5 })
})

test("old images are left out like long results, before anything is summed up", async () => {
  const shot = tool({
    ...{ id: "shot", description: "Shows the screen", input: z.object({ n: z.number() }) },
    execute: ({ n }, { attach }) => {
      attach({ mediaType: "image/png", data: "iVBORw0KGgo=" })
      return `shot ${n}`
    },
  })
  const shots = Array.from({ length: 40 }, (_, n) => ({ calls: [{ name: "shot", args: { n } }] }))
  const { model, prompts } = await world.model(...shots, { text: "Seen." })
  const agent = (await world.open({ tools: [shot] })).agent({ model, contextTokens: 60_000 })
  const events = await all(agent.send("Look"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Seen." })
  expect(events.filter(({ type }) => type === "compaction-start")).toEqual([])
  const last = JSON.stringify(prompts.at(-1))
  expect(last).toContain("is left out now")
  expect(last.split("image-data").length - 1).toBeLessThan(30)
})

test("a summary is written from words alone: another model writes it, which may see no images", async () => {
  const [one, two] = await longFiles(2)
  const { model, prompts } = await world.model(
    reads(one!),
    reads(two!),
    { text: "Read.", usage: { input: 99_000, output: 5 } },
    { text: "THE SUMMARY" },
    { text: "After." },
  )
  const agent = (await world.open()).agent({ model, contextTokens: 100_000 })
  const files = [{ name: "a.png", mediaType: "image/png", data: "iVBORw0KGgo=" }]
  await all(agent.send({ text: "Read both", files }))
  expect(JSON.stringify(prompts[2])).toContain("iVBORw0KGgo=")
  await all(agent.send("And now?"))
  expect(JSON.stringify(prompts[3])).toContain("Write a summary")
  expect(JSON.stringify(prompts[3])).toContain("a.png (image/png), not shown")
  expect(JSON.stringify(prompts[3])).not.toContain("iVBORw0KGgo=")
})

test("a single message that is too long cannot be made shorter, and says so", async () => {
  const model = await local({ fault: tooLong })
  const agent = (await world.open()).agent({ model })
  const events = await all(agent.send("x".repeat(500_000)))
  expect(await agent.result).toMatchObject({
    reason: "model-error",
    message: "The model refused the conversation as too long, and nothing of it can be left out",
  })
  expect(events.filter(({ type }) => type.startsWith("compaction"))).toEqual([])
  expect(server!.requests).toHaveLength(1)
})

test("a conversation of which nothing can be left out is tried as long as it fits at all", async () => {
  const { model } = await world.model({ text: "Long." }, { text: "THE SUMMARY" })
  const agent = (await world.open()).agent({ model, contextTokens: 100_000 })
  await all(agent.send("x".repeat(360_000)))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Long." })
  await all(agent.send("x".repeat(480_000)))
  expect(await agent.result).toMatchObject({
    reason: "model-error",
    message: expect.stringMatching(/^The conversation needs about 12\d{4} tokens and the model reads/),
  })
})

test("a result that leads beyond the context of the model is no reason against a summary of what is before it", async () => {
  const files = await longFiles(3)
  const { model } = await world.model(
    reads(files[0]!),
    reads(files[1]!),
    { ...reads(files[2]!), usage: { input: 95_000, output: 5 } },
    { text: "THE SUMMARY", usage: { input: 500, output: 50 } },
    { text: "After." },
  )
  const agent = (await world.open()).agent({ model, contextTokens: 100_000 })
  await all(agent.send("Read all"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "After." })
})

test("where the summary fails, leaving out old results is enough when that makes room", async () => {
  const files = await longFiles(8)
  const model = await local(...readsAll(files), { fault: tooLong }, { fault: tooLong }, { text: "After." })
  const agent = (await world.open()).agent({ model })
  const events = await all(agent.send("x".repeat(48_000)))
  expect(await agent.result).toMatchObject({ reason: "done", text: "After." })
  const [end] = events.filter(({ type }) => type === "compaction-end")
  expect(end).toMatchObject({ leftOut: 5 })
  expect(end).not.toHaveProperty("summary")
  expect(JSON.stringify(server!.requests[9]!.body.messages)).toContain("Write a summary")
})

test("[C2-120] another model writes the summaries, where one is set", async () => {
  const [one, two] = await longFiles(2)
  const main = await world.model(
    reads(one!),
    reads(two!),
    { text: "Read.", usage: { input: 99_000, output: 5 } },
    { text: "After.", usage: { input: 10, output: 1 } },
  )
  const cheap = await world.model({ text: "THE SUMMARY" })
  const agent = (await world.open()).agent({
    model: main.model,
    summaryModel: cheap.model,
    contextTokens: 100_000,
  })
  await all(agent.send("Read it"))
  await all(agent.send("And now?"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "After." })
  expect(cheap.requests).toHaveLength(1)
  expect(main.requests).toHaveLength(4)
})

test("the recording of a conversation that was made shorter says the same where there is room", async () => {
  const [one, two] = await longFiles(2)
  const lines = [
    reads(one!),
    reads(two!),
    { text: "Read.", usage: { input: 99_000, output: 5 } },
    { text: "THE SUMMARY", usage: { input: 500, output: 50 } },
    { text: "After.", usage: { input: 10, output: 1 } },
  ]
  const record = join(world.folder, "recorded.jsonl")
  const haft = await world.open()
  const messages = ["Read it", "And now?"]
  const agent = haft.agent({ model: (await world.model(...lines)).model, contextTokens: 100_000, record })
  for (const message of messages) await all(agent.send(message))
  await agent.close()
  const recorded = (await readFile(record, "utf8")).trim().split("\n")
  expect(recorded.map((line) => (JSON.parse(line) as { agent?: string }).agent)).toEqual([
    undefined,
    undefined,
    undefined,
    "compaction",
    undefined,
  ])
  const again = haft.agent({ model: `script:${record}` })
  for (const message of messages) await all(again.send(message))
  expect(await again.result).toMatchObject({ reason: "done", text: "After." })
})

test("how much a model reads is not said of the model of a subagent", async () => {
  const usage = { input: 99_000, output: 1 }
  const own = join(world.folder, "own.jsonl")
  await writeFile(
    own,
    [reads("a.txt"), { text: "Looked." }].map((line) => JSON.stringify({ ...line, usage })).join("\n"),
  )
  await mkdir(join(world.work, ".agents/agents"), { recursive: true })
  await writeFile(
    join(world.work, ".agents/agents/scout.md"),
    `---\nname: scout\ndescription: Looks around.\nmode: subagent\nmodel: script:${own}\n---\nLook.\n`,
  )
  const { model } = await world.model(
    { calls: [{ name: "task", args: { subagent_type: "scout", prompt: "Look" } }] },
    { text: "Over." },
  )
  const haft = await world.open({ workspace: { trusted: true } })
  const agent = haft.agent({ model, contextTokens: 50_000 })
  const events = await all(agent.send("Go"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Over." })
  expect(events.filter(({ type }) => type.startsWith("compaction"))).toEqual([])
})
