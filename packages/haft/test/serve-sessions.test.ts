import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type Frame, type Served, serveHere } from "./serve-world.js"

let server: Served

beforeAll(async () => {
  server = await serveHere()
  server.bench.write("notes.txt", "one\ntwo\nthree\n")
})

afterAll(async () => {
  await server?.stop()
  server?.bench.remove()
})

describe("calls", () => {
  test("the answer is the envelope; with detail also what the model read and what faces draw", async () => {
    const id = await server.open()
    expect((await server.call(id, "read", { file_path: "notes.txt" })).json).toMatchObject({
      type: "output",
      data: { content: "one\ntwo\nthree\n" },
      metadata: { session_id: id },
    })
    const { json } = await server.call(
      id,
      "read",
      { file_path: "notes.txt", limit: 1 },
      { detail: true, callId: "call_chosen00" },
    )
    expect(json).toMatchObject({
      callId: "call_chosen00",
      envelope: { type: "output", metadata: { call_id: "call_chosen00" } },
      model: { content: [{ type: "text", text: expect.stringContaining("1\tone") }] },
    })
    expect(json.model.tokens).toBe(Math.ceil(json.model.content[0].text.length / 4))
  })

  test("the same call never runs twice", async () => {
    const id = await server.open()
    await server.call(id, "read", { file_path: "notes.txt" }, { callId: "call_twice0000" })
    expect(await server.call(id, "read", { file_path: "notes.txt" }, { callId: "call_twice0000" })).toMatchObject({
      status: 409,
      json: { error: { message: expect.stringMatching(/runs or has run/) } },
    })
  })

  test("the model's view says what the limit left out, and where it is", async () => {
    server.bench.write("long.txt", `${"a line of some length\n".repeat(20_000)}`)
    const id = await server.open()
    const { json } = await server.call(id, "bash", { command: "cat long.txt" }, { detail: true })
    expect(json.envelope.type).toBe("output")
    expect(json.model.leftOut.path).toBe(json.envelope.metadata.output_path)
    const [recorded] = await server.recorded(id)
    const words = json.model.content.map(({ text }: { text: string }) => text).join("\n")
    expect(recorded.model.content[0].text).toBe(words)
  })

  test("a dialect's call has that system's arguments and result", async () => {
    const id = await server.open()
    const { json } = await server.send("/api/tools/read")
    const { dialect, name } = json.dialects.find((row: { dialect: string }) => row.dialect === "claw")
    const answer = await server.call(id, name, { path: "notes.txt" }, { dialect, detail: true })
    expect(answer.json.envelope).toMatchObject({ type: "output" })
    expect(answer.json.projection).toMatchObject({ success: true })
  })
})

