import type { ApiTimeline } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Frame, type Served, serveHere } from "./serve-world.js"
import { workbench } from "./workbench.js"

describe("a session that another process drives", () => {
  let one: Served
  let two: Served

  beforeEach(async () => {
    const bench = workbench()
    bench.write("notes.txt", "one\n")
    const write = { name: "write", args: { file_path: "made.txt", content: "made\n" } }
    const replies = [{ text: "I write.", calls: [write] }, { text: "Done." }]
    bench.write("script.jsonl", replies.map((reply) => `${JSON.stringify(reply)}\n`).join(""))
    one = await serveHere(["--model", "script:script.jsonl"], bench)
    two = await serveHere([], bench)
  })

  afterEach(async () => {
    await two.stop()
    await one.stop()
    one.bench.remove()
  })

  const read = (id: string, callId: string) => one.call(id, "read", { file_path: "notes.txt" }, { callId })
  const isEndOf = (call: string) => (frame: Frame) => frame.data.type === "tool-end" && frame.data.call === call

  test("its readers here follow it: everything once, in order, from any moment and after any break", async () => {
    const id = await one.open()
    const path = `/api/sessions/${id}/events`
    await read(id, "call_before000")
    const first = collect(two, path, isEndOf("call_third0000"))
    await first.live
    await read(id, "call_second000")
    await seenIn(first.frames, "call_second000")
    // A reader that comes later, and one that comes back with its cursor.
    const later = collect(two, path, isEndOf("call_third0000"))
    await later.live
    const cursor = first.frames.findLast((frame) => frame.id !== undefined)!.id!
    const back = collect(two, `${path}?from=${encodeURIComponent(cursor)}`, isEndOf("call_third0000"))
    await read(id, "call_third0000")
    await Promise.all([first.ended, later.ended, back.ended])
    const all = ["call_before000", "call_second000", "call_third0000"].flatMap((call) => [
      `tool-call ${call}`,
      `tool-end ${call}`,
    ])
    expect(told(first.frames)).toEqual(all)
    expect(told(later.frames)).toEqual(all)
    expect(told(back.frames)).toEqual(all.slice(4))
  })

  test("a turn that had begun before is whole for whoever comes in its middle", async () => {
    const id = await one.open()
    await one.send(`/api/sessions/${id}/messages`, { json: { text: "Write it" } })
    const ask = await one.ask(({ session }) => session === id)
    const isOver = ({ data }: Frame) => data.type === "turn-end"
    const path = `/api/sessions/${id}/events`
    const first = collect(two, path, isEndOf("call_after0000"))
    await first.live
    await one.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
    await expect.poll(() => first.frames.some(isOver), { timeout: 10_000 }).toBe(true)
    const second = collect(two, path, isOver)
    await second.ended
    await read(id, "call_after0000")
    await first.ended
    for (const { frames } of [first, second]) {
      const types = frames.flatMap(({ data }) => (typeof data.type === "string" ? [data.type] : []))
      const counted = (type: string) => types.filter((each) => each === type).length
      expect([counted("turn-start"), counted("reply"), counted("turn-end")]).toEqual([1, 2, 1])
      expect(types.indexOf("tool-end")).toBeLessThan(types.indexOf("turn-end"))
    }
  })

  test("when this process takes it over, readers are told to come back and miss nothing", async () => {
    const id = await one.open()
    await read(id, "call_theirs000")
    const reader = collect(two, `/api/sessions/${id}/events`, ({ event }) => event === "bye")
    await reader.live
    await one.stop()
    const call = two.call(id, "read", { file_path: "notes.txt" }, { callId: "call_ours00000" })
    await reader.ended
    const cursor = reader.frames.findLast((frame) => frame.id !== undefined)!.id!
    const again = collect(
      two,
      `/api/sessions/${id}/events?from=${encodeURIComponent(cursor)}`,
      isEndOf("call_ours00000"),
    )
    expect((await call).json).toMatchObject({ type: "output" })
    await again.ended
    expect(again.frames[0]).toMatchObject({ event: "reset", data: { reason: "restart" } })
    expect(told(again.frames).filter((name) => name.startsWith("tool-end"))).toEqual([
      "tool-end call_theirs000",
      "tool-end call_ours00000",
    ])
  })

  test("its timeline goes on where the last page ended", async () => {
    const id = await one.open()
    await read(id, "call_page10000")
    const page = async (from: string) =>
      (await two.send(`/api/sessions/${id}/timeline?from=${encodeURIComponent(from)}`)).json as ApiTimeline
    const { next } = await page("")
    expect((await page(next)).calls).toEqual([])
    const waiting = one.call(id, "write", { file_path: "x.txt", content: "x" }, { callId: "call_page20000" })
    const ask = await one.ask(({ session }) => session === id)
    await one.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })
    await waiting
    const ended = await page(next)
    expect(ended.calls).toMatchObject([{ callId: "call_page20000", end: "output", asked: true }])
    await one.send(`/api/sessions/${id}/undo`, { json: {} })
    expect((await page(ended.next)).undone).toMatchObject([{ callId: "call_page20000" }])
  })
})

