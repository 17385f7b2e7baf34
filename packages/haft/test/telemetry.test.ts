import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { runCall } from "@haft/runtime"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openHaft } from "../src/library/create-haft.js"
import { AgentWorld, all } from "./agent-world.js"

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status?: { readonly code: number; readonly message?: string }
}

/** A server that takes what a collector takes: POST /v1/traces with JSON of the shape of opentelemetry-proto. */
class Collector {
  readonly spans: SentSpan[] = []
  readonly resources: Attribute[][] = []
  readonly headers: IncomingHttpHeaders[] = []
  paths: string[] = []
  hangs = false
  /** Requests that nobody has answered or given up. */
  open = 0
  private readonly server: Server

  constructor() {
    this.server = createServer(async (request, response) => {
      this.paths.push(`${request.method} ${request.url}`)
      this.headers.push(request.headers)
      this.open += 1
      response.on("close", () => {
        this.open -= 1
      })
      let text = ""
      for await (const piece of request) text += String(piece)
      const body = JSON.parse(text) as {
        resourceSpans: {
          resource: { attributes: Attribute[] }
          scopeSpans: { scope: { name: string }; spans: SentSpan[] }[]
        }[]
      }
      for (const { resource, scopeSpans } of body.resourceSpans) {
        this.resources.push(resource.attributes)
        for (const { scope, spans } of scopeSpans) {
          expect(scope.name).toBe("haft")
          this.spans.push(...spans)
        }
      }
      if (!this.hangs) response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  }

  async listen(): Promise<string> {
    this.server.listen(0, "127.0.0.1")
    await once(this.server, "listening")
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  named(name: string): SentSpan {
    const found = this.spans.filter((span) => span.name === name)
    expect(found.map((span) => span.name)).toEqual([name])
    return found[0]!
  }
}

let world: AgentWorld
let collector: Collector
let url: string
beforeEach(async () => {
  world = await AgentWorld.make()
  collector = new Collector()
  url = await collector.listen()
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await world.remove()
  collector.close()
})

const values = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
const writes = { calls: [{ name: "write", args: { file_path: "b.txt", content: "hunter2secret\n" } }] }

async function runTurn(person?: "events"): Promise<void> {
  const usage = { input: 70, output: 20 }
  const { model } = await world.model(
    { text: "I write.", ...writes, usage },
    { calls: [{ name: "read", args: { file_path: "none.txt" } }] },
    { text: "Done.", usage },
  )
  const haft = await world.open()
  const agent = haft.agent({ model, ...(person && { person }) })
  for await (const event of agent.send("Write my-private-words")) {
    if (event.type !== "ask") continue
    const [wait] = await agent.waits()
    await new Promise((resolve) => setTimeout(resolve, 60))
    await agent.answer(wait!.name, { answer: "once" })
  }
  await haft.close()
}

test("[C2-172] a compaction has a span of its own, and the reply behind it begins when it is over", async () => {
  const { model } = await world.model(
    { text: "x".repeat(80_000), usage: { input: 20_000, output: 20_000 } },
    { text: "Long.", usage: { input: 99_000, output: 5 } },
    { text: "THE SUMMARY", usage: { input: 500, output: 50 } },
    { text: "After.", usage: { input: 10, output: 1 } },
  )
  const haft = await world.open()
  const agent = haft.agent({ model, contextTokens: 100_000 })
  for (const text of ["One", "Two", "Three"]) await all(agent.send(text))
  await haft.close()
  const compaction = collector.named("compact_conversation")
  expect(values(compaction)).toMatchObject({ "gen_ai.usage.input_tokens": "500", "gen_ai.usage.output_tokens": "50" })
  expect(values(compaction)["haft.compaction.left_out"]).toBe("0")
  const after = collector.spans.filter(({ parentSpanId }) => parentSpanId === compaction.parentSpanId).at(-1)!
  expect(after.name).toMatch(/^chat /)
  expect(BigInt(after.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(compaction.endTimeUnixNano))
})

test("[C2-172] a turn is a tree of spans: the agent, its replies, its tools, and the time of a person by itself", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20b,broken")
  vi.stubEnv("OTEL_SERVICE_NAME", "my-agent")
  await runTurn("events")
  expect(new Set(collector.paths)).toEqual(new Set(["POST /v1/traces"]))
  expect(collector.headers[0]).toMatchObject({ "content-type": "application/json", "x-key": "a b" })
  expect(collector.resources[0]).toContainEqual({ key: "service.name", value: { stringValue: "my-agent" } })
  const turn = collector.named("invoke_agent haft")
  expect(turn.parentSpanId).toBeUndefined()
  expect(values(turn)).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "haft",
    "gen_ai.conversation.id": expect.stringMatching(/^ses_/),
    "gen_ai.system": "script",
    "gen_ai.usage.input_tokens": "140",
    "gen_ai.usage.output_tokens": "40",
    "haft.stop_reason": "done",
  })
  const chats = collector.spans.filter(({ name }) => name.startsWith("chat "))
  expect(chats).toHaveLength(3)
  for (const chat of chats) {
    expect(chat).toMatchObject({ parentSpanId: turn.spanId, traceId: turn.traceId, kind: 3 })
    expect(values(chat)["gen_ai.operation.name"]).toBe("chat")
  }
  const write = collector.named("execute_tool write")
  expect(write).toMatchObject({ parentSpanId: turn.spanId, traceId: turn.traceId, kind: 1 })
  expect(write.status).toBeUndefined()
  expect(values(write)).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "write",
    "gen_ai.tool.call.id": expect.stringMatching(/^call_/),
    "haft.permission.verdict": "ask",
  })
  expect(Number(values(write)["haft.permission.wait_ms"])).toBeGreaterThanOrEqual(50)
  const wait = collector.named("wait_for_person")
  expect(wait).toMatchObject({ parentSpanId: write.spanId, traceId: turn.traceId })
  expect(values(wait)).toMatchObject({ "haft.wait.kind": "ask", "haft.answer": "once" })
  expect(BigInt(wait.endTimeUnixNano) - BigInt(wait.startTimeUnixNano)).toBeGreaterThanOrEqual(50_000_000n)
  const read = collector.named("execute_tool read")
  expect(read.status).toEqual({ code: 2, message: "not_found" })
  expect(values(read)).toMatchObject({ "error.type": "not_found", "haft.permission.verdict": "allow" })
  for (const { traceId, spanId } of collector.spans) {
    expect([traceId, spanId]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ])
  }
})

