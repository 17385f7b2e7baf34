import { getEventListeners } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SessionEvent } from "@haft/contract"
import { encodeWireName } from "@haft/runtime"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import * as z from "zod"
import { createHaft, type Haft, type HaftOptions, tool } from "../src/index.js"
import { openHaft } from "../src/library/create-haft.js"
import { fakeServer } from "./mcp-world.js"
import { sandboxIsHere } from "./shell-world.js"

let folder: string
let haft: Haft | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-agent-"))
  await mkdir(join(folder, "work"))
  await writeFile(join(folder, "work/a.txt"), "one\ntwo TODO\n")
})
afterEach(async () => {
  await haft?.close()
  haft = undefined
  await rm(folder, { recursive: true, force: true })
})

async function open(options: HaftOptions = {}): Promise<Haft> {
  haft = await createHaft({ roots: [join(folder, "work")], home: join(folder, "home"), ...options })
  return haft
}

async function script(...lines: readonly object[]): Promise<string> {
  const file = join(folder, "script.jsonl")
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"))
  return `script:${file}`
}

async function all(events: AsyncIterable<SessionEvent>): Promise<readonly SessionEvent[]> {
  const list: SessionEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

test("a scripted model drives real tools to the end of its turn", async () => {
  const model = await script(
    {
      text: "I will look first.",
      calls: [
        { name: "grep", args: { pattern: "TODO" } },
        { name: "read", args: { file_path: "a.txt" } },
      ],
    },
    { calls: [{ name: "write", args: { file_path: "b.txt", content: "done\n" } }] },
    { text: "Done." },
  )
  const agent = (await open({ rules: [{ permission: "fs.write", action: "allow" }] })).agent({ model })
  const events = await all(agent.send("Find the TODO"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Done.", steps: 3 })
  expect(await readFile(join(folder, "work/b.txt"), "utf8")).toBe("done\n")
  const types = events.map(({ type }) => type)
  expect(types[0]).toBe("turn-start")
  expect(types.at(-1)).toBe("turn-end")
  expect(types.filter((type) => type === "tool-end")).toHaveLength(3)
  const text = events.flatMap((event) => (event.type === "text-delta" ? [event.delta] : [])).join("")
  expect(text).toBe("I will look first.Done.")
})

test("an ask waits until it is answered through the agent, and a refusal with its reason reaches the model", async () => {
  const model = await script(
    { calls: [{ name: "write", args: { file_path: "b.txt", content: "x" } }] },
    { calls: [{ name: "write", args: { file_path: "c.txt", content: "y" } }] },
    { text: "Over." },
  )
  const agent = (await open()).agent({ model, person: "events" })
  const answers: string[] = []
  for await (const event of agent.send("Write")) {
    if (event.type !== "ask") continue
    const [wait] = await agent.waits()
    const value = answers.length === 0 ? { answer: "reject", reason: "not that name" } : { answer: "once" }
    answers.push(await agent.answer(wait!.name, value))
    expect(await agent.answer(wait!.name, { answer: "once" })).not.toBe("taken")
  }
  expect(answers).toEqual(["taken", "taken"])
  await expect(readFile(join(folder, "work/b.txt"))).rejects.toThrow()
  expect(await readFile(join(folder, "work/c.txt"), "utf8")).toBe("y")
})

test("the run of docs/agent.md works as it stands there", async () => {
  const page = await readFile(new URL("../../../docs/agent.md", import.meta.url), "utf8")
  const [, code = ""] = /```js\nimport \{ createHaft \} from "haft"\n([\s\S]*?)```/.exec(page)!
  expect(code.trim().split("\n").length).toBeLessThan(15)
  const [, lines = ""] = /```json\n([\s\S]*?)```/.exec(page)!
  const model = await script(
    ...lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object),
  )
  const inFolder = (options: HaftOptions) => open({ ...options, roots: [join(folder, "work")] })
  const said: string[] = []
  const world = {
    createHaft: inFolder,
    process: { stdout: { write: (text: string) => said.push(text) } },
    console: { error: (...words: readonly unknown[]) => said.push(words.join(" ")) },
  }
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor
  const body = code.replace("script:tour.jsonl", model)
  await new AsyncFunction(...Object.keys(world), body)(...Object.values(world))
  expect(await readFile(join(folder, "work/hello.txt"), "utf8")).toBe("Hello\n")
  expect(said.slice(0, 3)).toEqual(["I write.", "write output", "Done."])
  expect(said[3]).toMatch(/^done 5 0 ses_/)
})

test("[C2-97] [C2-126] a subagent works in its own session, with its own tools and with no more rights", async () => {
  const model = await script(
    { calls: [{ name: "task", args: { subagent_type: "explore", prompt: "Find the TODO" } }] },
    {
      agent: "explore",
      calls: [
        { name: "grep", args: { pattern: "TODO" } },
        { name: "write", args: { file_path: "b.txt", content: "x" } },
      ],
    },
    { agent: "explore", text: "It is in a.txt, line 2." },
    { text: "Found." },
  )
  const agent = (await open({ rules: [{ permission: "fs.write", action: "allow" }] })).agent({ model })
  const events = await all(agent.send("Where?"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Found." })
  await expect(readFile(join(folder, "work/b.txt"))).rejects.toThrow()
  const id = await agent.session()
  const [start] = events.filter((event) => event.type === "child-start")
  expect(start).toMatchObject({ agent: "explore", session: id })
  const told = events.filter((event) => event.type === "tool-end" && event.tool === "task")
  expect(told).toMatchObject([{ envelope: { data: { output: "It is in a.txt, line 2." } } }])
  const inChild = events.filter((event) => event.type === "tool-end" && event.session !== id)
  expect(inChild.map((event) => event.type === "tool-end" && [event.tool, event.envelope.type])).toEqual([
    ["grep", "output"],
    ["write", "error"],
  ])
})

test("[C2-125] an agent that there is not is an error that names those there are", async () => {
  const model = await script(
    { calls: [{ name: "task", args: { subagent_type: "explorer", prompt: "x" } }] },
    { text: "Over." },
  )
  const agent = (await open()).agent({ model })
  const events = await all(agent.send("Go"))
  const [end] = events.filter((event) => event.type === "tool-end")
  expect(end).toMatchObject({ envelope: { type: "error", metadata: { error_code: "not_found" } } })
  expect(JSON.stringify(end)).toContain("explore, plan, general, verify")
})

test("[C2-131] a subagent in the background reports once, in a turn of its own", async () => {
  const model = await script(
    { calls: [{ name: "task", args: { subagent_type: "general", prompt: "Count", background: true } }] },
    { text: "Started." },
    { agent: "general", text: "There are 2." },
    { text: "So there are two." },
  )
  const events: SessionEvent[] = []
  const hooks = { onEvent: (event: SessionEvent) => void events.push(event) }
  const agent = (await open({ hooks })).agent({ model })
  await all(agent.send("Count in the background"))
  expect((await agent.result).text).toBe("Started.")
  const id = await agent.session()
  const turns = () => events.filter((event) => event.type === "turn-start" && event.session === id)
  const replies = () => events.flatMap((event) => (event.type === "turn-end" ? [event.outcome.text] : []))
  await vi.waitFor(() => expect(replies()).toContain("So there are two."), { timeout: 10_000 })
  expect(turns()).toHaveLength(2)
  expect(turns()[1]).toMatchObject({ text: expect.stringContaining("There are 2.") })
})

test("a session goes on with what was said before, also in a new process", async () => {
  const first = (await open()).agent({ model: await script({ text: "Hello." }, { text: "Unused." }) })
  await all(first.send("My name is Ann"))
  const session = await first.session()
  await haft!.close()
  const seen: unknown[] = []
  const { openScript } = await import("@haft/agent")
  const scripted = await openScript((await script({ text: "Ann." })).slice("script:".length))
  const model = new Proxy(scripted, {
    get: (target, key) =>
      key === "doStream"
        ? (options: Parameters<typeof scripted.doStream>[0]) => {
            seen.push(options.prompt)
            return target.doStream(options)
          }
        : Reflect.get(target, key),
  })
  const again = (await open()).agent({ model, session })
  await all(again.send("What is my name?"))
  expect((await again.result).text).toBe("Ann.")
  const roles = (seen[0] as { role: string }[]).map(({ role }) => role)
  expect(roles).toEqual(["system", "user", "assistant", "user"])
  expect(JSON.stringify(seen[0])).toContain("My name is Ann")
})

test("a session that could not be resumed is let go of, and opens at the next message", async () => {
  const first = (await open()).agent({ model: await script({ text: "Hello." }) })
  await all(first.send("Hello?"))
  const session = await first.session()
  await haft!.close()
  const store = await (await open()).store()
  vi.spyOn(store, "records").mockRejectedValueOnce(new Error("the disk does not answer"))
  const again = haft!.agent({ model: await script({ text: "Here I am." }), session })
  await expect(all(again.send("And now?"))).rejects.toThrow("the disk does not answer")
  await all(again.send("And now?"))
  expect((await again.result).text).toBe("Here I am.")
})

test.each([
  ["claw", "Agent", { description: "Look", prompt: "Look around", subagent_type: "Explore" }, "explore"],
  ["lobe", "lobe-gtd____execTask", { description: "Look", instruction: "Look around" }, "general"],
])("in %s the model starts another agent with %s and reads its last words", async (dialect, name, args, agentName) => {
  const lines = [
    { calls: [{ name, args }] },
    { agent: agentName, text: "All is well here." },
    { text: "The agent says so." },
  ]
  const agent = (await open()).agent({ model: await script(...lines), dialect })
  const events = await all(agent.send("Go"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "The agent says so." })
  expect(events.filter((event) => event.type === "child-start")).toMatchObject([{ agent: agentName }])
  const [ended] = events.filter((event) => event.type === "tool-end" && event.tool === "task")
  expect(JSON.stringify(ended)).toContain("All is well here.")
})

test("a call that fails in a dialect is an error for the model too", async () => {
  const file = await script(
    { calls: [{ name: "read_file", args: { path: "none.txt" } }] },
    { text: "It is not there." },
  )
  const { openScript } = await import("@haft/agent")
  const scripted = await openScript(file.slice("script:".length))
  const doStream = vi.spyOn(scripted, "doStream")
  const agent = (await open()).agent({ model: scripted, dialect: "claw" })
  await all(agent.send("Go"))
  const [options] = doStream.mock.calls[1]!
  expect(options.prompt.at(-1)).toMatchObject({
    role: "tool",
    content: [{ toolName: "read_file", output: { type: "error-text", value: expect.stringContaining("none.txt") } }],
  })
})

test("a tool whose id is too long for a provider is called by the name of that very request", async () => {
  const id = `example_${"very_".repeat(15)}long`
  const short = tool({
    id: "greet",
    description: "Says hello.",
    input: z.object({ name: z.string() }),
    execute: async ({ name }) => ({ hello: name }),
  })
  const long = { ...short, manifest: { ...short.manifest, id } }
  const wireName = encodeWireName(id)
  expect(wireName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  const model = await script({ calls: [{ name: wireName, args: { name: "Ann" } }] }, { text: "Said." })
  const agent = (await open({ tools: [long], toolset: "locked" })).agent({ model })
  const events = await all(agent.send("Greet Ann"))
  expect(events.filter((event) => event.type === "tool-input-start")).toMatchObject([{ tool: id }])
  expect(events.filter((event) => event.type === "tool-end")).toMatchObject([
    { tool: id, envelope: { type: "output", data: { hello: "Ann" } } },
  ])
})

test.skipIf(!sandboxIsHere)("[C2-109] an abort ends a command with its children, and the next turn works", async () => {
  const marker = `300.${process.pid}`
  const model = await script(
    { calls: [{ name: "bash", args: { command: `sleep ${marker} & sleep ${marker}` } }] },
    { text: "Next." },
  )
  const agent = (await open({ rules: [{ permission: "bash", action: "allow" }] })).agent({ model })
  let aborted = Number.POSITIVE_INFINITY
  for await (const event of agent.send("Wait")) {
    if (event.type !== "tool-start") continue
    await vi.waitFor(() => expect(running(marker)).toBeGreaterThan(1), { timeout: 10_000 })
    aborted = performance.now()
    void agent.abort("enough")
  }
  expect(await agent.result).toMatchObject({ reason: "aborted", message: "enough" })
  expect(performance.now() - aborted).toBeLessThan(2000)
  await vi.waitFor(() => expect(running(marker)).toBe(0))
  await all(agent.send("And now?"))
  expect(await agent.result).toMatchObject({ reason: "done", text: "Next." })
})

/** How many processes have this word in their command line. */
function running(word: string): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word)
    } catch {
      return false
    }
  }).length
}

