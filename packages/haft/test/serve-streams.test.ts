import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Frame, type Served, serveHere, serveInside, token } from "./serve-world.js"
import { workbench } from "./workbench.js"

describe("many readers of one session", () => {
  const maxBytes = 256 * 1024
  const calls = 60
  let server: Awaited<ReturnType<typeof serveInside>>

  beforeAll(async () => {
    server = await serveInside({ maxBytes })
    server.bench.write("page.txt", "a line of some length, more or less\n".repeat(500))
    server.bench.write("large.txt", "a line of some length, more or less\n".repeat(5000))
  })

  afterAll(async () => {
    await server?.stop()
    server?.bench.remove()
  })

  test("one that does not read costs nothing, and 49 others miss nothing", { timeout: 180_000 }, async () => {
    const id = await server.open()
    const path = `/api/sessions/${id}/events`
    const slow = stalled(server.port, path)
    const ended = (frames: readonly Frame[]) =>
      frames.flatMap(({ data }) => (data.type === "tool-end" ? [data.call] : []))
    const readers = Array.from({ length: 49 }, () => {
      let count = 0
      return server.frames(path, ({ data }) => data.type === "tool-end" && ++count === calls)
    })
    const { log, done } = await server.server.sessions.read(id)
    let most = 0
    const run = async (file_path: string, limit: number) => {
      await server.call(id, "read", { file_path, limit })
      most = Math.max(most, log.bytes)
    }
    for (let index = 0; index < calls; index += 1) await run("page.txt", 500)
    for (const reader of readers) {
      const names = ended(await reader)
      expect([names.length, new Set(names).size]).toEqual([calls, calls])
    }
    // More than what the sockets of this machine hold for a reader that takes nothing.
    for (let index = 0; index < 100; index += 1) await run("large.txt", 5000)
    expect(most).toBeLessThanOrEqual(2 * maxBytes)
    done()

    // The slow one wakes up: it is told that it is behind, and gets everything when it comes again.
    const text = await slow.rest()
    const cursor = [...text.matchAll(/^id: (.+)$/gm)].at(-1)![1]!
    const again = await server.frames(`${path}?from=${encodeURIComponent(cursor)}`, ({ event }) => event === "live")
    expect(again[0]).toMatchObject({ event: "reset", data: { reason: "behind" } })
    expect(new Set(ended(again)).size).toBe(calls + 100)
  })
})

/** A reader that asks for a stream and then takes nothing from its socket until `rest`. */
function stalled(port: number, path: string) {
  const socket = connect(port, "127.0.0.1")
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  socket.pause()
  return {
    rest: () =>
      new Promise<string>((resolve) => {
        let text = ""
        socket.on("data", (piece) => {
          text += String(piece)
          if (text.includes("event: behind")) socket.destroy()
        })
        socket.on("close", () => resolve(text))
        socket.resume()
      }),
  }
}

describe("a server that is started again", () => {
  let first: Served

  beforeAll(async () => {
    first = await serveHere()
    first.bench.write("notes.txt", "one\n")
  })

  afterAll(() => first?.bench.remove())

  test("a form call that waited is told to be over; sessions, records and cursors go on", async () => {
    const id = await first.open()
    await first.call(id, "read", { file_path: "notes.txt" }, { callId: "call_beforestop" })
    const frames = await first.frames(`/api/sessions/${id}/events`, ({ event }) => event === "live")
    const waiting = first.call(id, "write", { file_path: "never.txt", content: "x" }, { callId: "call_waitedlong" })
    await first.ask()
    const reader = first.stream(`/api/sessions/${id}/events`)
    while ((await reader.next()).value?.event !== "live");
    const ended = first.stop()
    expect((await reader.next()).value).toMatchObject({ event: "bye" })
    expect(await ended).toBe(0)
    const said = await waiting.catch((error: unknown) => error)
    if (!(said instanceof Error)) expect(said).toMatchObject({ json: { type: "error" } })

    const second = await serveHere([], first.bench)
    try {
      expect((await second.send("/api/asks")).json).toEqual([])
      const cursor = encodeURIComponent(frames.at(-1)!.id!)
      const again = await second.frames(`/api/sessions/${id}/events?from=${cursor}`, ({ event }) => event === "live")
      expect(again[0]).toMatchObject({ event: "reset", data: { reason: "restart" } })
      const names = again.flatMap(({ data }) => (data.type === undefined ? [] : [`${data.type} ${data.call}`]))
      expect(names.slice(0, 2)).toEqual(["tool-call call_beforestop", "tool-end call_beforestop"])
      // The call that waited did nothing, and the timeline says how it ended.
      expect((await second.recorded(id)).at(-1)).toMatchObject({
        callId: "call_waitedlong",
        envelope: { type: "error" },
        effects: [],
      })
      expect((await second.call(id, "read", { file_path: "notes.txt" })).json).toMatchObject({ type: "output" })
    } finally {
      await second.stop()
    }
  })
})

