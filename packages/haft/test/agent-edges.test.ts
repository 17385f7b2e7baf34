import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { type Agent, tool } from "../src/index.js"
import { AgentWorld, all } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

const reads = { calls: [{ name: "read", args: { file_path: "a.txt" } }] }
const options = [
  { label: "a", description: "a" },
  { label: "b", description: "b" },
]
const asks = { calls: [{ name: "question", args: { questions: [{ question: "What?", header: "H", options }] } }] }
const starts = (more: object = {}) => ({
  calls: [{ name: "task", args: { subagent_type: "general", prompt: "Go", ...more } }],
})
const textOf = (value: unknown) => JSON.stringify(value)
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 })

/** Reads to the end of a turn, and does something at the first event of a type. */
async function until(agent: Agent, message: string, type: SessionEvent["type"], act: () => unknown): Promise<void> {
  let isDone = false
  for await (const event of agent.send(message)) {
    if (event.type !== type || isDone) continue
    isDone = true
    void act()
  }
}

async function turnOf(agent: Agent, message: string): Promise<string> {
  const [start] = await all(agent.send(message))
  return (start as Extract<SessionEvent, { type: "turn-start" }>).turn
}

describe("a turn that cannot go on here", () => {
  test("its reader comes to an end when the agent is closed", async () => {
    const { model } = await world.model(asks)
    const agent = (await world.open()).agent({ model, person: "events" })
    await until(agent, "Go", "question", () => agent.close())
    await expect(agent.result).rejects.toThrow("can go on when its session is resumed")
  })

  test("its reader comes to an end when the journal takes no more, and the result says why", async () => {
    const { model } = await world.model(reads, { text: "Over." })
    const haft = await world.open()
    const agent = haft.agent({ model })
    const store = await haft.store()
    const append = store.append.bind(store)
    vi.spyOn(store, "append").mockImplementation((record, how) =>
      record.kind === "step" && record.key === "reply:2"
        ? Promise.reject(new Error("the disk is full"))
        : append(record, how),
    )
    await all(agent.send("Go"))
    await expect(agent.result).rejects.toThrow("the disk is full")
    vi.restoreAllMocks()
  })

  test.each([
    ["without", { maxTimeMs: 60_000 }, {}],
    ["with", {}, { maxTimeMs: 60_000 }],
  ])(
    "it goes on %s a limit of time that it did not have before, and so does the next message",
    async (_, before, after) => {
      const first = await world.open()
      const { model } = await world.model(reads, asks)
      const agent = first.agent({ model, person: "events", limits: before })
      await until(agent, "Go", "question", () => first.close())
      const session = await agent.session()
      const seen = await world.model({ text: "Over." }, { text: "Next." })
      const again = (await world.open()).agent({ model: seen.model, person: "events", session, limits: after })
      await again.session()
      await eventually(async () => expect(await again.waits()).toHaveLength(1))
      const [wait] = await again.waits()
      await again.answer(wait!.name, [["a"]])
      await all(again.send("And now?"))
      expect(await again.result).toMatchObject({ reason: "done", text: "Next." })
      expect(textOf(seen.prompts.at(-1))).not.toContain("did not run")
    },
  )
})