describe("asks", () => {
  test("a call waits for the answer of any page; the first answer counts, the second learns who was first", async () => {
    const id = await server.open()
    const call = server.call(id, "write", { file_path: "made.txt", content: "made\n" })
    const ask = await server.ask(({ session }) => session === id)
    expect(ask).toMatchObject({
      kind: "ask",
      session: id,
      request: { tool: "write", preview: { files: [{ action: "create" }] } },
    })
    const answers = await Promise.all(
      ["left", "right", "third"].map((from) => server.send(`/api/asks/${ask.id}`, { json: { answer: "once", from } })),
    )
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    const winner = ["left", "right", "third"][answers.indexOf(taken[0]!)]
    for (const late of answers.filter(({ status }) => status !== 200)) {
      expect(late).toMatchObject({ status: 409, json: { error: { details: { answeredBy: winner, answer: "once" } } } })
    }
    expect((await call).json).toMatchObject({ type: "output" })
    expect(server.bench.read("made.txt")).toBe("made\n")
    expect(await server.send(`/api/asks/${ask.id}`, { json: { answer: "reject" } })).toMatchObject({ status: 409 })
  })

  test("an answer that does not fit changes nothing: the question stays", async () => {
    const id = await server.open()
    const call = server.call(id, "write", { file_path: "other.txt", content: "x" })
    const ask = await server.ask(({ session }) => session === id)
    for (const json of [
      {},
      { answer: "edit" },
      { answers: [["x"]] },
      { answer: "once", args: {} },
      { answer: "maybe" },
    ]) {
      expect(await server.send(`/api/asks/${ask.id}`, { json }), JSON.stringify(json)).toMatchObject({ status: 400 })
    }
    expect((await server.send("/api/asks")).json).toHaveLength(1)
    await server.send(`/api/asks/${ask.id}`, { json: { answer: "reject", reason: "not now" } })
    expect((await call).json).toMatchObject({ type: "error", error_text: expect.stringContaining("not now") })
    expect(existsSync(join(server.bench.work, "other.txt"))).toBe(false)
  })

  test("edited arguments are judged from the start and run as they were edited", async () => {
    const id = await server.open()
    const call = server.call(id, "write", { file_path: "draft.txt", content: "first" })
    const first = await server.ask(({ session }) => session === id)
    const args = { file_path: "edited.txt", content: "second" }
    await server.send(`/api/asks/${first.id}`, { json: { answer: "edit", args } })
    const second = await server.ask(({ session, id: next }) => session === id && next !== first.id)
    expect(second).toMatchObject({ request: { arguments: args } })
    await server.send(`/api/asks/${second.id}`, { json: { answer: "once" } })
    expect((await call).json).toMatchObject({ type: "output", data: { file_path: "edited.txt" } })
    expect(existsSync(join(server.bench.work, "draft.txt"))).toBe(false)
  })

  test("the page that asked may go away: the ask stays, and the call ends as it was answered", async () => {
    const id = await server.open()
    const gone = new AbortController()
    const sent = fetch(`http://127.0.0.1:${server.port}/api/sessions/${id}/calls`, {
      method: "POST",
      headers: { authorization: "Bearer 0123456789abcdef0123456789abcdef", "content-type": "application/json" },
      body: JSON.stringify({
        tool: "write",
        args: { file_path: "left.txt", content: "left" },
        callId: "call_leftpage",
      }),
      signal: gone.signal,
    }).catch(() => undefined)
    const ask = await server.ask(({ session }) => session === id)
    gone.abort()
    await sent
    expect(await server.ask(({ session }) => session === id)).toEqual(ask)
    await server.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
    await server.frames(`/api/sessions/${id}/events`, ({ data }) => data.type === "tool-end")
    expect(await server.recorded(id)).toMatchObject([
      { callId: "call_leftpage", envelope: { type: "output" }, answers: [{ answer: "once", by: "person" }] },
    ])
  })

  test("an abort ends a call that waits, and its ask is gone with a reason", async () => {
    const id = await server.open()
    const call = server.call(id, "write", { file_path: "never.txt", content: "x" })
    const ask = await server.ask(({ session }) => session === id)
    expect((await server.send(`/api/sessions/${id}/abort`, { json: {} })).json).toEqual({ aborted: true })
    expect((await call).json).toMatchObject({ type: "error", metadata: { error_code: "cancelled" } })
    expect(await server.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })).toMatchObject({
      status: 409,
      json: { error: { message: expect.stringMatching(/the call ended before/) } },
    })
    expect((await server.send(`/api/sessions/${id}/abort`, { json: {} })).json).toEqual({ aborted: false })
  })

  test("a question takes one list of answers a question", async () => {
    const id = await server.open()
    const questions = [{ question: "Which?", options: [{ label: "a" }, { label: "b" }] }]
    const call = server.call(id, "question", { questions })
    const ask = await server.ask(({ session }) => session === id)
    expect(ask).toMatchObject({ kind: "question", questions: [{ question: "Which?" }] })
    for (const json of [{ answers: [] }, { answers: [["a", "b"]] }, { answers: [[1]] }, { answer: "once" }]) {
      expect(await server.send(`/api/asks/${ask.id}`, { json }), JSON.stringify(json)).toMatchObject({ status: 400 })
    }
    await server.send(`/api/asks/${ask.id}`, { json: { answers: [["b"]] } })
    expect((await call).json).toMatchObject({ type: "output", data: { answers: [["b"]] } })
    const declined = server.call(id, "question", { questions })
    const next = await server.ask(({ session }) => session === id)
    await server.send(`/api/asks/${next.id}`, { json: { answer: "reject", reason: "ask later" } })
    expect((await declined).json).toMatchObject({ type: "error", error_text: expect.stringContaining("ask later") })
  })

  test("the overview tells of asks and open sessions as they come and go", async () => {
    const id = await server.open()
    const seen: number[] = []
    let call: Promise<unknown> | undefined
    for await (const { data } of server.stream("/api/events")) {
      const own = data.asks.filter(({ session }: { session: string }) => session === id)
      seen.push(own.length)
      if (!call) {
        expect(data.open.map(({ id: open }: { id: string }) => open)).toContain(id)
        call = server.call(id, "write", { file_path: "seen.txt", content: "x" })
      } else if (own.length === 1) await server.send(`/api/asks/${own[0].id}`, { json: { answer: "reject" } })
      else if (seen.includes(1)) break
    }
    await call
    expect(seen[0]).toBe(0)
    expect(seen.at(-1)).toBe(0)
  })
})

