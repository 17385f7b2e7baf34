import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { modern, RawServer, running } from "./mcp-serve-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

let command: SourceCommand
let bench: Workbench
const started: RawServer[] = []

beforeAll(async () => {
  command = await sourceCommand()
}, 120_000)
afterAll(() => command.remove())
beforeEach(() => {
  bench = workbench()
})
afterEach(async () => {
  for (const server of started.splice(0)) {
    server.process.stdin.end()
    server.process.stdout.resume()
    await server.ended
  }
  bench.remove()
})

function start(words: readonly string[] = []): RawServer {
  const server = new RawServer(command, bench, words)
  started.push(server)
  return server
}

async function ready(words: readonly string[] = []): Promise<RawServer> {
  const server = start(words).read()
  await server.initialize()
  return server
}

const call = (name: string, input: Record<string, unknown>) => ({ name, arguments: input })

/** A text that no other process has in its command line. */
function marker(): string {
  return `${10_000 + Math.floor(Math.random() * 80_000)}.${Date.now()}`
}

const gone = { timeout: 10_000, interval: 50 }

describe("frames", () => {
  test("standard output carries nothing but messages of the protocol", async () => {
    bench.write("haft.jsonc", '{ "mode": "auto" }')
    const server = await ready()
    await server.request("tools/list")
    await server.request("tools/call", call("bash", { command: "echo to stdout; echo to stderr >&2" }))
    await server.request("tools/call", call("read", { file_path: "missing.txt" }))
    await server.request("tools/call", call("todo", { todos: [] }))
    server.process.stdin.end()
    expect(await server.ended).toBe(0)
    expect(server.lines.length).toBeGreaterThan(4)
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
  })

  test("what is no message is answered, and the connection goes on", async () => {
    const server = await ready()
    const refused = async (text: string, id: string | number | null = null) => {
      const answer = server.answer(id)
      server.write(text)
      return (await answer).error?.code
    }
    expect(await refused("this is no JSON")).toBe(-32700)
    expect(await refused('{"jsonrpc":"2.0","id":')).toBe(-32700)
    expect(await refused("[]")).toBe(-32600)
    expect(await refused('{"jsonrpc":"1.0","id":"old","method":"ping"}', "old")).toBe(-32600)
    expect(await refused("null")).toBe(-32600)
    expect(await refused(`"${"x".repeat(17 * 1024 * 1024)}"`)).toBe(-32600)
    expect((await server.request("no/such/method")).error?.code).toBe(-32601)
    expect((await server.request("tools/call", { name: 5 })).error?.code).toBe(-32602)
    expect((await server.request("tools/call", { name: "read", arguments: [] })).error?.code).toBe(-32602)
    expect((await server.request("ping")).result).toEqual({})
  })

  test("nothing is listed or called before the handshake", async () => {
    const server = start().read()
    expect((await server.request("tools/call", call("read", { file_path: "a.txt" }))).error).toMatchObject({
      code: -32600,
      message: expect.stringContaining("before initialize"),
    })
    expect((await server.request("tools/list")).error?.code).toBe(-32600)
    await server.initialize()
    expect((await server.request("tools/list")).result?.tools).toHaveLength(13)
  })

  test("a script that closes its end at once still gets its answers", async () => {
    bench.write("a.txt", "hello\n")
    const server = start().read()
    const clientInfo = { name: "script", version: "1" }
    void server.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
    const answer = server.request("tools/call", call("read", { file_path: "a.txt" }))
    server.process.stdin.end()
    expect((await answer).result?.content?.[0]?.text).toContain("hello")
    expect(await server.ended).toBe(0)
  })
})

describe("a client that does not read", () => {
  test("is given no more and asked no more until it does; then every call is answered", async () => {
    bench.write("big.txt", "a line of some length\n".repeat(1500))
    const server = start()
    const clientInfo = { name: "slow", version: "1" }
    const answers = [server.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })]
    const input = (index: number) => ({ file_path: "big.txt", limit: 1000 + index })
    const calls = (from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        answers.push(
          server.request("tools/call", { ...call("read", input(index)), _meta: { pad: "x".repeat(20_000) } }),
        )
      }
    }
    // Their results are more than a client may leave unread.
    calls(0, 120)
    await idle(server.process.pid!)
    calls(120, 420)
    await idle(server.process.pid!)
    // The rest stays on our side of the pipe: the server has stopped to take it.
    expect(server.process.stdin.writableLength).toBeGreaterThan(1_000_000)
    const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))
    expect(Number(memory?.[1])).toBeLessThan(400_000)
    server.read()
    for (const answer of await Promise.all(answers)) expect(answer.error).toBeUndefined()
  })
})

/** Resolves when a process has used no processor time for a second. */
async function idle(pid: number): Promise<void> {
  const used = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(" ").slice(13, 15).join()
  for (let before = ""; before !== used(); ) {
    before = used()
    await sleep(1000)
  }
}