test("readers that went away leave nothing: their places are free again", async () => {
  const server = await serveHere()
  try {
    const id = await server.open()
    for (let index = 0; index < 560; index += 1) {
      const gone = new AbortController()
      const stream = server.stream(index % 2 === 0 ? "/api/events" : `/api/sessions/${id}/events`, gone.signal)
      expect((await stream.next()).done).toBe(false)
      gone.abort()
    }
    const frames = await server.frames(`/api/sessions/${id}/events`, ({ event }) => event === "live")
    expect(frames.at(-1)).toMatchObject({ event: "live" })
  } finally {
    await server.stop()
    server.bench.remove()
  }
})

test("in a session with a model a person's own calls ask as well, and a message is a turn", async () => {
  const bench = workbench()
  bench.write("script.jsonl", `${JSON.stringify({ text: "Hello." })}\n`)
  const server = await serveHere(["--model", "script:script.jsonl"], bench)
  try {
    expect((await server.send("/api/workspace")).json.chat).toMatchObject({ available: true })
    const id = await server.open()
    const call = server.call(id, "write", { file_path: "mine.txt", content: "x" })
    const ask = await server.ask(({ session }) => session === id)
    await server.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
    expect((await call).json).toMatchObject({ type: "output" })
    expect(await server.send(`/api/sessions/${id}/messages`, { json: { text: " " } })).toMatchObject({ status: 400 })
    await server.send(`/api/sessions/${id}/messages`, { json: { text: "Hi" } })
    const frames = await server.frames(`/api/sessions/${id}/events`, ({ data }) => data.type === "turn-end")
    expect(frames.at(-1)!.data.outcome).toMatchObject({ reason: "done", text: "Hello." })
  } finally {
    await server.stop()
    bench.remove()
  }
})

test("a server that is stopped while a turn waits leaves the question open for the next one", async () => {
  const bench = workbench()
  const write = { name: "write", args: { file_path: "made.txt", content: "made\n" } }
  bench.write("begin.jsonl", `${JSON.stringify({ text: "I write.", calls: [write] })}\n`)
  bench.write("rest.jsonl", `${JSON.stringify({ text: "Done." })}\n`)
  const first = await serveHere(["--model", "script:begin.jsonl"], bench)
  const id = await first.open()
  await first.send(`/api/sessions/${id}/messages`, { json: { text: "Write it" } })
  const ask = await first.ask()
  expect(await first.stop()).toBe(0)
  const second = await serveHere(["--model", "script:rest.jsonl"], bench)
  try {
    expect((await second.ask()).id).toBe(ask.id)
    expect((await second.send(`/api/sessions/${id}`)).json.running.turns).toHaveLength(1)
    const frames = second.frames(`/api/sessions/${id}/events`, ({ data }) => data.type === "turn-end")
    await second.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
    expect((await frames).at(-1)!.data.outcome).toMatchObject({ reason: "done", text: "Done." })
    expect(bench.read("made.txt")).toBe("made\n")
  } finally {
    await second.stop()
    bench.remove()
  }
})

