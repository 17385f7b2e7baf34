import { once } from "node:events"
import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { EventBody, ToolResult } from "@haft/contract"
import { afterEach, describe, expect, test } from "vitest"
import { DirectCalls, plainCall } from "./direct-calls.js"
import type { HostCall, HostSession, ServedTool, ServeHost } from "./host.js"
import { serveStdio } from "./serve-stdio.js"

const tools: readonly ServedTool[] = [
  { definition: { name: "echo", inputSchema: { type: "object" } }, name: "echo", isLong: false },
]

type Wire = Record<string, unknown> & { readonly id?: unknown; readonly method?: string; readonly result?: unknown }

/** A server in this process, and a client that writes frames. */
class Connection {
  readonly messages: Wire[] = []
  readonly calls: { readonly input: unknown; readonly options: HostCall }[] = []
  private readonly input = new PassThrough()
  private readonly output = new PassThrough()
  private readonly over: Promise<void>

  constructor(work: (input: Record<string, unknown>, options: HostCall) => Promise<unknown> = async (input) => input) {
    const session: HostSession = {
      id: "ses_1",
      call: async (_tool, input, options) => {
        this.calls.push({ input, options })
        return { result: resultOf(await work(input as Record<string, unknown>, options)) }
      },
      readOutput: async () => ({ text: "", bytes: 0 }),
      close: async () => undefined,
    }
    const host: ServeHost = {
      ...{ version: "1", instructions: "", mayAsk: true },
      tools: async () => tools,
      openSession: async () => session,
      askWords: async () => "May it?",
      personStep: async () => undefined,
      note: () => undefined,
    }
    createInterface(this.output).on("line", (line) => {
      this.messages.push(JSON.parse(line) as Wire)
      this.output.emit("told")
    })
    this.over = serveStdio(host, { input: this.input, output: this.output })
  }

  write(message: unknown): void {
    this.input.write(`${JSON.stringify(message)}\n`)
  }

  async message(isIt: (message: Wire) => boolean): Promise<Wire> {
    for (;;) {
      const found = this.messages.find(isIt)
      if (found) return found
      await once(this.output, "told")
    }
  }

  request(id: unknown, method: string, params: unknown = {}): Promise<Wire> {
    this.write({ jsonrpc: "2.0", id, method, params })
    return this.message((message) => message.id === id && message.method === undefined)
  }

  call(id: unknown, params: Record<string, unknown> = {}): Promise<Wire> {
    return this.request(id, "tools/call", { name: "echo", arguments: { value: String(id) }, ...params })
  }

  /** Makes the handshake; only with its last message calls are answered without the SDK. */
  async initialize(isDirect: boolean, capabilities: object = {}): Promise<this> {
    const clientInfo = { name: "test", version: "1" }
    await this.request("hello", "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo })
    if (isDirect) this.write({ jsonrpc: "2.0", method: "notifications/initialized" })
    await this.request("ready", "ping")
    return this
  }

  async end(): Promise<void> {
    this.input.end()
    await this.over
  }
}

const metadata = { call_id: "call_1", session_id: "ses_1", duration_ms: 1 }

function resultOf(data: unknown): ToolResult {
  const envelope = { type: "output", tool_name: "echo", data, metadata }
  return { envelope, content: [{ type: "text", text: JSON.stringify(data) }] } as unknown as ToolResult
}

const open: Connection[] = []
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.end()
})

function connect(work?: ConstructorParameters<typeof Connection>[0]): Connection {
  const connection = new Connection(work)
  open.push(connection)
  return connection
}

const delta = (text: string) => ({ type: "tool-output-delta", delta: text }) as unknown as EventBody
const aborted = ({ signal }: HostCall) =>
  new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("aborted"), { once: true }))