describe("records", () => {
  test("files at a moment come from the history and from the disk; undo takes a call back", async () => {
    server.bench.write("moment.txt", "before\n")
    const id = await server.open()
    const made: string[] = []
    for (const content of ["first\n", "second\n"]) {
      const call = server.call(id, "write", { file_path: "moment.txt", content }, { detail: true })
      const ask = await server.ask(({ session }) => session === id)
      await server.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
      made.push((await call).json.callId)
    }
    const path = join(server.bench.work, "moment.txt")
    const at = (call: string) =>
      server.send(`/api/sessions/${id}/file?at=${call}&path=${encodeURIComponent(path)}`).then(({ json }) => json.text)
    expect([await at(made[0]!), await at(made[1]!)]).toEqual(["first\n", "second\n"])
    expect((await server.send(`/api/sessions/${id}/files?at=${made[0]}`)).json.files).toMatchObject([
      { path, state: "written", callId: made[0] },
    ])
    expect(await server.send(`/api/sessions/${id}/files?at=call_none`)).toMatchObject({ status: 404 })
    expect(await server.send(`/api/sessions/${id}/file?path=/etc/passwd`)).toMatchObject({ status: 404 })
    server.bench.write("moment.txt", "by somebody else\n")
    expect(await server.send(`/api/sessions/${id}/file?at=${made[1]}&path=${encodeURIComponent(path)}`)).toMatchObject({
      status: 503,
    })
    server.bench.write("moment.txt", "second\n")
    expect((await server.send(`/api/sessions/${id}/undo`, { json: {} })).json).toMatchObject({
      callId: made[1],
      restored: [expect.stringContaining("moment.txt")],
    })
    expect(server.bench.read("moment.txt")).toBe("first\n")
    expect((await server.recorded(id))[1].undoneAt).toBeGreaterThan(0)
    expect((await server.send(`/api/sessions/${id}/timeline`)).json.undone).toMatchObject([{ callId: made[1] }])
    expect(await server.send(`/api/sessions/${id}/undo`, { json: { callId: made[1] } })).toMatchObject({ status: 409 })
    const other = await server.open()
    expect(await server.send(`/api/sessions/${other}/undo`, { json: { callId: made[0] } })).toMatchObject({
      status: 404,
    })
  })

  test("an export is taken in again, read-only; one that was changed is refused and leaves nothing", async () => {
    const id = await server.open()
    await server.call(id, "read", { file_path: "notes.txt" })
    const { text } = await server.send(`/api/sessions/${id}/export`)
    const fresh = await serveHere()
    try {
      const tampered = text.replace("one\\ntwo", "one\\nTWO")
      expect(tampered).not.toBe(text)
      expect(await fresh.send("/api/sessions/import", { json: { jsonl: tampered } })).toMatchObject({
        status: 409,
        json: { error: { message: expect.stringMatching(/record 1 was changed/) } },
      })
      expect((await fresh.send("/api/sessions")).json).toEqual([])
      for (const jsonl of ["not json", "{}", '{"type":"part","part":{}}', ""]) {
        expect(await fresh.send("/api/sessions/import", { json: { jsonl } }), jsonl).toMatchObject({ status: 400 })
      }
      expect(await fresh.send("/api/sessions/import", { json: { jsonl: text } })).toMatchObject({
        status: 201,
        json: { id },
      })
      expect((await fresh.send(`/api/sessions/${id}`)).json).toMatchObject({ state: "read-only" })
      expect((await fresh.send(`/api/sessions/${id}/timeline`)).json.calls).toMatchObject([{ tool: "read" }])
      expect((await fresh.send(`/api/sessions/${id}/chain`)).json).toEqual({ ok: true })
      expect((await fresh.call(id, "read", { file_path: "notes.txt" })).status).toBeGreaterThanOrEqual(403)
      expect(await fresh.send("/api/sessions/import", { json: { jsonl: text } })).toMatchObject({ status: 409 })
      const undo = { json: { callId: "call_any00000" } }
      expect(await fresh.send(`/api/sessions/${id}/undo`, undo)).toMatchObject({ status: 409 })
      const odd = text.replaceAll(id, "ses~1\\nevent: live")
      expect(await fresh.send("/api/sessions/import", { json: { jsonl: odd } })).toMatchObject({ status: 409 })
    } finally {
      await fresh.stop()
      fresh.bench.remove()
    }
  })

  test("a fork has the calls up to a place, and goes on by itself", async () => {
    const id = await server.open()
    const { json: first } = await server.call(id, "read", { file_path: "notes.txt" })
    await server.call(id, "ls", { path: "." })
    const { json } = await server.send(`/api/sessions/${id}/fork`, { json: { callId: first.metadata.call_id } })
    const timeline = (await server.send(`/api/sessions/${json.id}/timeline`)).json
    expect(timeline.calls.map(({ tool }: { tool: string }) => tool)).toEqual(["read"])
    expect(timeline.session.forkedFrom).toMatchObject({ session: id })
    expect((await server.call(json.id, "read", { file_path: "notes.txt" })).json).toMatchObject({ type: "output" })
  })

  test("replay gives the recorded events", async () => {
    const id = await server.open()
    await server.call(id, "read", { file_path: "notes.txt" })
    const { json } = await server.send(`/api/sessions/${id}/replay`)
    expect(json.map(({ type }: { type: string }) => type)).toEqual(["tool-call", "tool-end"])
  })
})