test("a subagent works in this process, and a server that is started again tells of it from the journal", async () => {
  const bench = workbench()
  const task = { name: "task", args: { subagent_type: "general", prompt: "Write it" } }
  const write = { name: "write", args: { file_path: "made.txt", content: "made\n" } }
  const replies = [{ calls: [task] }, { calls: [write] }, { text: "Written." }, { text: "Done." }]
  bench.write("script.jsonl", replies.map((reply) => `${JSON.stringify(reply)}\n`).join(""))
  const first = await serveHere(["--model", "script:script.jsonl"], bench)
  const id = await first.open()
  await first.send(`/api/sessions/${id}/messages`, { json: { text: "Go" } })
  const ask = await first.ask()
  const child = (await first.send(`/api/sessions/${ask.session}`)).json
  expect(child).toMatchObject({ parentId: id, state: "open" })
  expect(child).not.toHaveProperty("owner")
  await first.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
  const isOver = ({ data }: Frame) => data.type === "turn-end" && data.session === id
  const told = children(await first.frames(`/api/sessions/${id}/events`, isOver))
  expect(told).toMatchObject([
    { type: "child-start", child: child.id, agent: "general" },
    { type: "child-end", child: child.id, outcome: { reason: "done", text: "Written." } },
  ])
  await first.stop()
  const second = await serveHere([], bench)
  try {
    expect((await second.send(`/api/sessions/${child.id}`)).json.state).toBe("closed")
    const frames = await second.frames(`/api/sessions/${id}/events`, ({ event }) => event === "live")
    const plain = ({ type, call, child, agent, outcome }: Frame["data"]) => ({ type, call, child, agent, outcome })
    expect(children(frames).map(plain)).toEqual(told.map(plain))
    const types = frames.flatMap(({ data }) => (data.call === told[0].call ? [data.type] : []))
    expect(types).toEqual(["tool-call", "child-start", "child-end", "tool-end"])
  } finally {
    await second.stop()
    bench.remove()
  }
})

test("an aborted turn has what was replied and used until then, also from the journal", async () => {
  const bench = workbench()
  const usage = { input: 40, output: 4 }
  const task = { name: "task", args: { subagent_type: "general", prompt: "Write it" } }
  const write = { name: "write", args: { file_path: "made.txt", content: "made\n" } }
  const replies = [
    { text: "I start one.", usage, calls: [task] },
    { text: "I write.", usage, calls: [write] },
  ]
  bench.write("script.jsonl", replies.map((reply) => `${JSON.stringify(reply)}\n`).join(""))
  const first = await serveHere(["--model", "script:script.jsonl"], bench)
  const id = await first.open()
  await first.send(`/api/sessions/${id}/messages`, { json: { text: "Go" } })
  await first.ask()
  expect((await first.send(`/api/sessions/${id}/abort`, { json: { reason: "enough" } })).json).toEqual({
    aborted: true,
  })
  const isOver = ({ data }: Frame) => data.type === "turn-end" && data.session === id
  const outcomes = (frames: readonly Frame[]) =>
    frames.flatMap(({ data }) => (/^(turn|child)-end$/.test(data.type) ? [[data.type, data.outcome]] : []))
  const told = outcomes(await first.frames(`/api/sessions/${id}/events`, isOver))
  const outcome = { reason: "aborted", text: "I start one.", steps: 1, usage: { inputTokens: 80, outputTokens: 8 } }
  expect(told).toMatchObject([
    ["child-end", { reason: "aborted", text: "I write.", steps: 1, usage: { inputTokens: 40 } }],
    ["turn-end", outcome],
  ])
  await first.stop()
  const second = await serveHere([], bench)
  try {
    const frames = await second.frames(`/api/sessions/${id}/events`, ({ event }) => event === "live")
    expect(outcomes(frames)).toEqual(told)
    const { turns } = (await second.send(`/api/sessions/${id}/timeline`)).json
    expect(turns[0].outcome).toEqual(told.at(-1)![1])
  } finally {
    await second.stop()
    bench.remove()
  }
})