describe("what runs", () => {
  test("ends with its whole tree when the call is cancelled; the connection goes on", async () => {
    const server = await ready()
    const seconds = marker()
    void server.request("tools/call", call("bash", { command: `sleep ${seconds} & sleep ${seconds}` }), "slow")
    await vi.waitFor(() => expect(running(`sleep ${seconds}`)).toBeGreaterThan(0), gone)
    server.notify("notifications/cancelled", { requestId: "slow", reason: "enough" })
    await vi.waitFor(() => expect(running(seconds)).toBe(0), gone)
    expect((await server.request("ping")).result).toEqual({})
  })

  test.each(["closes its end", "is killed", "closes both ends"])("ends when the client %s", async (how) => {
    const server = await ready()
    const seconds = marker()
    void server.request("tools/call", call("bash", { command: `sleep ${seconds} & sleep ${seconds}` }))
    await vi.waitFor(() => expect(running(`sleep ${seconds}`)).toBeGreaterThan(0), gone)
    if (how === "closes its end") server.process.stdin.end()
    else {
      server.process.stdin.destroy()
      server.process.stdout.destroy()
      if (how === "is killed") server.process.stderr.destroy()
    }
    expect(await server.ended).toBe(0)
    await vi.waitFor(() => expect(running(seconds)).toBe(0), gone)
  })

  test("ends on SIGTERM, in order", async () => {
    const server = await ready()
    const seconds = marker()
    void server.request("tools/call", call("bash", { command: `sleep ${seconds}` }))
    await vi.waitFor(() => expect(running(`sleep ${seconds}`)).toBeGreaterThan(0), gone)
    server.process.kill("SIGTERM")
    expect(await server.ended).toBe(0)
    expect(running(seconds)).toBe(0)
  })
})

describe("the state that a client sends back with an answer", () => {
  const asking = { elicitation: { form: {} } }
  const write = (name: string) => call("write", { file_path: name, content: "x" })

  async function asked(server: RawServer) {
    const { result } = await server.request("tools/call", modern(write("a.txt"), asking))
    expect(result?.resultType).toBe("input_required")
    const [key] = Object.keys(result?.inputRequests as object)
    return {
      requestState: result?.requestState as string,
      inputResponses: { [key!]: { action: "accept", content: { answer: "once" } } },
    }
  }

  test("is good for the call that it was made for, once", async () => {
    const server = start().read()
    const answer = await asked(server)
    const first = await server.request("tools/call", modern({ ...write("a.txt"), ...answer }, asking))
    expect([first.result?.isError, bench.read("a.txt")]).toEqual([undefined, "x"])
    const again = await server.request("tools/call", modern({ ...write("a.txt"), ...answer }, asking))
    expect(again.result?.isError).toBe(true)
  })

  test("is good for no other arguments, no other tool and not when it was changed", async () => {
    const server = start().read()
    const answer = await asked(server)
    const other = await server.request("tools/call", modern({ ...write("b.txt"), ...answer }, asking))
    expect(other.result?.isError).toBe(true)
    const tool = call("edit", { file_path: "a.txt", old_string: "a", new_string: "b" })
    expect((await server.request("tools/call", modern({ ...tool, ...answer }, asking))).result?.isError).toBe(true)
    const [version, body, mac] = answer.requestState.split(".")
    const forged = `${version}.${Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body!, "base64url").toString()), exp: 9e9 })).toString("base64url")}.${mac}`
    const changed = await server.request(
      "tools/call",
      modern({ ...write("a.txt"), ...answer, requestState: forged }, asking),
    )
    expect(changed.error?.code).toBe(-32602)
    expect(() => bench.read("a.txt")).toThrow()
    expect(() => bench.read("b.txt")).toThrow()
  })

  test("without an answer is asked the same again", async () => {
    const server = start().read()
    const { requestState } = await asked(server)
    const { result } = await server.request("tools/call", modern({ ...write("a.txt"), requestState }, asking))
    expect(result?.resultType).toBe("input_required")
  })
})

describe("a client that speaks the tasks extension", () => {
  const polling = { extensions: { "io.modelcontextprotocol/tasks": {} } }

  test("gets a quick call as usual and polls for a long one, sees it work, and gets its result", async () => {
    const server = start().read()
    // The first command of a session takes longer than the others.
    await server.request("tools/call", modern(call("bash", { command: "true" })))
    const quick = await server.request("tools/call", modern(call("bash", { command: "echo quick" }), polling))
    expect(quick.result?.resultType).toBe("complete")
    const script = "echo begun; sleep 4; echo done"
    const { result: task } = await server.request("tools/call", modern(call("bash", { command: script }), polling))
    expect(task).toMatchObject({ resultType: "task", status: "working", pollIntervalMs: 1000 })
    const taskId = task?.taskId as string
    const get = async () => (await server.request("tasks/get", modern({ taskId }, polling))).result
    expect(await get()).toMatchObject({ status: "working", statusMessage: "begun" })
    await vi.waitFor(async () => expect((await get())?.status).toBe("completed"), gone)
    expect(await get()).toMatchObject({ result: { content: [{ text: expect.stringContaining("done") }] } })
  })

  test("cancels one, and its processes end", async () => {
    const server = start().read()
    const seconds = marker()
    const { result } = await server.request(
      "tools/call",
      modern(call("bash", { command: `sleep ${seconds}` }), polling),
    )
    const { taskId } = result as { taskId: string }
    await vi.waitFor(() => expect(running(`sleep ${seconds}`)).toBeGreaterThan(0), gone)
    await server.request("tasks/cancel", modern({ taskId }, polling))
    await vi.waitFor(() => expect(running(seconds)).toBe(0), gone)
    const { result: after } = await server.request("tasks/get", modern({ taskId }, polling))
    expect(after?.status).toBe("cancelled")
    expect((await server.request("tasks/get", modern({ taskId: "none" }, polling))).error?.code).toBe(-32602)
  })

  test("is not what another client is: its long calls are answered when they end", async () => {
    const server = start().read()
    const { result } = await server.request("tools/call", modern(call("bash", { command: "sleep 3; echo done" })))
    expect(result?.resultType).toBe("complete")
  })
})
