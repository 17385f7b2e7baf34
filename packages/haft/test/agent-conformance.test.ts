import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openHaft } from "../src/library/create-haft.js"
import { AgentWorld, all, type SeenMessage } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

const writes = (file: string) => ({ calls: [{ name: "write", args: { file_path: file, content: "x\n" } }] })
const reads = (file: string) => ({ calls: [{ name: "read", args: { file_path: file } }] })
const starts = (agent: string, more: object = {}) => ({
  calls: [{ name: "task", args: { subagent_type: agent, prompt: "Go", ...more } }],
})
const allowed = { rules: [{ permission: "fs.write", action: "allow" }] } as const
const users = (prompt: readonly SeenMessage[] | undefined) =>
  prompt?.filter(({ role }) => role === "user").map(({ content }) => (content as { text: string }[])[0]!.text)
const ends = (events: readonly SessionEvent[], tool: string) =>
  events.flatMap((event) => (event.type === "tool-end" && event.tool === tool ? [event.envelope] : []))

async function manifest(name: string, lines: readonly string[]): Promise<void> {
  await mkdir(join(world.work, ".agents/agents"), { recursive: true })
  const head = [`name: ${name}`, `description: The ${name}`, ...lines]
  await writeFile(join(world.work, `.agents/agents/${name}.md`), `---\n${head.join("\n")}\n---\nWork.\n`)
}

/** Files of about 15,000 tokens each. */
async function longFiles(count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `long${index}.txt`)
  for (const name of names) await writeFile(join(world.work, name), `${name} ${"word ".repeat(11)}\n`.repeat(900))
  return names
}

test("[C2-105] a reader that goes away does not end the turn", async () => {
  const { model } = await world.model(writes("b.txt"), { text: "Done." })
  const agent = (await world.open(allowed)).agent({ model })
  for await (const event of agent.send("Write")) if (event.type === "tool-start") break
  expect(await agent.result).toMatchObject({ reason: "done", text: "Done." })
  expect(existsSync(join(world.work, "b.txt"))).toBe(true)
})

test("[C2-112] [C2-111] a message during a wait for a person is answered after it", async () => {
  const seen = await world.model(writes("b.txt"), { text: "One." }, { text: "Two." })
  const agent = (await world.open()).agent({ model: seen.model, person: "events" })
  let second: Promise<readonly SessionEvent[]> | undefined
  for await (const event of agent.send("First")) {
    if (event.type !== "ask") continue
    second = all(agent.send("Second"))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await agent.waits()).toHaveLength(1)
    expect(seen.prompts).toHaveLength(1)
    const [wait] = await agent.waits()
    await agent.answer(wait!.name, { answer: "once" })
  }
  await second
  expect(seen.prompts.map(users)).toEqual([["First"], ["First"], ["First", "Second"]])
})

test("[C2-115] [C2-178] [C2-179] a turn has the id that its sender gave, starts once, and tells every observer", async () => {
  const { model } = await world.model({ text: "One." }, { text: "Two." })
  const seen: SessionEvent[] = []
  const onEvent = (event: SessionEvent) => {
    seen.push(event)
    throw new Error("an observer that fails")
  }
  const haft = await world.open({ hooks: { onEvent } })
  const agent = haft.agent({ model })
  const turnId = "turn_delivery_1"
  const events = await all(agent.send({ text: "Nightly", trigger: "schedule" }, { turnId }))
  expect(await all(agent.send({ text: "Nightly", trigger: "schedule" }, { turnId }))).toEqual([])
  expect(events[0]).toMatchObject({ type: "turn-start", turn: turnId })
  expect(events.at(-1)).toMatchObject({ type: "turn-end", turn: turnId, outcome: { reason: "done" } })
  expect(seen.map(({ type }) => type)).toEqual(events.map(({ type }) => type))
  expect(seen.map(({ seq }) => seq)).toEqual([...seen.map(({ seq }) => seq)].sort((one, other) => one - other))
  const records = await (await haft.store()).records(await agent.session())
  expect(records.filter(({ kind }) => kind === "start")).toHaveLength(1)
  expect(records[0]).toMatchObject({ kind: "start", turnId, input: { text: "Nightly", trigger: "schedule" } })
})

test("[C2-179] when nobody is present an ask of a triggered turn is refused", async () => {
  const { model } = await world.model(writes("b.txt"), { text: "I may not." })
  const agent = (await world.open()).agent({ model })
  const events = await all(agent.send({ text: "Nightly", trigger: "schedule" }))
  expect(ends(events, "write")).toMatchObject([{ type: "error", metadata: { error_code: "denied" } }])
})