test("a subagent that another server goes on with hides nothing of the call that started it", async () => {
  const bench = workbench()
  const script = (name: string, ...replies: readonly object[]) =>
    bench.write(name, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(""))
  const task = { name: "task", args: { subagent_type: "general", prompt: "Write it", background: true } }
  const write = { name: "write", args: { file_path: "made.txt", content: "made\n" } }
  script(
    "one.jsonl",
    { agent: "haft", calls: [task] },
    { agent: "haft", text: "Started." },
    { agent: "general", calls: [write] },
  )
  script("two.jsonl", { agent: "haft", text: "Here I am." })
  const first = await serveHere(["--model", "script:one.jsonl"], bench)
  const id = await first.open()
  const isOver = ({ data }: Frame) => data.type === "turn-end" && data.session === id
  await first.send(`/api/sessions/${id}/messages`, { json: { text: "Go" } })
  await first.ask()
  await first.frames(`/api/sessions/${id}/events`, isOver)
  await first.stop()
  const second = await serveHere(["--model", "script:two.jsonl"], bench)
  try {
    await second.send(`/api/sessions/${id}/messages`, { json: { text: "Are you there?" } })
    await second.ask()
    const frames = await second.frames(`/api/sessions/${id}/events`, ({ event }) => event === "live")
    const [{ call }] = children(frames) as [Frame["data"]]
    const types = frames.flatMap(({ data }) => (data.call === call ? [data.type] : []))
    expect(types).toEqual(["tool-call", "child-start", "tool-end", "child-start"])
  } finally {
    await second.stop()
    bench.remove()
  }
})

/** What was told of subagents. */
function children(frames: readonly Frame[]): readonly Frame["data"][] {
  return frames.flatMap(({ data }) => (/^child-/.test(data.type) ? [data] : []))
}

test("headless nobody is asked", async () => {
  const server = await serveHere(["--headless"])
  try {
    const id = await server.open()
    const { json } = await server.call(id, "write", { file_path: "x.txt", content: "x" })
    expect(json).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    expect((await server.send("/api/asks")).json).toEqual([])
  } finally {
    await server.stop()
    server.bench.remove()
  }
})

test("two servers on one journal: a session is driven by one, and read from both", async () => {
  const one = await serveHere()
  const two = await serveHere([], one.bench)
  try {
    one.bench.write("notes.txt", "one\n")
    const id = await one.open()
    await one.call(id, "read", { file_path: "notes.txt" })
    expect((await two.send(`/api/sessions/${id}`)).json).toMatchObject({
      state: "elsewhere",
      owner: { pid: process.pid },
    })
    expect((await two.send(`/api/sessions/${id}/timeline`)).json.calls).toMatchObject([{ tool: "read" }])
    for (const answer of [
      await two.call(id, "read", { file_path: "notes.txt" }),
      await two.send(`/api/sessions/${id}/explain`, { json: { tool: "read", args: { file_path: "notes.txt" } } }),
    ]) {
      expect(answer).toMatchObject({
        status: 409,
        json: { error: { code: "conflict", details: { owner: { pid: process.pid } } } },
      })
    }
    const read = await two.frames(`/api/sessions/${id}/events`, ({ event }) => event === "live")
    expect(read.filter(({ data }) => data.type === "tool-end")).toHaveLength(1)
    await one.stop()
    expect((await two.call(id, "read", { file_path: "notes.txt" })).json).toMatchObject({ type: "output" })
  } finally {
    await two.stop()
    one.bench.remove()
  }
})

test("the port that is taken is named with who has it and how to use another", async () => {
  const one = await serveHere()
  try {
    const { code, stderr } = await one.bench.run(["serve", "--port", String(one.port)])
    expect(code).not.toBe(0)
    expect(stderr).toContain(`haft serve runs there already, for ${one.bench.work} (process ${process.pid})`)
    expect(stderr).toContain(`haft serve --port ${one.port + 1}`)
  } finally {
    await one.stop()
    one.bench.remove()
  }
})

test("what the command line refuses", async () => {
  const one = await serveHere()
  try {
    for (const [words, said] of [
      [["--yes"], /exists for call only[\s\S]*--mode auto/],
      [["--token", "short"], /16 to 200/],
      [["--port", "70000"], /up to 65535/],
      [["--port", "http"], /up to 65535/],
      [["--demo", "--root", "."], /choose one of them/],
      [["--token", "@gone"], /there is no such file/],
    ] as const) {
      const { code, stderr } = await one.bench.run(["serve", ...words])
      expect({ code, stderr }, words.join(" ")).toMatchObject({ stderr: expect.stringMatching(said) })
      expect(code).toBeGreaterThan(0)
    }
  } finally {
    await one.stop()
    one.bench.remove()
  }
})