test("a reader that leaves before its first read has sent nothing, also when it reads after that", async () => {
  const agent = (await open()).agent({ model: await script({ text: "Hello." }) })
  const events = agent.send("Hello?")[Symbol.asyncIterator]()
  expect(await events.return?.()).toEqual({ value: undefined, done: true })
  expect(await events.next()).toEqual({ value: undefined, done: true })
  await expect(agent.result).rejects.toThrow("no message was sent")
})

test("a message that cannot be sent fails its read, and leaving after that does not fail again", async () => {
  const agent = (await open()).agent({ model: await script({ text: "Hello." }) })
  const events = agent.send(" ")[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toThrow("Cannot send an empty message")
  expect(await events.return?.()).toEqual({ value: undefined, done: true })
})

test("nobody listens to a turn that has ended, also when its last events were never read", async () => {
  const driving = await openHaft({ roots: [join(folder, "work")], home: join(folder, "home") })
  haft = driving
  const { session, agent } = await driving.drive({ agent: { model: await script({ text: "Hello." }) } })
  const { listeners } = session as unknown as { readonly listeners: ReadonlySet<unknown> }
  const events = await agent.agent.send("Hello?", { turnId: "turn_1" })
  expect(listeners.size).toBe(1)
  expect((await events.next()).value.type).toBe("turn-start")
  await agent.agent.result("turn_1")
  await vi.waitFor(() => expect(listeners.size).toBe(0))
  await agent.agent.send("Once more?", { turnId: "turn_1" })
  expect(listeners.size).toBe(0)
  expect((await all(events)).at(-1)).toMatchObject({ type: "turn-end", turn: "turn_1" })
})

test("a signal that outlives a turn keeps nothing of it", async () => {
  const { signal } = new AbortController()
  const agent = (await open()).agent({ model: await script({ text: "Hello." }, { text: "Again." }) })
  for (const message of ["Hello?", "And now?"]) await all(agent.send(message, { signal }))
  await vi.waitFor(() => expect(getEventListeners(signal, "abort")).toEqual([]))
})

test.skipIf(!sandboxIsHere).each(["a session", "a session with a model"])(
  "%s that a server or an editor cannot have recorded is not left open",
  async (what) => {
    const driving = await openHaft({
      roots: [join(folder, "work")],
      home: join(folder, "home"),
      // A folder is no journal. The server is looked at when the session opens, so that its folder is made.
      storage: { store: join(folder, "work") },
      mcpServers: { fake: fakeServer("ok") },
    })
    haft = driving
    const request = what === "a session" ? {} : { agent: { model: await script({ text: "Hello." }) } }
    await expect(driving.drive(request)).rejects.toThrow("Cannot open the journal")
    expect(readdirSync(join(folder, "home/sessions"))).toEqual([])
    expect(readdirSync(join(folder, "home/sessions-open"))).toEqual([])
  },
)