test("what was said, given and returned is not sent unless somebody asks for it, and then without secrets", async () => {
  vi.stubEnv("MY_TOKEN", "hunter2secret")
  await runTurn()
  expect(JSON.stringify(collector.spans)).not.toMatch(/my-private-words|hunter2secret|b\.txt/)
  collector.spans.length = 0
  vi.stubEnv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
  await runTurn()
  const write = values(collector.named("execute_tool write"))
  expect(write["gen_ai.tool.call.arguments"]).toContain("b.txt")
  expect(write["gen_ai.tool.call.arguments"]).toContain("[secret:")
  expect(write["gen_ai.tool.call.result"]).toBeDefined()
  expect(JSON.stringify(collector.spans)).not.toContain("hunter2secret")
})

test("a session that differs from the others is traced with them, to its last span", async () => {
  const haft = await openHaft({ roots: [world.work], home: `${world.folder}/home` })
  const { session } = await haft.drive({ change: { mode: "plan" } })
  await runCall({ name: "read", arguments: { file_path: "a.txt" }, signal: new AbortController().signal }, session)
  await haft.close()
  expect(collector.named("execute_tool read").status).toBeUndefined()
})

test("a name that a model made up is cut", async () => {
  const { model } = await world.model({ calls: [{ name: "x".repeat(100_000), args: {} }] }, { text: "Done." })
  const haft = await world.open()
  await all(haft.agent({ model }).send("Go"))
  await haft.close()
  const calls = collector.spans.filter(({ name }) => name.startsWith("execute_tool"))
  expect(calls.map(({ name }) => name.length <= 200)).toEqual([true])
  expect(JSON.stringify(collector.spans).length).toBeLessThan(60_000)
})

test("an agent that another one starts is below the call that started it", async () => {
  const { model } = await world.model(
    { calls: [{ name: "task", args: { subagent_type: "explore", prompt: "Look" } }] },
    { agent: "explore", text: "There." },
    { text: "Found." },
  )
  const haft = await world.open()
  await all(haft.agent({ model }).send("Where?"))
  await haft.close()
  const task = collector.named("execute_tool task")
  expect(collector.named("invoke_agent explore")).toMatchObject({ parentSpanId: task.spanId, traceId: task.traceId })
})

test("a model that fails and a turn that is aborted end their spans with an error", async () => {
  const { model } = await world.model({ calls: [{ name: "write", args: { file_path: "b.txt", content: "x" } }] })
  const haft = await world.open()
  const agent = haft.agent({ model, person: "events" })
  for await (const event of agent.send("Write")) if (event.type === "ask") void agent.abort("enough")
  await all(agent.send("Again"))
  await haft.close()
  const turns = collector.spans.filter(({ name }) => name === "invoke_agent haft")
  expect(turns.map((turn) => values(turn)["error.type"])).toEqual(["aborted", "model-error"])
  const failed = collector.spans.filter(({ name, status }) => name.startsWith("chat ") && status)
  expect(failed).toMatchObject([{ parentSpanId: turns[1]!.spanId, status: { code: 2 } }])
  expect(collector.named("wait_for_person").parentSpanId).toBe(collector.named("execute_tool write").spanId)
})

test.each([[{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }], [{ OTEL_SDK_DISABLED: "true" }], [{ OTEL_TRACES_EXPORTER: "none" }]])(
  "with %j nothing is sent",
  async (env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    await runTurn()
    expect(collector.paths).toEqual([])
  },
)

test("the address for traces is used as it is, and the new name of the provider by those who ask for it", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", `${url}/my/traces`)
  vi.stubEnv("OTEL_SEMCONV_STABILITY_OPT_IN", "http, gen_ai_latest_experimental")
  await runTurn()
  expect(collector.paths[0]).toBe("POST /my/traces")
  const turn = values(collector.named("invoke_agent haft"))
  expect(turn["gen_ai.provider.name"]).toBe("script")
  expect(turn).not.toHaveProperty("gen_ai.system")
})

test.each(["hangs", "away", "no address"])("a collector that is %s does not hold up the work", async (how) => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined)
  if (how === "hangs") collector.hangs = true
  if (how === "away") collector.close()
  if (how === "no address") vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "file:///etc/passwd")
  const started = performance.now()
  await runTurn()
  expect(performance.now() - started).toBeLessThan(15_000)
  expect(warned.mock.calls.flat().join()).toContain("Cannot send spans to")
  // A request that is still open keeps the process.
  if (how === "hangs") await vi.waitFor(() => expect(collector.open).toBe(0))
  warned.mockRestore()
})