test("[C2-194] every request begins with the one before it, word for word", async () => {
  const steps = ["a.txt", "none.txt", "."].map((file) => reads(file))
  const seen = await world.model(
    { text: "I look.", ...steps[0] },
    steps[1]!,
    steps[2]!,
    { text: "One." },
    { text: "Two." },
  )
  const agent = (await world.open()).agent({ model: seen.model })
  await all(agent.send("First"))
  await all(agent.send("Second"))
  expect(seen.prompts).toHaveLength(5)
  seen.prompts.reduce((before, next) => {
    expect(next.length).toBeGreaterThan(before.length)
    expect(next.slice(0, before.length)).toEqual(before)
    return next
  })
  // A provider may keep its requests: the next ones must not change them.
  expect(seen.requests.map(({ prompt }) => prompt)).toEqual(seen.prompts)
  expect(new Set(seen.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1)
})

test("[C2-118] [C2-121] near the end of the context old long results become stubs, and the journal keeps them", async () => {
  const files = await longFiles(6)
  const lines = files.map((file, index) => ({
    ...reads(file),
    usage: { input: index === 5 ? 80_500 : 100, output: 1 },
  }))
  const seen = await world.model(...lines, { text: "Done." })
  const haft = await world.open()
  const agent = haft.agent({ model: seen.model, contextTokens: 100_000 })
  await all(agent.send("Read all"))
  expect(await agent.result).toMatchObject({ reason: "done" })
  const results = (prompt: readonly SeenMessage[]) =>
    prompt
      .filter(({ role }) => role === "tool")
      .map(({ content }) => JSON.stringify(content).includes("is left out now"))
  expect(results(seen.prompts[5]!), "below the limit nothing is left out").toEqual([false, false, false, false, false])
  expect(results(seen.prompts[6]!)).toEqual([true, true, true, false, false, false])
  expect(JSON.stringify(seen.prompts[6])).toContain("long0.txt")
  const calls = await (await haft.store()).calls(await agent.session())
  expect(calls.map(({ text }) => text!.length > 10_000)).toEqual(files.map(() => true))
})

test("[C2-119] [C2-120] where that is not enough, what is old becomes a summary, made without tools; the log has all of it", async () => {
  await writeFile(join(world.work, "AGENTS.md"), "Always be kind.\n")
  const [one, two] = await longFiles(2)
  const seen = await world.model(
    reads(one!),
    reads(two!),
    { text: "Read.", usage: { input: 99_000, output: 5 } },
    { text: "THE SUMMARY", usage: { input: 500, output: 50 } },
    { text: "After.", usage: { input: 10, output: 1 } },
  )
  const haft = await world.open()
  const agent = haft.agent({ model: seen.model, contextTokens: 100_000 })
  await all(agent.send("Read both"))
  await all(agent.send("And now?"))
  expect(await agent.result).toMatchObject({
    reason: "done",
    text: "After.",
    usage: { inputTokens: 510, outputTokens: 51 },
  })
  const summary = seen.requests[3]!
  expect(summary).toMatchObject({ temperature: 0, maxOutputTokens: 4096 })
  expect(summary.tools).toBeUndefined()
  const after = seen.prompts[4]!
  expect(after[0]).toEqual(seen.prompts[0]![0])
  expect(JSON.stringify(after[0])).toContain("Always be kind.")
  expect(users(after)).toEqual([expect.stringContaining("THE SUMMARY"), "And now?"])
  expect(JSON.stringify(after)).not.toContain("long0.txt word")
  const store = await haft.store()
  const records = await store.records(await agent.session())
  expect(records.map((record) => (record.kind === "step" ? record.key : record.kind))).toContain("context:1")
  expect((await store.calls(await agent.session()))[0]!.text).toContain("long0.txt word")
})

test("[C2-122] a model with a smaller context that cannot hold the conversation fails with advice", async () => {
  const [one] = await longFiles(1)
  const haft = await world.open()
  const first = haft.agent({ model: (await world.model(reads(one!), { text: "Read." })).model })
  await all(first.send("Read it"))
  const session = await first.session()
  await first.close()
  const small = haft.agent({ model: (await world.model({ text: "x" })).model, session, contextTokens: 4000 })
  await all(small.send("And now?"))
  const outcome = await small.result
  expect(outcome).toMatchObject({ reason: "model-error", hint: expect.stringContaining("larger context") })
  expect(outcome.message).toContain("the model reads 4000")
})

test("[C2-122] a model with a smaller context that can hold what is left gets a shorter conversation", async () => {
  const files = await longFiles(4)
  const haft = await world.open()
  const first = haft.agent({ model: (await world.model(...files.map(reads), { text: "Read." })).model })
  await all(first.send("Read all"))
  const session = await first.session()
  await first.close()
  const seen = await world.model({ text: "Here." })
  const small = haft.agent({ model: seen.model, session, contextTokens: 50_000 })
  await all(small.send("And now?"))
  expect(await small.result).toMatchObject({ reason: "done", text: "Here." })
  const results = seen.prompts[0]!.filter(({ role }) => role === "tool").map(({ content }) => JSON.stringify(content))
  expect(results.map((result) => result.includes("is left out now"))).toEqual([true, true, true, false])
})

test("[C2-124] an agent that talks with persons works for no agent", async () => {
  await manifest("boss", ["mode: primary"])
  const { model } = await world.model(starts("boss"), { text: "Over." })
  const events = await all((await world.open()).agent({ model }).send("Go"))
  expect(ends(events, "task")).toMatchObject([{ type: "error", metadata: { error_code: "denied" } }])
})

test.each(["a rule that a person saved in it", "its mode now"])(
  "[C2-126] a subagent is held to what holds in the session that starts it: %s",
  async (what) => {
    const { model } = await world.model(
      starts("general"),
      { agent: "general", ...writes("b.txt") },
      { agent: "general", text: "I may not." },
      { text: "Over." },
    )
    const driving = await openHaft({ roots: [world.work], home: join(world.folder, "home"), ...allowed })
    try {
      const { session, agent } = await driving.drive({ agent: { model } })
      if (what === "its mode now") session.setMode("plan")
      else await session.addSessionRule({ permission: "fs.write", action: "deny" })
      const events = await all(await agent.agent.send("Go"))
      expect(ends(events, "write")).toMatchObject([{ type: "error", metadata: { error_code: "denied" } }])
      expect(ends(events, "task")).toMatchObject([{ type: "output" }])
      expect(existsSync(join(world.work, "b.txt"))).toBe(false)
    } finally {
      await driving.close()
    }
  },
)

test("[C2-127] [C2-129] a grandchild has what the child has, in the same workspace, not what the first agent has", async () => {
  await manifest("careful", ["mode: subagent", "deny: fs.write"])
  const { model } = await world.model(
    starts("careful"),
    { agent: "careful", ...starts("general") },
    { agent: "general", calls: [writes("b.txt").calls[0], reads("a.txt").calls[0]] },
    { agent: "general", text: "I may not." },
    { agent: "careful", text: "It may not." },
    writes("c.txt"),
    { text: "Over." },
  )
  const events = await all((await world.open(allowed)).agent({ model }).send("Go"))
  expect(ends(events, "write").map(({ type }) => type)).toEqual(["error", "output"])
  expect(ends(events, "read")).toMatchObject([{ type: "output" }])
  expect([existsSync(join(world.work, "b.txt")), existsSync(join(world.work, "c.txt"))]).toEqual([false, true])
})

test("[C2-134] an agent that another one calls is told who reads its last message, and in which form", async () => {
  await manifest("scout", ["mode: subagent"])
  const seen = await world.model(starts("scout"), { agent: "scout", text: "Nothing." }, { text: "Over." })
  await all((await world.open()).agent({ model: seen.model }).send("Go"))
  const told = seen.prompts.map(([system]) => String(system!.content).includes("your last message is all that it sees"))
  expect(told).toEqual([false, true, false])
})

test("[C2-128] the session of a subagent names the session and the message that it was started from", async () => {
  const { model } = await world.model(starts("general"), { agent: "general", text: "Done." }, { text: "Over." })
  const haft = await world.open()
  const agent = haft.agent({ model })
  const events = await all(agent.send("Go"))
  const [child] = events.flatMap((event) => (event.type === "child-start" ? [event.child] : []))
  const parent = await agent.session()
  const store = await haft.store()
  const messages: { id: string; role: string }[] = []
  for await (const line of store.exportLines(parent)) {
    const { message } = JSON.parse(line) as { message?: { id: string; role: string } }
    if (message) messages.push(message)
  }
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"])
  expect(await store.session(child!)).toMatchObject({ parentId: parent, parentMessageId: messages[1]!.id })
  expect(await store.session(parent)).not.toHaveProperty("parentId")
})

test("a subagent's session is gone on with in the conversation that started it, and in no other", async () => {
  const haft = await world.open()
  const first = haft.agent({
    model: (await world.model(starts("general"), { agent: "general", text: "One." }, { text: "Over." })).model,
  })
  const events = await all(first.send("Go"))
  const [child] = events.flatMap((event) => (event.type === "child-start" ? [event.child] : []))
  const other = haft.agent({ model: (await world.model(starts(child!), { text: "Over." })).model })
  expect(ends(await all(other.send("Go")), "task")).toMatchObject([
    { error_text: expect.stringContaining("no agent of this conversation"), metadata: { error_code: "not_found" } },
  ])
  const again = await world.model(starts(child!), { agent: "general", text: "Two." }, { text: "Over." })
  await first.close()
  const own = haft.agent({ model: again.model, session: events[0]!.session })
  expect(ends(await all(own.send("Go on")), "task")).toMatchObject([{ data: { session_id: child, output: "Two." } }])
  expect(users(again.prompts[1])).toEqual(["Go", "Go"])
})

test.each([{}, { background: true }])(
  "[C2-130] agents start agents five levels deep, and no deeper: %j",
  async (more) => {
    const down = Array.from({ length: 5 }, (_, index) => ({
      agent: "general",
      ...starts("general", index === 4 ? more : {}),
    }))
    const up = Array.from({ length: 5 }, (_, index) => ({ agent: "general", text: `Level ${5 - index}.` }))
    const { model } = await world.model(starts("general"), ...down, ...up, { text: "Top." })
    const agent = (await world.open()).agent({ model })
    const events = await all(agent.send("Go"))
    expect(await agent.result).toMatchObject({ reason: "done", text: "Top." })
    const tasks = ends(events, "task")
    expect(tasks.map(({ type }) => type)).toEqual(["error", "output", "output", "output", "output", "output"])
    expect(tasks[0]).toMatchObject({
      error_text: expect.stringContaining("5 levels deep"),
      metadata: { error_code: "denied" },
    })
  },
)

test.each(["the agent", "a signal"])(
  "[C2-110] [C2-132] an abort by %s ends the agents in front and in the background that the turn started",
  async (by) => {
    const { model } = await world.model(
      starts("general", { background: true }),
      { agent: "general", ...writes("b.txt") },
      starts("general"),
      { agent: "general", ...writes("c.txt") },
    )
    const haft = await world.open()
    const agent = haft.agent({ model, person: "events" })
    const events: SessionEvent[] = []
    const controller = new AbortController()
    for await (const event of agent.send("Go", { signal: controller.signal })) {
      events.push(event)
      if (event.type !== "ask" || events.filter(({ type }) => type === "ask").length !== 2) continue
      if (by === "a signal") controller.abort()
      else void agent.abort("enough")
    }
    expect(await agent.result).toMatchObject({ reason: "aborted" })
    const children = events.flatMap((event) => (event.type === "child-start" ? [event.child] : []))
    expect(children).toHaveLength(2)
    const store = await haft.store()
    for (const child of children) {
      await vi.waitFor(async () => {
        const last = (await store.records(child)).at(-1)
        expect(last).toMatchObject({ kind: "end", result: { state: "aborted" } })
      })
    }
    expect([existsSync(join(world.work, "b.txt")), existsSync(join(world.work, "c.txt"))]).toEqual([false, false])
    const [, waiting] = await store.calls(await agent.session())
    expect(waiting).toMatchObject({
      envelope: { data: { session_id: children[1], stopped: "aborted: the agent that started it was aborted" } },
      text: expect.stringContaining("It ended early: aborted: the agent that started it was aborted"),
    })
  },
)

test("[C2-169] [C2-170] the journal has what is needed to inspect a turn: prompt, tokens, rules and calls", async () => {
  const { model } = await world.model({ ...reads("a.txt"), usage: { input: 40, output: 4 } }, { text: "Done." })
  const haft = await world.open()
  const agent = haft.agent({ model })
  await all(agent.send("Read"))
  const store = await haft.store()
  const id = await agent.session()
  await agent.close()
  const records = await store.records(id)
  const prompt = records.find((record) => record.kind === "step" && record.key === "prompt")
  expect(prompt).toMatchObject({ value: expect.stringContaining("Working directory") })
  expect(await store.session(id)).toMatchObject({ usage: { inputTokens: 40, outputTokens: 4 }, permissions: [] })
  expect(await store.calls(id)).toMatchObject([{ tool: "read", ladder: { verdict: "allow" } }])
})