describe("rules", () => {
  test("a draft is tried on recorded calls, then saved; it holds at once in sessions that are open", async () => {
    const id = await server.open()
    const explain = async () =>
      (
        await server.send(`/api/sessions/${id}/explain`, {
          json: { tool: "write", args: { file_path: "out/a.txt", content: "x" } },
        })
      ).json.ladder
    expect((await explain()).verdict).toBe("ask")
    const call = server.call(id, "write", { file_path: "out/a.txt", content: "x" })
    const ask = await server.ask(({ session }) => session === id)
    await server.send(`/api/asks/${ask.id}`, { json: { answer: "reject" } })
    await call
    const rule = { permission: "fs.write", pattern: "out/**", action: "allow" }
    const { json: tried } = await server.send("/api/rules/try", { json: { add: [rule] } })
    expect(tried.counts["ask->allow"]).toBeGreaterThanOrEqual(1)
    expect(
      tried.changes.map(({ arguments: values }: { arguments: { file_path: string } }) => values.file_path),
    ).toContain("out/a.txt")
    expect((await explain()).verdict).toBe("ask")
    const { json: saved, status } = await server.send("/api/rules", { json: { rule, scope: "user" } })
    expect({ status, saved }).toMatchObject({ status: 201, saved: { added: true, line: expect.any(Number) } })
    expect(await explain()).toMatchObject({ verdict: "allow" })
    const listed = (await server.send("/api/rules")).json.rules.find(
      ({ text }: { text: string }) => text === "fs.write(out/**)",
    )
    expect(listed).toMatchObject({
      action: "allow",
      source: { scope: "user", line: saved.line },
      where: expect.stringContaining("config.jsonc"),
    })
    expect(
      await server.send("/api/rules", { json: { rule: { ...rule, pattern: "{nothing}/**" }, scope: "user" } }),
    ).toMatchObject({ status: 400 })
    expect((await server.send("/api/rules/test", { json: {} })).json).toMatchObject({ failed: [] })
  })
})