describe.each([
  ["without the SDK", true],
  ["by the SDK", false],
] as const)("a call that is answered %s", (_how, isDirect) => {
  test("gives its result once, and its id is free again", async () => {
    const connection = await connect().initialize(isDirect)
    for (const round of [1, 2]) {
      connection.messages.length = 0
      const answer = await connection.call(7)
      expect([round, answer]).toEqual([
        round,
        {
          jsonrpc: "2.0",
          id: 7,
          result: {
            content: [{ type: "text", text: '{"value":"7"}' }],
            structuredContent: { value: "7" },
            _meta: { "haft/envelope": { type: "output", ...metadata } },
          },
        },
      ])
    }
    connection.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } })
    const ids = [0, "a", 'quote " and \\', 2 ** 40]
    const answers = await Promise.all(ids.map((id) => connection.call(id)))
    expect(answers.map(({ result }) => (result as { structuredContent: unknown }).structuredContent)).toEqual(
      ids.map((id) => ({ value: String(id) })),
    )
    expect((await connection.request("none", "tools/call", { name: "echo" })).result).toMatchObject({
      structuredContent: {},
    })
    expect(connection.calls.filter(({ options }) => options.signal.aborted)).toEqual([])
  })

  test("tells progress under the token of its request, and nothing without one", async () => {
    const connection = await connect(async (input, { onEvent }) => {
      onEvent(delta("half\n"))
      // Too soon after the first to be told at once, and not at all after the result.
      onEvent(delta("whole\n"))
      return input
    }).initialize(isDirect)
    await connection.call("quiet")
    expect(connection.messages.filter(({ method }) => method !== undefined)).toEqual([])
    await connection.call("told", { _meta: { progressToken: "mine", other: true } })
    await sleep(150)
    const notes = connection.messages.filter(({ method }) => method !== undefined)
    expect(notes).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "mine", progress: 5, message: "half" },
      },
    ])
  })

  test("ends when it is cancelled, without an answer; another goes on", async () => {
    const connection = await connect(async (input, options) =>
      input.value === "slow" ? { end: await aborted(options) } : input,
    ).initialize(isDirect)
    void connection.call("slow")
    await connection.call("first")
    connection.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "slow" } })
    await connection.call("second")
    expect(connection.calls[0]?.options.signal.aborted).toBe(true)
    expect(connection.calls[1]?.options.signal.aborted).toBe(false)
    expect(connection.messages.filter(({ id }) => id === "slow")).toEqual([])
  })

  test("ends when the client goes away", async () => {
    const connection = new Connection(async (_input, options) => ({ end: await aborted(options) }))
    await connection.initialize(isDirect)
    void connection.call("slow")
    await connection.request("still", "ping")
    await connection.end()
    expect(connection.calls[0]?.options.signal.aborted).toBe(true)
  }, 10_000)

  test("asks the person at a client that can be asked, as often as it must", async () => {
    const connection = await connect(async (_input, { person }) => {
      if (person === "headless") return { answers: "nobody" }
      const asked = [{ question: "Which?" }, { question: "And then?" }]
      const signal = new AbortController().signal
      const answers = []
      for (const question of asked) answers.push(...(await person.question([question] as never, signal, "call_1")))
      return { answers }
    }).initialize(isDirect, { elicitation: {} })
    const answer = connection.call("asks")
    for (const [index, text] of ["this", "that"].entries()) {
      const isForm = ({ method }: Wire) => method === "elicitation/create"
      await connection.message(() => connection.messages.filter(isForm).length > index)
      const form = connection.messages.filter(isForm)[index]!
      connection.write({
        jsonrpc: "2.0",
        id: form.id,
        result: { action: "accept", content: { answer_1: text } },
      })
    }
    expect((await answer).result).toMatchObject({ structuredContent: { answers: [["this"], ["that"]] } })
    expect(connection.calls).toHaveLength(1)
  })

  test.each([
    ["an error", { error: { code: -32_603, message: "no window" } }],
    ["something that is no answer", { result: { action: "perhaps" } }],
    ["a form that was closed", { result: { action: "cancel" } }],
  ])("ends as rejected when its client answers with %s", { timeout: 10_000 }, async (_what, reply) => {
    const connection = await connect(async (_input, { person }) => {
      if (person === "headless") return { answer: "nobody" }
      const ask = { offers: ["once", "reject"], arguments: {} }
      return person.ask(ask as never, new AbortController().signal)
    }).initialize(isDirect, { elicitation: {} })
    const answer = connection.call("asks")
    const form = await connection.message(({ method }) => method === "elicitation/create")
    connection.write({ jsonrpc: "2.0", id: form.id, ...reply })
    expect((await answer).result).toMatchObject({ structuredContent: { answer: "reject" } })
  })

  test("asks more often than the SDK would", { timeout: 10_000 }, async () => {
    const connection = await connect(async (_input, { person }) => {
      if (person === "headless") return { answers: "nobody" }
      const answers = []
      for (let round = 0; round < 12; round += 1)
        answers.push(...(await person.question([{ question: "Which?" }] as never, new AbortController().signal, "c")))
      return { answers: answers.flat().join("") }
    }).initialize(isDirect, { elicitation: {} })
    const answer = connection.call("asks")
    for (let round = 0; round < 12; round += 1) {
      const forms = () => connection.messages.filter(({ method }) => method === "elicitation/create")
      await connection.message(() => forms().length > round)
      const result = { action: "accept", content: { answer_1: "x" } }
      connection.write({ jsonrpc: "2.0", id: forms()[round]!.id, result })
    }
    expect((await answer).result).toMatchObject({ structuredContent: { answers: "x".repeat(12) } })
  })

  test("ends when it is cancelled while the person is asked, and the form is taken back", {
    timeout: 10_000,
  }, async () => {
    let end: unknown
    const connection = await connect(async (_input, { person, signal }) => {
      if (person === "headless") return {}
      const over = new AbortController()
      signal.addEventListener("abort", () => over.abort("cancelled"), { once: true })
      end = await person.question([{ question: "Which?" }] as never, over.signal, "c").catch((error) => error)
      return {}
    }).initialize(isDirect, { elicitation: {} })
    void connection.call("asks")
    const form = await connection.message(({ method }) => method === "elicitation/create")
    connection.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "asks" } })
    const taken = await connection.message(({ method }) => method === "notifications/cancelled")
    expect(taken.params).toMatchObject({ requestId: form.id })
    await connection.request("after", "ping")
    expect(end).toBe("cancelled")
    expect(connection.messages.filter(({ id }) => id === "asks")).toEqual([])
  })

  test("is the only one with its id until it is answered", async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const connection = await connect(async () => {
      await held
      return {}
    }).initialize(isDirect)
    void connection.call("twice")
    expect((await connection.call("twice")).error).toMatchObject({
      code: -32_600,
      message: expect.stringContaining('"twice" is that of a request that is under way'),
    })
    release()
    await connection.message(({ id, result }) => id === "twice" && result !== undefined)
    expect(connection.calls).toHaveLength(1)
  })

  test("that does not fit is refused as the protocol says", async () => {
    const connection = await connect().initialize(isDirect)
    const refused = async (id: unknown, params: unknown) =>
      ((await connection.request(id, "tools/call", params)).error as { code: number }).code
    expect(await refused(1, { name: "ech" })).toBe(-32602)
    expect(await refused(2, { name: 5 })).toBe(-32602)
    expect(await refused(3, { name: "echo", arguments: [] })).toBe(-32602)
    expect(await refused(4, { name: "echo", arguments: null })).toBe(-32602)
    expect(await refused(5, { name: "echo", _meta: { progressToken: {} } })).toBe(-32600)
    expect(connection.calls).toEqual([])
  })
})