describe("what the model reads of earlier calls", () => {
  test("is the image itself where a call gave one", async () => {
    const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    await writeFile(join(world.work, "dot.png"), Buffer.from(data, "base64"))
    const seen = await world.model({ calls: [{ name: "read", args: { file_path: "dot.png" } }] }, { text: "A dot." })
    await all((await world.open()).agent({ model: seen.model }).send("Look"))
    expect(seen.prompts[1]!.at(-1)).toMatchObject({
      content: [
        {
          output: { type: "content", value: [{ type: "text" }, { type: "image-data", mediaType: "image/png", data }] },
        },
      ],
    })
  })

  test("that failed is an error also in the next process", async () => {
    const calls = [{ name: "read", args: { file_path: "none.txt" } }]
    const first = await world.open()
    const agent = first.agent({ model: (await world.model({ calls }, { text: "Over." })).model })
    await all(agent.send("Read"))
    const session = await agent.session()
    await first.close()
    const seen = await world.model({ text: "Next." })
    await all((await world.open()).agent({ model: seen.model, session }).send("And now?"))
    expect(seen.prompts[0]!.find(({ role }) => role === "tool")).toMatchObject({
      content: [{ output: { type: "error-text", value: expect.stringContaining("none.txt") } }],
    })
  })

  test("of turns that were aborted, what the calls gave that had ended", async () => {
    const round = { calls: [...reads.calls, ...asks.calls] }
    const seen = await world.model(round, round, { text: "Over." })
    const agent = (await world.open()).agent({ model: seen.model, person: "events" })
    for (const message of ["First", "Second"]) await until(agent, message, "question", () => agent.abort("enough"))
    await all(agent.send("Third"))
    const results = seen.prompts.at(-1)!.flatMap(({ role, content }) => (role === "tool" ? [textOf(content)] : []))
    expect(results).toHaveLength(2)
    for (const result of results) {
      expect(result).toContain("two TODO")
      expect(result).not.toContain("did not run")
    }
  })

  test.each([true, false])("is their results after an abort in a call (journal %s)", async (journal) => {
    const { model, prompts } = await world.model(reads, { text: "Seen." }, asks, { text: "Third." })
    const agent = (await world.open({ storage: { journal } })).agent({ model, person: "events" })
    await all(agent.send("One"))
    await until(agent, "Two", "question", () => agent.abort("stop"))
    await all(agent.send("Three"))
    expect(await agent.result).toMatchObject({ text: "Third." })
    expect(textOf(prompts.at(-1)![3])).toContain("two TODO")
  })

  test("is their results after a rewind in an open agent", async () => {
    const { model, prompts } = await world.model(reads, { text: "Seen." }, { text: "Two." }, { text: "Three." })
    const haft = await world.open()
    const agent = haft.agent({ model })
    const turn = await turnOf(agent, "One")
    await all(agent.send("Two"))
    await haft.rewindSession(await agent.session(), turn)
    await all(agent.send("Three"))
    expect(textOf(prompts.at(-1))).toContain("two TODO")
    expect(textOf(prompts.at(-1))).not.toContain("did not run")
  })
})

describe("a long conversation", () => {
  const long = (count: number) => "text ".repeat(count)
  const replies = (count: number) => Array.from({ length: count }, (_, at) => ({ text: `Reply ${at}` }))

  test("is made shorter in a small context too", async () => {
    const { model } = await world.model(...replies(40))
    const agent = (await world.open()).agent({ model, contextTokens: 32_000 })
    for (let at = 0; at < 20; at++) {
      await all(agent.send(`${at} ${long(2000)}`))
      expect(await agent.result).toMatchObject({ reason: "done" })
    }
  })

  test("keeps its summary when results are left out later", async () => {
    const lines = Array.from({ length: 1900 }, (_, at) => `${at} abcdefghijklm`).join("\n")
    for (let at = 0; at < 12; at++) await writeFile(join(world.work, `f${at}.txt`), `${at}\n${lines}`)
    const read = (at: number) => ({ calls: [{ name: "read", args: { file_path: `f${at}.txt` } }] })
    const { model, prompts } = await world.model(
      ...replies(24),
      { text: "THE SUMMARY" },
      { text: "After it." },
      ...Array.from({ length: 12 }, (_, at) => read(at)),
      { text: "All read." },
    )
    const agent = (await world.open()).agent({ model, contextTokens: 140_000 })
    for (let at = 0; at < 25; at++) await all(agent.send(`message ${at} ${long(4000)}`))
    await all(agent.send("Now read"))
    expect(await agent.result).toMatchObject({ reason: "done", text: "All read." })
    expect(textOf(prompts.at(-1))).toContain("THE SUMMARY")
    expect(textOf(prompts.at(-1))).toContain("long and old")
    expect(textOf(prompts.at(-1))).not.toContain("message 0 ")
  })

  test("whose summary failed is open to the next process", async () => {
    const { model } = await world.model(reads, ...replies(7))
    const haft = await world.open()
    const agent = haft.agent({ model, contextTokens: 60_000 })
    const reasons: string[] = []
    for (let at = 0; at < 10 && !reasons.includes("model-error"); at++) {
      await all(agent.send(`${at} ${long(4000)}`))
      reasons.push((await agent.result).reason)
    }
    expect(reasons.at(-1)).toBe("model-error")
    expect((await agent.result).message).toContain("its summary failed: The script")
    const session = await agent.session()
    await agent.close()
    const other = await world.model({ text: "Hello." })
    const again = haft.agent({ model: other.model, contextTokens: 1_000_000, session })
    await all(again.send("hello"))
    expect(await again.result).toMatchObject({ reason: "done", text: "Hello." })
  })
})