describe("the machine", () => {
  test("what the page shows of it", async () => {
    expect((await server.send("/api/workspace")).json).toMatchObject({
      roots: [server.bench.work],
      mode: "ask",
      demo: false,
      chat: { available: false, reason: "no model is set" },
    })
    const hits = (await server.send("/api/search?q=notes")).json.hits
    expect(hits[0]).toMatchObject({ id: "file_notes.txt", type: "file" })
    expect((await server.send("/api/skills")).json.skills.length).toBeGreaterThan(0)
    expect((await server.send("/api/servers")).json).toEqual([])
    expect((await server.send("/api/settings")).json).toContainEqual({ key: "mode", value: "ask", source: "defaults" })
    const probes = (await server.send("/api/sandbox/probe", { json: {} })).json
    expect(probes[0]).toMatchObject({ name: "sandbox" })
  })

  test("the palette finds and ranks as the tool index_search does", async () => {
    server.bench.write("src/quarterly-report.ts", "export {}\n")
    const id = await server.open()
    await server.call(id, "grep", { pattern: "one" })
    const ranked = (hits: readonly { id: string }[]) => hits.map((hit) => hit.id)
    for (const query of ["", "re", "qrtly-rep", "grep", "zzqqxx"]) {
      // A list of files is used for a moment before it is made again.
      await vi.waitFor(
        async () => {
          const { json: palette } = await server.send(`/api/search?q=${encodeURIComponent(query)}`)
          const { json: tool } = await server.call(id, "index_search", { query, limit: 20 })
          expect(ranked(palette.hits), query).toEqual(ranked(tool.data.results))
        },
        { timeout: 20_000, interval: 200 },
      )
    }
  })

  test("a message without a model is refused with what to do", async () => {
    const id = await server.open()
    expect(await server.send(`/api/sessions/${id}/messages`, { json: { text: "hello" } })).toMatchObject({
      status: 409,
      json: { error: { code: "not_configured", hint: expect.stringContaining("--model") } },
    })
  })

  test("a server of a folder is started only as it was shown, and trusted only as it was looked at", async () => {
    server.bench.write(".mcp.json", JSON.stringify({ mcpServers: { echo: { command: "/bin/false", args: [] } } }))
    const [listed] = (await server.send("/api/servers")).json
    expect(listed).toMatchObject({ name: "echo", state: "untrusted", command: ["/bin/false"] })
    server.bench.write(".mcp.json", JSON.stringify({ mcpServers: { echo: { command: "/bin/true", args: [] } } }))
    expect(await server.send("/api/servers/echo/test", { json: { entry: listed.entry } })).toMatchObject({
      status: 409,
      json: { error: { message: expect.stringMatching(/changed since it was shown/) } },
    })
    expect(await server.send("/api/servers/echo/trust", { json: { digest: "0" } })).toMatchObject({ status: 409 })
    expect((await server.send("/api/servers")).json).toMatchObject([{ state: "untrusted" }])
  })
})

test.each([
  ["English", {}, "That was the tour"],
  ["Chinese", { language: "zh-CN" }, "导览到此结束"],
])(
  "the tour in %s shows the real tools, asks twice, puts a question, and is refused a secret",
  async (_, body, end) => {
    const { json: tour, status } = await server.send("/api/tour", { json: body })
    expect(status).toBe(201)
    const answered: string[] = []
    const frames: Frame[] = []
    for await (const frame of server.stream(`/api/sessions/${tour.session}/events`)) {
      frames.push(frame)
      const { type } = frame.data
      if (type === "ask" || type === "question") {
        const ask = await server.ask(({ session }) => session === tour.session)
        answered.push(ask.kind === "ask" ? ask.request.tool : "question")
        const json = ask.kind === "ask" ? { answer: "once" } : { answers: [["9.00"]] }
        expect(await server.send(`/api/asks/${ask.id}`, { json })).toMatchObject({ status: 200 })
      }
      if (type === "turn-end") break
    }
    expect(answered).toEqual(["edit", "bash", "question"])
    const { json } = await server.send(`/api/sessions/${tour.session}/timeline`)
    const ended = json.calls.map(({ tool, end }: { tool: string; end: string }) => `${tool} ${end}`)
    for (const call of [
      "read output",
      "grep output",
      "edit output",
      "bash output",
      "question output",
      "task output",
      "read denied",
    ]) {
      expect(ended).toContain(call)
    }
    expect(frames.some(({ data }) => data.type === "tool-output-delta")).toBe(true)
    expect(json.children).toMatchObject([{ agent: "explore", calls: 1 }])
    expect(json.turns[0].outcome).toMatchObject({ reason: "done", text: expect.stringContaining(end) })
    const edit = json.calls.find(({ tool }: { tool: string }) => tool === "edit")
    expect((await server.send(`/api/sessions/${tour.session}/undo`, { json: { callId: edit.callId } })).status).toBe(
      200,
    )
  },
)