test("a long session comes in pages: every call once, in order, and the rest of the record one by one", async () => {
  const server = await serveHere()
  try {
    const id = await server.open()
    const many = 600
    for (let done = 0; done < many; done += 50) {
      const add = (index: number) => server.call(id, "calculator", { expression: `${done + index} + 1` })
      await Promise.all(Array.from({ length: 50 }, (_, index) => add(index)))
    }
    const seen: string[] = []
    const sizes: number[] = []
    for (let from = "", more = true; more; ) {
      const page = (await server.send(`/api/sessions/${id}/timeline?from=${encodeURIComponent(from)}`))
        .json as ApiTimeline
      sizes.push(page.calls.length)
      seen.push(...page.calls.map(({ subject }) => subject))
      expect(JSON.stringify(page.calls[0] ?? {}).length).toBeLessThan(400)
      ;({ next: from, more } = page)
    }
    expect(sizes).toEqual([500, 100])
    expect([seen.length, new Set(seen).size]).toEqual([many, many])
    expect((await server.send(`/api/sessions/${id}`)).json.calls).toBe(many)
    const other = await server.open()
    const { json } = await server.send(`/api/sessions/${other}/timeline`)
    const foreign = `/api/sessions/${id}/timeline?from=${encodeURIComponent(json.next)}`
    expect(await server.send(foreign)).toMatchObject({ status: 409 })
    for (const from of ["x", `${id}~x`, `${id}~1~2`, `${id}~99999999999999999999`]) {
      expect(await server.send(`/api/sessions/${id}/timeline?from=${from}`), from).toMatchObject({ status: 400 })
    }
    const [call] = ((await server.send(`/api/sessions/${id}/timeline`)).json as ApiTimeline).calls
    expect(await server.send(`/api/sessions/${other}/calls/${call!.callId}`)).toMatchObject({ status: 404 })
    expect(await server.send(`/api/sessions/${id}/calls/call_none00000`)).toMatchObject({ status: 404 })
  } finally {
    await server.stop()
    server.bench.remove()
  }
}, 120_000)

interface Collected {
  readonly frames: Frame[]
  /** The journal is through. */
  readonly live: Promise<void>
  readonly ended: Promise<void>
}

function collect(server: Served, path: string, isLast: (frame: Frame) => boolean): Collected {
  const frames: Frame[] = []
  let isLive: () => void = () => undefined
  const live = new Promise<void>((resolve) => {
    isLive = resolve
  })
  const run = async () => {
    for await (const frame of server.stream(path)) {
      frames.push(frame)
      if (frame.event === "live") isLive()
      if (isLast(frame)) return
    }
  }
  return { frames, live, ended: run() }
}

async function seenIn(frames: readonly Frame[], call: string): Promise<void> {
  await expect.poll(() => told(frames), { timeout: 10_000 }).toContain(`tool-end ${call}`)
}

/** The calls and their ends, in order. */
function told(frames: readonly Frame[]): readonly string[] {
  return frames.flatMap(({ data }) => (/^tool-(call|end)$/.test(data.type) ? [`${data.type} ${data.call}`] : []))
}