describe("a model that makes the same call again and again", () => {
  const again = (count: number, call: object) => Array.from({ length: count }, () => ({ calls: [call] }))

  test("is stopped when the result stays the same, also where the watchdog refuses some of them", async () => {
    const { model, prompts } = await world.model(...again(40, reads.calls[0]!), { text: "Over." })
    const agent = (await world.open()).agent({ model })
    const ends = (await all(agent.send("Go"))).flatMap((event) =>
      event.type === "tool-end" ? [event.envelope.metadata.error_code ?? "ok"] : [],
    )
    expect(await agent.result).toMatchObject({ reason: "loop", message: expect.stringContaining("the same calls") })
    // It reads the refusal, and may do something else.
    expect(ends).toEqual(["ok", "ok", "ok", "ok", "ok", "denied", "ok", "ok"])
    expect(prompts).toHaveLength(8)
  })

  test("is not stopped when the result changes", async () => {
    let count = 0
    const input = { type: "object", properties: {} }
    const poll = tool({ id: "poll", description: "Asks how far it is", input, execute: async () => ({ at: count++ }) })
    const { model } = await world.model(...again(12, { name: "poll", args: {} }), { text: "Over." })
    const agent = (await world.open({ tools: [poll] })).agent({ model })
    await all(agent.send("Go"))
    expect(await agent.result).toMatchObject({ reason: "done", text: "Over." })
  })
})

test("instructions of the project that the model does not get are told, once", async () => {
  await writeFile(join(world.work, "AGENTS.md"), "Use tabs. ".repeat(20_000))
  await writeFile(join(world.work, "CLAUDE.md"), new Uint8Array([0xff, 0xfe, 0x00]))
  const { model, prompts } = await world.model({ text: "Here." }, { text: "Again." })
  const agent = (await world.open()).agent({ model })
  const events = [...(await all(agent.send("Go"))), ...(await all(agent.send("Go")))]
  const told = events.flatMap((event) => (event.type === "error" ? [event.message] : []))
  expect(told).toHaveLength(2)
  expect(told.join("\n")).toMatch(/CLAUDE\.md is left out: .*\n.*AGENTS\.md is cut: instructions may have/)
  expect(textOf(prompts[0]).length).toBeLessThan(60_000)
})

describe("what a program may give an agent", () => {
  test("an agent without a model, or with a wrong option, is refused at once", async () => {
    const haft = await world.open()
    expect(() => haft.agent({} as never)).toThrow("it has no model")
    expect(() => haft.agent({ model: "script:a.jsonl", person: "event" as never })).toThrow('"person"')
  })

  test.each([5, undefined, null, {}, { text: "Look", files: ["a.png"] }, { text: "Look", files: [{ path: "a.png" }] }])(
    "the message %j is refused and not on record",
    async (message) => {
      const { model } = await world.model({ text: "Here." })
      const agent = (await world.open()).agent({ model })
      await expect(all(agent.send(message as never))).rejects.toMatchObject({
        code: "invalid_args",
        message: "Cannot send this message: it must be a string or { text, files }",
      })
      await all(agent.send("Hello"))
      expect(await agent.result).toMatchObject({ text: "Here." })
    },
  )

  test("an agent of a Haft that is closed opens no session", async () => {
    const { model } = await world.model({ text: "Here." })
    const haft = await world.open()
    const agent = haft.agent({ model })
    await haft.close()
    await expect(all(agent.send("Hello"))).rejects.toMatchObject({ code: "cancelled" })
  })
})

describe("an agent that is closed", () => {
  test.each(["by itself", "with its Haft"])("keeps the question that it waits for, closed %s", async (how) => {
    const haft = await world.open()
    const { model } = await world.model(asks)
    const agent = haft.agent({ model, person: "events" })
    const reading = all(agent.send("Go"))
    await eventually(async () => expect(await agent.waits()).toHaveLength(1))
    await (how === "by itself" ? agent.close() : haft.close())
    await reading
    const seen = await world.model({ text: "You said a." })
    const next = how === "by itself" ? haft : await world.open()
    const again = next.agent({ model: seen.model, person: "events", session: await agent.session() })
    await again.session()
    await eventually(async () => expect(await again.waits()).toHaveLength(1))
    const [wait] = await again.waits()
    expect(await again.answer(wait!.name, [["a"]])).toBe("taken")
    await eventually(() => expect(seen.prompts).toHaveLength(1))
    expect(textOf(seen.prompts[0])).not.toContain("closed")
  })

  test("keeps the work of the subagent that it waits for", async () => {
    const haft = await world.open()
    const { model, prompts } = await world.model(starts(), { agent: "general", ...asks }, { text: "Too early." })
    const agent = haft.agent({ model, person: "events" })
    await until(agent, "Go", "question", () => agent.close())
    expect(prompts).toHaveLength(2)
    const seen = await world.model({ agent: "general", text: "It is a." }, { text: "So it is a." })
    const again = haft.agent({ model: seen.model, person: "events", session: await agent.session() })
    await again.session()
    await eventually(async () => expect(await again.waits()).toHaveLength(1))
    const [wait] = await again.waits()
    expect(await again.answer(wait!.name, [["a"]])).toBe("taken")
    await eventually(() => expect(seen.prompts).toHaveLength(2))
    expect(textOf(seen.prompts[1])).toContain("It is a.")
  })
})

