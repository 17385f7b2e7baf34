import { existsSync } from "node:fs"
import { join } from "node:path"
import type { ElicitResult } from "@modelcontextprotocol/client"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  type Answers,
  type AnyClient,
  clientKinds,
  connectHttp,
  connectStdio,
  type Listening,
  listen,
  modelText,
  personText,
} from "./mcp-serve-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

let command: SourceCommand
let bench: Workbench
let server: Listening | undefined
const opened: AnyClient[] = []

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

interface Asked {
  readonly message: string
  readonly requestedSchema?: {
    readonly properties: Record<string, { enum?: string[]; description?: string; items?: { enum: string[] } }>
  }
}

/** A client at which somebody sits, and what they were asked. */
async function connect(
  door: "stdio" | "http",
  kind: (typeof clientKinds)[number],
  answer: (asked: Asked, count: number) => ElicitResult,
  words: readonly string[] = [],
): Promise<{ readonly client: AnyClient; readonly asked: Asked[] }> {
  const asked: Asked[] = []
  const answers: Answers = (params) => {
    asked.push(params as Asked)
    return answer(params as Asked, asked.length)
  }
  if (door === "http") server = await listen(command, bench, words)
  const client = server
    ? await connectHttp(server, { kind, answers })
    : (await connectStdio(command, bench, { kind, answers, words })).client
  opened.push(client)
  return { client, asked }
}

const write = (name: string) => ({ name: "write", arguments: { file_path: name, content: "x\n" } })
const accept = (content: Record<string, string | string[]>): ElicitResult => ({ action: "accept", content })

describe.each(["stdio", "http"] as const)("a permission question over %s", (door) => {
  test.each(clientKinds)("reaches the person at the client %s, whose answer decides", async (kind) => {
    const { client, asked } = await connect(door, kind, (_asked, count) =>
      count === 1 ? accept({ answer: "once" }) : accept({ answer: "reject", reason: "not there" }),
    )
    expect(modelText(await client.callTool(write("a.txt")))).toMatch(/a\.txt/)
    expect(bench.read("a.txt")).toBe("x\n")
    const rejected = await client.callTool(write("b.txt"))
    expect([rejected.isError, modelText(rejected)]).toEqual([
      true,
      expect.stringContaining("a person rejected it: not there"),
    ])
    expect(existsSync(join(bench.work, "b.txt"))).toBe(false)
    expect(asked[0]?.message).toContain("Permission needed")
    expect(asked[0]?.message).toContain("a.txt")
    expect(asked[0]?.requestedSchema?.properties.answer?.enum).toEqual(["once", "session", "reject"])
  })
})

test("an answer for the session holds in it, and not in another one", async () => {
  const first = await connect("stdio", "2.4 of 2026", () => accept({ answer: "session" }))
  await first.client.callTool(write("src/a.txt"))
  await first.client.callTool(write("src/a.txt"))
  expect(first.asked).toHaveLength(1)
  const second = await connect("stdio", "2.4 of 2026", () => ({ action: "decline" }))
  expect((await second.client.callTool(write("src/a.txt"))).isError).toBe(true)
  expect(second.asked).toHaveLength(1)
})

test.each<[string, ElicitResult]>([
  ["declines", { action: "decline" }],
  ["goes away", { action: "cancel" }],
  ["answers something else", accept({ answer: "project" })],
  ["accepts without an answer", { action: "accept" }],
])("a person who %s has not agreed", async (_what, answer) => {
  const { client } = await connect("stdio", "2.4 of 2026", () => answer)
  expect((await client.callTool(write("a.txt"))).isError).toBe(true)
  expect(existsSync(join(bench.work, "a.txt"))).toBe(false)
})

test("what a rule denies is asked of nobody: a yes never beats it", async () => {
  const words = ["--deny", "fs.write(a.txt)"]
  const { client, asked } = await connect("stdio", "2.4 of 2025", () => accept({ answer: "once" }), words)
  const result = await client.callTool(write("a.txt"))
  expect([result.isError, asked]).toEqual([true, []])
  expect(existsSync(join(bench.work, "a.txt"))).toBe(false)
})

test("questions of a tool are one form: a choice, several choices, and words of one's own", async () => {
  const { client, asked } = await connect("http", "2.4 of 2026", () =>
    accept({ answer_1: "red", answer_2: ["b", "c"], answer_3: "Ada", other_4: "neither" }),
  )
  const options = (...labels: readonly string[]) => labels.map((label) => ({ label, description: `The ${label} one` }))
  const questions = [
    { question: "Which colour?", header: "Colour", options: options("red", "blue") },
    { question: "Which letters?", options: options("a", "b", "c"), multi_select: true },
    { question: "Who?" },
    { question: "This or that?", options: options("this", "that") },
  ]
  const result = await client.callTool({ name: "question", arguments: { questions } })
  expect(result.structuredContent).toEqual({ answers: [["red"], ["b", "c"], ["Ada"], ["neither"]] })
  const { properties } = asked[0]!.requestedSchema!
  expect(Object.keys(properties)).toEqual([
    ...["answer_1", "other_1", "answer_2", "other_2", "answer_3", "answer_4", "other_4"],
  ])
  expect([properties.answer_1?.enum, properties.answer_2?.items?.enum]).toEqual([
    ["red", "blue"],
    ["a", "b", "c"],
  ])
})

test("a client that cannot ask gets a denial for the model, and the person what they can do", async () => {
  const { client } = await connectStdio(command, bench, { kind: "1.x" })
  opened.push(client)
  const result = await client.callTool(write("a.txt"))
  expect(modelText(result)).toMatch(/nobody is here to ask/)
  expect(modelText(result)).not.toMatch(/--allow|haft rule/)
  expect(personText(result)).toBe(
    "To allow this, run: haft rule add allow 'fs.write(a.txt)'\nor start the server with: --allow 'fs.write(a.txt)'",
  )
  // What the block says works.
  expect((await bench.run(["rule", "add", "allow", "fs.write(a.txt)"])).code).toBe(0)
  const { client: next } = await connectStdio(command, bench, { kind: "1.x" })
  opened.push(next)
  expect((await next.callTool(write("a.txt"))).isError).toBeUndefined()
})

test("--headless asks nobody, although the client could", async () => {
  const { client, asked } = await connect("stdio", "2.4 of 2026", () => accept({ answer: "once" }), ["--headless"])
  expect([(await client.callTool(write("a.txt"))).isError, asked]).toEqual([true, []])
})
