import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ProviderApi, type ProviderServer, type ScriptedReply, startProviderServer } from "@haft/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { endOf, type Ran, type SourceCommand, sourceCommand, startCommand } from "../../test/source-command.js"
import { type Workbench, workbench } from "../../test/workbench.js"

let command: SourceCommand
let bench: Workbench
let server: ProviderServer | undefined
beforeAll(async () => {
  command = await sourceCommand()
})
afterAll(() => command.remove())
beforeEach(() => {
  bench = workbench()
})
afterEach(async () => {
  await server?.close()
  server = undefined
  bench.remove()
})

const keys = {
  ANTHROPIC_API_KEY: "right-key",
  OPENAI_API_KEY: "right-key",
  GEMINI_API_KEY: "right-key",
  OPENAI_COMPATIBLE_API_KEY: "right-key",
}
const providers: readonly (readonly [string, ProviderApi])[] = [
  ["anthropic:claude-test", "anthropic"],
  ["openai:gpt-5-test", "openai-responses"],
  ["google:gemini-test", "gemini"],
  ["openai-compatible:local-test", "openai-chat"],
]

interface Setting {
  readonly model?: string
  readonly api?: ProviderApi
  readonly key?: string
  readonly models?: readonly string[]
}

/** Runs one prompt against a provider that gives these replies. */
async function ask(
  replies: readonly ScriptedReply[],
  words: readonly string[] = [],
  setting: Setting = {},
): Promise<Ran> {
  const { model = "anthropic:claude-test", api = "anthropic", key = "right-key", models } = setting
  server = await startProviderServer({ replies, key: "right-key", ...(models && { models }) })
  const env = { ...bench.env, ...Object.fromEntries(Object.keys(keys).map((name) => [name, key])) }
  const all = ["run", "--model", model, "--base-url", server.baseUrl(api), ...words, "Go"]
  return endOf(startCommand(command, { ...bench, env }, all))
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

describe("images and files in a prompt", () => {
  test.each(providers)("[C2-197] %s gets the image and the text of a file", async (model, api) => {
    writeFileSync(join(bench.work, "i.png"), pixel)
    bench.write("notes.txt", "remember the milk\n")
    const ran = await ask([{ text: "A pixel." }], ["--file", "i.png", "--file", "notes.txt"], { model, api })
    expect(ran).toMatchObject({ code: 0, stdout: "A pixel.\n" })
    expect(server!.refusals).toEqual([])
    const sent = JSON.stringify(server!.requests[0]!.body)
    expect(sent).toContain(pixel.toString("base64"))
    expect(sent).toContain("image/png")
    expect(sent).toContain("remember the milk")
  })

  test("what is neither text nor image is refused before a model is asked", async () => {
    writeFileSync(join(bench.work, "x.bin"), Buffer.from([0, 1, 2, 255, 254]))
    const ran = await ask([], ["--file", "x.bin"])
    expect([ran.code, ran.stdout]).toEqual([2, ""])
    expect(ran.stderr).toContain('Cannot send "x.bin": it is neither text nor an image or PDF')
    expect(server!.requests).toEqual([])
  })
})

/** The session that a run names, with its calls and its last record. */
async function journalOf({ stderr }: Ran): Promise<{ calls: { tool: string }[]; turns: { kind: string }[] }> {
  const id = /--session (ses_\w+)/.exec(stderr)![1]!
  expect((await bench.run(["session", "verify", id])).code).toBe(0)
  return JSON.parse((await bench.run(["session", "show", id, "--json"])).stdout)
}

const looks: ScriptedReply = { text: "I look.", calls: [{ name: "ls", args: {} }] }

test("a reply that breaks off in the middle is begun again, and the run goes on", async () => {
  const text = "I look at all that there is in this folder, and then I say what I have found."
  const calls = [{ name: "ls", args: {} }]
  const replies: ScriptedReply[] = [
    { text, calls, fault: { type: "cut" } },
    { text: "I look.", calls },
    { text: "Done." },
  ]
  const ran = await ask(replies)
  expect(ran.code).toBe(0)
  const [dead, ...rest] = ran.stdout.split("\n")
  expect([text.startsWith(dead!), dead !== "", rest]).toEqual([true, true, ["I look.", "Done.", ""]])
  expect(ran.stderr).toMatch(/^ {2}the reply was begun again$/m)
  expect(ran.stderr.match(/^ {2}ls .* ok/gm)).toHaveLength(1)
  expect((await journalOf(ran)).calls.map(({ tool }) => tool)).toEqual(["ls"])
})

describe("a provider that fails after a first step", () => {
  test.each<[string, ScriptedReply, string]>([
    ["answers with a web page", { fault: { type: "html" } }, "web page"],
    ["never ends its stream", { fault: { type: "endless" } }, "did not end"],
    ["gives an empty stream", { fault: { type: "empty" } }, "empty stream"],
    ["says that the context is full", { fault: { type: "context-length" } }, "Start a new session"],
  ])(
    "that %s ends the run with exit 8, words, and what was done in the journal",
    async (_, reply, said) => {
      const replies = [looks, ...Array.from({ length: 6 }, () => reply)]
      const ran = await ask(replies)
      expect(ran.code).toBe(8)
      expect(ran.stderr).toMatch(/^error: /m)
      expect(ran.stderr).toContain(said)
      expect(ran.stdout).toContain("I look.")
      const { calls, turns } = await journalOf(ran)
      expect(calls.map(({ tool }) => tool)).toEqual(["ls"])
      expect(turns.at(-1)).toMatchObject({ kind: "end" })
    },
    120_000,
  )

  test("with --ndjson the failure is an event too", async () => {
    const ran = await ask([looks, { fault: { type: "html" } }], ["--ndjson"])
    expect(ran.code).toBe(8)
    const last = JSON.parse(ran.stdout.trim().split("\n").at(-1)!) as { type: string; outcome: { reason: string } }
    expect(last).toMatchObject({ type: "turn-end", outcome: { reason: "model-error", steps: 1 } })
    expect(JSON.stringify(last)).toContain("web page")
  })
})

describe("--max-cost ends the run", () => {
  const model = "anthropic:claude-sonnet-4-5"
  // Three cents a reply.
  const usage = { input: 10_000, output: 0 }
  const task = (background: boolean) => {
    const args = JSON.stringify({ subagent_type: "general", prompt: "Go", background })
    return { usage, calls: [{ name: "task", args }] }
  }

  test("when subagents have used it up", async () => {
    const ran = await ask([task(false), { ...looks, usage }, looks, looks], ["--max-cost", "0.05", "--json"], { model })
    expect(ran.code).toBe(9)
    const outcome = { reason: "limit", message: "The turn reached its limit of $0.05", steps: 1 }
    expect(JSON.parse(ran.stdout)).toMatchObject({ ...outcome, usage: { cost: expect.closeTo(0.06, 6) } })
    expect(server!.requests).toHaveLength(2)
  })

  test("with what still works in the background", async () => {
    const slow = { text: "x", usage, fault: { type: "slow", headersMs: 1500 } } as const
    const ran = await ask([task(true), slow, slow, slow], ["--max-cost", "0.05"], { model })
    expect(ran.code).toBe(9)
    expect(ran.stderr).toContain("The turn reached its limit of $0.05")
  })
})

describe("what is refused by the provider", () => {
  test.each(providers)("%s: a wrong key is named by its variable and never shown", async (model, api) => {
    const ran = await ask([], [], { model, api, key: "sk-wrong-0123456789abcdef" })
    expect(ran.code).toBe(8)
    expect(ran.stderr).toMatch(/key/i)
    expect(ran.stderr).not.toContain("sk-wrong-0123456789abcdef")
  })

  test.each(providers)("%s: a model that does not exist is named", async (model, api) => {
    const ran = await ask([], [], { model, api, models: ["another"] })
    expect(ran.code).toBe(8)
    expect(ran.stderr).toContain(model.split(":")[1])
    expect(ran.stderr).toMatch(/does not exist|model name|--model/)
  })

  test("nobody listens there: the run says what to check", async () => {
    const ran = await ask([{ text: "x" }])
    const words = [
      "run",
      "--model",
      "openai-compatible:x",
      "--base-url",
      "http://127.0.0.1:9",
      "--max-time",
      "20",
      "Go",
    ]
    await server!.close()
    const away = await endOf(startCommand(command, bench, words))
    expect(ran.code).toBe(0)
    expect([8, 9]).toContain(away.code)
    expect(away.stderr).toContain("Check the network and the base URL")
  }, 60_000)
})

describe("what a model does wrong is answered to it", () => {
  test("arguments that are no JSON, a tool that is not offered, one call twice under one id", async () => {
    const twice = { name: "ls", args: {} }
    const replies: ScriptedReply[] = [
      { calls: [{ name: "read", input: '{"file_path":"a' }] },
      { calls: [{ name: "reed", args: {} }] },
      { calls: [twice, twice] },
      { text: "Done." },
    ]
    const ran = await ask(replies)
    expect([ran.code, ran.stdout]).toEqual([0, "Done.\n"])
    const { calls } = await journalOf(ran)
    expect(calls).toHaveLength(4)
    const last = JSON.stringify(server!.requests.at(-1)!.body)
    expect(last).toContain("Did you mean")
    expect(last).toMatch(/must be an object|is no JSON|not valid JSON|Unterminated/)
  })
})

describe("a session that is gone on with", () => {
  test("whose workspace is gone is refused with its folder, and stays in the journal", async () => {
    const ran = await ask([looks, { text: "Done." }])
    const id = /--session (ses_\w+)/.exec(ran.stderr)![1]!
    const script = bench.write("../s.jsonl", JSON.stringify({ text: "More." }))
    const other = workbench()
    rmSync(bench.work, { recursive: true })
    const words = ["run", "--session", id, "--model", `script:${script}`, "More"]
    const gone = await endOf(startCommand(command, { ...bench, work: other.work }, words))
    expect(gone.code).toBeGreaterThan(0)
    expect(gone.stderr).toContain(bench.work)
    const named = await endOf(startCommand(command, { ...bench, work: other.work }, [...words, "--root", bench.work]))
    expect(named.code).toBe(2)
    expect(named.stderr).toContain(`Cannot use "${bench.work}" as a folder: it does not exist`)
    expect((await bench.run(["session", "verify", id], { cwd: other.work })).code).toBe(0)
    other.remove()
  })
})

describe("an address of the configuration", () => {
  const env = { OPENAI_API_KEY: "right-key", ANTHROPIC_API_KEY: "right-key", OPENAI_COMPATIBLE_API_KEY: "right-key" }

  /** Runs a prompt with this configuration; the address in it is that of the server. */
  async function configured(
    config: Record<string, unknown>,
    words: readonly string[],
    more: Record<string, string> = {},
  ) {
    server = await startProviderServer({ replies: [{ text: "Here." }, { text: "Here." }], key: "right-key" })
    bench.write("../config/haft/config.jsonc", JSON.stringify({ ...config, baseUrl: server.baseUrl("openai-chat") }))
    return endOf(startCommand(command, { ...bench, env: { ...bench.env, ...env, ...more } }, ["run", ...words, "Go"]))
  }

  test.each([{ model: "openai-compatible:local" }, {}])(
    "gets no key of another provider (beside %j)",
    async (config) => {
      const other = await startProviderServer({ replies: [{ text: "There." }], key: "right-key" })
      const more = { OPENAI_BASE_URL: other.baseUrl("openai-responses") }
      const ran = await configured(config, ["--model", "openai:gpt-5-test"], more)
      expect(ran).toMatchObject({ code: 0, stdout: "There.\n" })
      expect(server!.requests).toEqual([])
      expect(ran.stderr).toContain("is not used: it is not that of openai:gpt-5-test; to use it: --base-url")
      await other.close()
    },
  )

  test.each([
    [{ model: "openai-compatible:local" }, "openai-compatible:other"],
    [{ model: "anthropic:claude-test" }, "openai-compatible:other"],
    [{}, "openai-compatible:other"],
  ])("is that of a model which has no other (beside %j)", async (config, model) => {
    const ran = await configured(config, ["--model", model])
    expect(ran).toMatchObject({ code: 0, stdout: "Here.\n", stderr: expect.not.stringContaining("not used") })
  })

  test("is not said of a script", async () => {
    bench.write("a.jsonl", '{"text": "Done."}')
    const ran = await configured({ model: "openai-compatible:local" }, ["--model", "script:a.jsonl"])
    expect(ran).toMatchObject({ code: 0, stdout: "Done.\n", stderr: expect.not.stringContaining("not used") })
  })
})

test("how much the configured model reads is not said of another one", async () => {
  bench.write("long.txt", "words and more words\n".repeat(3000))
  const config = { model: "openai-compatible:small", contextTokens: 8000 }
  bench.write("../config/haft/config.jsonc", JSON.stringify(config))
  const words = ["--file", "long.txt"]
  const small = { model: "openai-compatible:small", api: "openai-chat" } as const
  expect((await ask([{ text: "Read." }], words, small)).stderr).toContain("the model reads 8000")
  await server!.close()
  expect(await ask([{ text: "Read." }], words)).toMatchObject({ code: 0, stdout: "Read.\n" })
})

describe("agents", () => {
  test("a manifest that asks for more than its parent has gets no more, and says what is missing", async () => {
    bench.write(
      ".agents/agents/greedy.md",
      "---\nname: greedy\ndescription: Wants all\nmode: subagent\ntools: read, write, box, launch_missiles\n---\nDo it.\n",
    )
    const lines = [
      { calls: [{ name: "task", args: { subagent_type: "greedy", prompt: "Write" } }] },
      { agent: "greedy", calls: [{ name: "write", args: { file_path: "b.txt", content: "x" } }] },
      { agent: "greedy", text: "I may not." },
      { text: "Over." },
    ]
    const script = bench.write("../s.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"))
    const words = ["run", "--model", `script:${script}`, "--deny", "fs.write", "--ndjson", "Go"]
    const ran = await endOf(startCommand(command, bench, words))
    expect(ran.code).toBe(0)
    const ends = ran.stdout.split("\n").filter((line) => line.includes('"tool-end"'))
    const { child, session } = JSON.parse(ran.stdout.split("\n").find((line) => line.includes('"child-start"'))!)
    expect((await bench.run(["session", "show", child])).stdout).toContain(`subagent greedy of ${session}`)
    expect(ends[0]).toContain('"error_code":"denied"')
    expect(ends[1]).toContain("launch_missiles")
  })

  const task = { text: "I give it away.", calls: [{ name: "task", args: { subagent_type: "spender", prompt: "Go" } }] }
  const spender = "---\nname: spender\ndescription: Spends\nmodel: anthropic:claude-test\n---\nSpend.\n"

  test("an agent of a folder that nobody trusts does not choose its model, and the person is told", async () => {
    bench.write(".agents/agents/spender.md", spender)
    const setting = { model: "openai-compatible:local-test", api: "openai-chat" } as const
    const ran = await ask([task, { text: "Cheap." }, { text: "Over." }], [], setting)
    expect(ran.code).toBe(0)
    expect(server!.requests.map(({ api }) => api)).toEqual(["openai-chat", "openai-chat", "openai-chat"])
    expect(ran.stderr).toContain('The agent "spender" works with the model of the one that starts it')
    expect(ran.stderr).toContain("haft trust")
  })

  test("an agent with a model of another provider does not send that provider's key to the address of this one", async () => {
    const other = await startProviderServer({ replies: [{ text: "Spent." }], key: "right-key" })
    bench.write("../user/.agents/agents/spender.md", spender)
    bench = { ...bench, env: { ...bench.env, ANTHROPIC_BASE_URL: other.baseUrl("anthropic") } }
    const setting = { model: "openai-compatible:local-test", api: "openai-chat" } as const
    expect((await ask([task, { text: "Over." }], [], setting)).code).toBe(0)
    expect(server!.requests.map(({ api }) => api)).toEqual(["openai-chat", "openai-chat"])
    expect(other.requests.map(({ api }) => api)).toEqual(["anthropic"])
    await other.close()
  })
})