test("a client that says that the handshake is over before it began gets no call through", async () => {
  const connection = connect()
  connection.write({ jsonrpc: "2.0", method: "notifications/initialized" })
  await connection.request("ready", "ping")
  expect((await connection.call(1)).error).toMatchObject({ code: -32_600 })
  expect(connection.calls).toEqual([])
})

test("tools that cannot be listed leave the calls to the SDK", async () => {
  const host = { tools: () => Promise.reject(new Error("no tools")) }
  const calls = new DirectCalls(host as never, {} as never, {} as never)
  await calls.open({ getNegotiatedProtocolVersion: () => "2025-11-25" } as never)
  expect(calls.take({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo" } })).toBe(false)
})

describe("a call is plain", () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read", arguments: { a: 1 } } }
  const { params } = call

  test.each([
    call,
    { ...call, id: "one" },
    { ...call, params: { name: "read" } },
    { ...call, params: { ...params, _meta: { progressToken: 0, "vendor/key": {} } } },
  ])("%j", (message) => {
    expect(plainCall(message)).toBe(message)
  })

  test.each(
    [
      null,
      "tools/call",
      [call],
      { ...call, jsonrpc: "1.0" },
      { ...call, method: "tools/list" },
      { ...call, id: null },
      { ...call, id: 1.5 },
      { ...call, id: undefined },
      { ...call, extra: true },
      { ...call, params: undefined },
      { ...call, params: [] },
      { ...call, params: { name: 5 } },
      { ...call, params: { name: "read", arguments: [] } },
      { ...call, params: { name: "read", arguments: null } },
      { ...call, params: { ...params, _meta: null } },
      { ...call, params: { ...params, _meta: { progressToken: 1.5 } } },
      { ...call, params: { ...params, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } },
      { ...call, params: { ...params, task: { ttl: 1 } } },
      { ...call, params: { ...params, requestState: "x" } },
    ].map((message) => ({ message })),
  )("not: $message", ({ message }) => {
    expect(plainCall(message)).toBeUndefined()
  })
})