describe("an abort", () => {
  test("stops the turn that runs and the message that waits", async () => {
    const { model } = await world.model(asks, { text: "Second." })
    const haft = await world.open()
    const agent = haft.agent({ model, person: "events" })
    const ends: string[] = []
    const note = async (message: string) => {
      for (const event of await all(agent.send(message))) if (event.type === "turn-end") ends.push(event.outcome.reason)
    }
    const first = note("One")
    await eventually(async () => expect(await agent.waits()).toHaveLength(1))
    const second = note("Two")
    const session = await agent.session()
    await eventually(async () => {
      const records = await (await haft.store()).records(session)
      expect(records.filter(({ kind }) => kind === "start")).toHaveLength(2)
    })
    expect(await agent.abort("stop")).toBe(true)
    await Promise.all([first, second])
    expect(new Set(ends)).toEqual(new Set(["aborted"]))
    expect(await agent.waits()).toHaveLength(0)
  })

  test("stops a turn that reads a report", async () => {
    const { model } = await world.model(
      { agent: "haft", ...starts({ background: true }) },
      { agent: "haft", text: "I wait." },
      { agent: "general", text: "It is done." },
      { agent: "haft", ...asks },
    )
    const agent = (await world.open()).agent({ model, person: "events" })
    await all(agent.send("Go"))
    const ends: string[] = []
    for await (const event of agent.rest()) {
      if (event.type === "question") void agent.abort("stop")
      if (event.type === "turn-end") ends.push(event.outcome.reason)
    }
    expect(ends).toEqual(["done", "aborted"])
  })

  test("leads to no report of what it stopped in the background", async () => {
    const { model, prompts } = await world.model(
      { agent: "haft", ...starts({ background: true }) },
      { agent: "haft", ...asks },
      { agent: "general", ...asks },
      { agent: "haft", text: "I go on by myself." },
    )
    const agent = (await world.open()).agent({ model, person: "events" })
    let questions = 0
    for await (const event of agent.send("Go"))
      if (event.type === "question" && ++questions === 2) void agent.abort("stop")
    for await (const event of agent.rest()) expect(event.type).not.toBe("turn-start")
    expect(prompts).toHaveLength(3)
  })
})

test("a session is not rewound while a subagent works for it in the background", async () => {
  const { model } = await world.model(
    { agent: "haft", text: "First." },
    { agent: "haft", ...starts({ background: true }) },
    { agent: "haft", text: "Started." },
    { agent: "general", ...asks },
  )
  const haft = await world.open()
  const agent = haft.agent({ model, person: "events" })
  const turn = await turnOf(agent, "One")
  await all(agent.send("Two"))
  await expect(haft.rewindSession(await agent.session(), turn)).rejects.toMatchObject({ code: "conflict" })
})

test("a subagent of a turn that a rewind has hidden does not go on in the next process", async () => {
  const { model } = await world.model(
    { agent: "haft", text: "First." },
    { agent: "haft", ...starts({ background: true }) },
    { agent: "haft", text: "Started." },
    { agent: "general", ...asks },
  )
  const first = await world.open()
  const agent = first.agent({ model, person: "events" })
  const turn = await turnOf(agent, "One")
  await all(agent.send("Two"))
  await eventually(async () => expect(await agent.waits()).toHaveLength(1))
  const session = await agent.session()
  await first.close()
  const haft = await world.open()
  await haft.rewindSession(session, turn)
  const seen = await world.model({ text: "Hello." })
  const again = haft.agent({ model: seen.model, person: "events", session })
  await all(again.send("Hi"))
  for await (const event of again.rest()) expect(event.type).not.toBe("turn-start")
  expect(await again.waits()).toHaveLength(0)
})

