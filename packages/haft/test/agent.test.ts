import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createHaft, type Haft, type HaftOptions } from "../src/index.js"

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
    // The event comes before the wait is in the journal, and only what is there can be answered.
    await expect.poll(() => agent.waits()).toHaveLength(1)
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
  const model = await script(
    { calls: [{ name: "write", args: { file_path: "hello.txt", content: "hello" } }] },
    { text: "Written." },
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
  expect(await readFile(join(folder, "work/hello.txt"), "utf8")).toBe("hello")
  expect(said.slice(0, 2)).toEqual(["write output", "Written."])
  expect(said[2]).toMatch(/^done 8 0 ses_/)
})