test.each([
  ["error", "MALFORMED_FUNCTION_CALL"],
  ["other", "RECITATION"],
] as const)("an empty reply that ends with %s is a failure of the model, with its word", async (unified, raw) => {
  const scripted = (await world.model({ text: "x" })).model
  const model = new Proxy(scripted, {
    get: (target, key) =>
      key === "doStream" ? async () => ({ stream: emptyReply(unified, raw) }) : Reflect.get(target, key),
  })
  const agent = (await world.open()).agent({ model })
  await all(agent.send("Go"))
  expect(await agent.result).toMatchObject({ reason: "model-error", message: expect.stringContaining(raw) })
})

function emptyReply(
  unified: "error" | "other",
  raw: string,
): Awaited<ReturnType<LanguageModelV3["doStream"]>>["stream"] {
  const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }
  const usage = { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } }
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] })
      controller.enqueue({ type: "finish", finishReason: { unified, raw }, usage })
      controller.close()
    },
  })
}

describe("a model that does the same again and again", () => {
  const same = (call: object, times: number) => Array.from({ length: times }, () => ({ calls: [call] }))
  const read = { name: "read", args: { file_path: "a.txt" } }

  test("is not stopped while it does something else in between, or listens to the refusal", async () => {
    const other = { calls: [{ name: "ls", args: {} }] }
    const { model } = await world.model(...same(read, 6), other, ...same(read, 6), { text: "Done." })
    const agent = (await world.open()).agent({ model })
    await all(agent.send("Go"))
    expect(await agent.result).toMatchObject({ reason: "done", steps: 14 })
  })

  test.each([
    { dialect: "haft", start: "job_start", poll: "job_output", args: { id: "job_1", wait_ms: 0 } },
    {
      dialect: "lobe",
      start: "lobe-local-system____runCommand",
      poll: "lobe-local-system____getCommandOutput",
      args: { shell_id: "job_1" },
    },
  ])("waits long with a tool that is made for it, in $dialect", async ({ dialect, start, poll, args }) => {
    const background = dialect === "haft" ? {} : { description: "Waits", run_in_background: true }
    const starts = { calls: [{ name: start, args: { command: "sleep 617", ...background } }] }
    const { model } = await world.model(starts, ...same({ name: poll, args }, 20), { text: "It still runs." })
    const rules = [{ permission: "shell.run", action: "allow" }] as const
    const agent = (await world.open({ rules })).agent({ model, ...(dialect !== "haft" && { dialect }) })
    await all(agent.send("Go"))
    expect(await agent.result).toMatchObject({ reason: "done", steps: 22 })
  })

  test("is stopped when it waits for what is not there", async () => {
    const poll = { name: "job_output", args: { id: "job_1" } }
    const { model } = await world.model(...same(poll, 20))
    const agent = (await world.open()).agent({ model })
    await all(agent.send("Go"))
    expect(await agent.result).toMatchObject({ reason: "loop", steps: 8 })
  })

  test("is stopped when it waits on and on for what has ended", async () => {
    const starts = { calls: [{ name: "job_start", args: { command: "true" } }] }
    const polls = same({ name: "job_output", args: { id: "job_1", wait_ms: 1000 } }, 150)
    const { model } = await world.model(starts, ...polls)
    const agent = (await world.open({ rules: [{ permission: "shell.run", action: "allow" }] })).agent({ model })
    await all(agent.send("Go"))
    const { reason, steps } = await agent.result
    expect(reason).toBe("loop")
    // The first look may be one at a job that is still there.
    expect([101, 102]).toContain(steps)
  })
})

test("the calls of a reply that is begun again have other ids than those that are void", async () => {
  const { model: script } = await world.model(reads, { text: "Read." })
  // Its connection is reset when it has begun to write a call; the next try has the same ids of the provider.
  const reset = new ReadableStream<unknown>({
    start: (controller) => controller.enqueue({ type: "tool-input-start", id: "script_1_1", toolName: "read" }),
    pull: (controller) => controller.error(new TypeError("fetch failed")),
  })
  const streams = [reset]
  const doStream: LanguageModelV3["doStream"] = async (call) =>
    streams.length > 0 ? ({ stream: streams.pop()! } as never) : script.doStream(call)
  const model = new Proxy(script, { get: (target, key) => (key === "doStream" ? doStream : Reflect.get(target, key)) })
  const agent = (await world.open()).agent({ model })
  const events = await all(agent.send("Read it"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Read.", steps: 2 })
  const at = events.findIndex(({ type }) => type === "reply-restart")
  const begun = (part: readonly SessionEvent[]) =>
    part.flatMap((event) => (event.type === "tool-input-start" ? [event.call] : []))
  const [called] = events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []))
  expect(begun(events.slice(0, at))).toEqual([expect.not.stringMatching(called!)])
  expect(begun(events.slice(at))).toEqual([called])
})
