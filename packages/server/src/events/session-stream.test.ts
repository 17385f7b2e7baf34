import type { CallRecord, EventBody, TurnRecord, Usage } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { JournalPart } from "../host.js"
import { EventLog } from "./event-log.js"
import { readCursor, sessionFrames } from "./session-stream.js"

const session = "ses_1"
const usage: Usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }

/** A session as the runtime makes it: what has ended is in the journal before its last event is told. */
class World {
  readonly log: EventLog
  readonly journal: JournalPart[] = []
  readonly openCalls: string[] = []
  readonly openTurns: { readonly id: string; steps: number }[] = []
  private made = 0
  private seq = 0

  constructor(limits: { readonly maxBytes: number; readonly maxPieceBytes: number }) {
    this.log = new EventLog(limits)
  }

  emit(event: EventBody): void {
    this.seq += 1
    this.log.append({ ...event, session, seq: this.seq, at: this.seq })
  }

  startCall(): void {
    const call = `call_${++this.made}`
    this.openCalls.push(call)
    this.emit({ type: "tool-call", call, tool: "bash", arguments: {} })
    this.emit({ type: "tool-start", call, tool: "bash" })
  }

  piece(index: number): void {
    const call = this.openCalls[index % this.openCalls.length]
    if (call !== undefined) this.emit({ type: "tool-output-delta", call, delta: "x".repeat(60) })
  }

  endCall(index: number): void {
    const [call] = this.openCalls.splice(index % Math.max(1, this.openCalls.length), 1)
    if (call === undefined) return
    const metadata = { duration_ms: 1, call_id: call, session_id: session }
    const envelope = { type: "output", data: {}, metadata } as const
    const ended = {
      callId: call,
      sessionId: session,
      tool: "bash",
      rawArguments: {},
      envelope,
      startedAt: 1,
      endedAt: 2,
    }
    this.journal.push({ kind: "call", index: this.journal.length, call: ended as unknown as CallRecord })
    this.emit({ type: "tool-end", call, tool: "bash", envelope })
  }

  startTurn(): void {
    const id = `turn_${++this.made}`
    this.openTurns.push({ id, steps: 0 })
    this.record({ kind: "start", turnId: id, input: "go" })
    this.emit({ type: "turn-start", turn: id, text: "go" })
  }

  reply(index: number): void {
    const turn = this.openTurns[index % Math.max(1, this.openTurns.length)]
    if (!turn) return
    turn.steps += 1
    const step = turn.steps
    this.emit({ type: "text-delta", turn: turn.id, step, delta: "hi" })
    const value = { ok: true, reply: { parts: [], usage }, calls: [] }
    this.record({ kind: "step", turnId: turn.id, key: `reply:${step}`, attempt: 1, value } as never)
    this.emit({ type: "reply", turn: turn.id, step, text: "", usage })
  }

  compact(index: number): void {
    const turn = this.openTurns[index % Math.max(1, this.openTurns.length)]
    if (!turn) return
    turn.steps += 1
    const step = turn.steps
    this.emit({ type: "compaction-start", turn: turn.id, step })
    if (index % 2 === 0) return
    const value = { pruned: ["call_1"] }
    this.record({ kind: "step", turnId: turn.id, key: `context:${step}`, attempt: 1, value } as never)
    this.emit({ type: "compaction-end", turn: turn.id, step, leftOut: 1 })
  }

  endTurn(index: number): void {
    const [turn] = this.openTurns.splice(index % Math.max(1, this.openTurns.length), 1)
    if (!turn) return
    this.record({ kind: "end", turnId: turn.id, result: { state: "aborted", reason: "over" } })
    const outcome = { reason: "aborted", message: "over", text: "", steps: 0, usage } as const
    this.emit({ type: "turn-end", turn: turn.id, outcome })
  }

  /** In pages, up to what is there when the reading begins. */
  async *parts(): AsyncGenerator<JournalPart> {
    const { length } = this.journal
    for (let at = 0; at < length; at += 1) {
      if (at % 2 === 0) await Promise.resolve()
      yield this.journal[at]!
    }
  }

  async sessions(): Promise<readonly never[]> {
    return []
  }

  async lastIndex(): Promise<number> {
    return this.journal.length - 1
  }

  async records(): Promise<readonly TurnRecord[]> {
    return this.journal.flatMap((part) => (part.kind === "turn" ? [part.record] : []))
  }

  async calls(): Promise<readonly CallRecord[]> {
    return this.journal.flatMap((part) => (part.kind === "call" ? [part.call] : []))
  }

  private record(record: Partial<TurnRecord>): void {
    const index = this.journal.length
    this.journal.push({ kind: "turn", index, record: { sessionId: session, at: 1, ...record } as TurnRecord })
  }
}

/** A page: forgets at `reset`, keeps its cursor, comes back when it is cut off. */
class Reader {
  readonly world: World
  told: string[] = []
  cursor: string | undefined
  resets = 0
  private frames: AsyncGenerator<string> | undefined
  private pending: Promise<IteratorResult<string>> | undefined
  private stop = new AbortController()

  constructor(world: World) {
    this.world = world
  }

  /** Takes one chunk if there is one; false when nothing comes. */
  async step(): Promise<boolean> {
    this.frames ??= sessionFrames({
      session,
      log: this.world.log,
      journal: this.world,
      cursor: readCursor(session, this.cursor),
      signal: this.stop.signal,
    })
    this.pending ??= this.frames.next()
    const next = await Promise.race([this.pending, soon()])
    if (next === undefined) return false
    this.pending = undefined
    if (next.done) this.cut()
    else for (const frame of next.value.split("\n\n").filter(Boolean)) this.take(frame)
    return true
  }

  cut(): void {
    this.stop.abort()
    this.stop = new AbortController()
    this.frames = undefined
    this.pending = undefined
  }

  private take(frame: string): void {
    const line = (name: string) =>
      frame
        .split("\n")
        .find((each) => each.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    const kind = line("event")
    if (kind === "reset") {
      this.told = []
      this.cursor = undefined
      this.resets += 1
    }
    this.cursor = line("id") ?? this.cursor
    if (kind === "event") this.told.push(nameOf(JSON.parse(line("data")!) as EventBody))
  }
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)))
}

/** Names an event that must come exactly once; others have no name. */
function nameOf(event: EventBody): string {
  if (event.type === "tool-call" || event.type === "tool-end") return `${event.type} ${event.call}`
  if (event.type === "turn-start" || event.type === "turn-end") return `${event.type} ${event.turn}`
  if (event.type === "reply") return `reply ${event.turn} ${event.step}`
  if (event.type === "compaction-end") return `context ${event.turn} ${event.step}`
  return ""
}

/** Every name that the journal alone would give, once. */
function expected(world: World): readonly string[] {
  return world.journal.flatMap((part) => {
    if (part.kind === "call") return [`tool-call ${part.call.callId}`, `tool-end ${part.call.callId}`]
    if (part.kind === "undo") return []
    const { record } = part
    if (record.kind === "step") return [record.key.replace(":", ` ${record.turnId} `)]
    return [`turn-${record.kind} ${record.turnId}`]
  })
}

const act = fc.record({
  what: fc.constantFrom(
    "startCall",
    "piece",
    "endCall",
    "startTurn",
    "reply",
    "compact",
    "endTurn",
    "read",
    "read",
    "cut",
  ),
  which: fc.nat(7),
})

describe("the stream of a session", () => {
  test("readers that come, go and come back get every event once, whatever happens meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 20, maxLength: 120 }),
        fc.constantFrom(600, 3000, 1_000_000),
        async (acts, maxBytes) => {
          const world = new World({ maxBytes, maxPieceBytes: 800 })
          const readers = [0, 1, 2].map(() => new Reader(world))
          for (const { what, which } of acts) {
            const reader = readers[which % readers.length]!
            if (what === "read") await reader.step()
            else if (what === "cut") reader.cut()
            else if (what === "startCall" || what === "startTurn") world[what]()
            else world[what](which)
          }
          while (world.openCalls.length > 0) world.endCall(0)
          while (world.openTurns.length > 0) world.endTurn(0)
          for (const reader of readers) {
            while (await reader.step());
            expect(reader.told.filter(Boolean).toSorted()).toEqual(expected(world).toSorted())
            reader.cut()
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test("a unit's events come in their order", async () => {
    const world = new World({ maxBytes: 1_000_000, maxPieceBytes: 1_000_000 })
    world.startCall()
    const reader = new Reader(world)
    await reader.step()
    world.endCall(0)
    while (await reader.step());
    expect(reader.told.filter(Boolean)).toEqual(["tool-call call_1", "tool-end call_1"])
    reader.cut()
  })

  test("a cursor goes on without a reset, also after a while", async () => {
    const world = new World({ maxBytes: 1_000_000, maxPieceBytes: 1_000_000 })
    const reader = new Reader(world)
    world.startCall()
    while (await reader.step());
    reader.cut()
    world.endCall(0)
    world.startCall()
    while (await reader.step());
    expect(reader.resets).toBe(1)
    expect(reader.told.filter(Boolean)).toEqual(["tool-call call_1", "tool-end call_1", "tool-call call_2"])
    reader.cut()
  })

  test("a cursor of another session is a conflict, and what is no cursor is wrong", () => {
    expect(() => readCursor(session, "ses_2~abc~4")).toThrow(/another session/)
    for (const text of ["7", "ses_1~abc", "ses_1~abc~-1", "ses_1~abc~1e3", "~~", "__proto__"])
      expect(() => readCursor(session, text), text).toThrow(/it is no cursor/)
  })

  test("who comes after a reply was begun again gets nothing of what is void, whatever had to go", () => {
    const world = new World({ maxBytes: 2000, maxPieceBytes: 1000 })
    const says = (delta: string) => world.emit({ type: "text-delta", turn: "turn_1", step: 1, delta })
    says("void")
    world.emit({ type: "reply-restart", turn: "turn_1", step: 1 })
    says("good")
    for (let index = 0; index < 20; index += 1) world.emit({ type: "error", message: "Something else went wrong" })
    const texts = world.log.after(0).map(({ text }) => text)
    expect(texts.slice(0, 2)).toEqual([expect.stringContaining('"reply-restart"'), expect.stringContaining('"good"')])
    expect(texts.join()).not.toContain("void")
  })

  test("a log holds no more than its limit, however much is told", () => {
    const world = new World({ maxBytes: 50_000, maxPieceBytes: 20_000 })
    world.startCall()
    for (let index = 0; index < 5000; index += 1) {
      world.piece(0)
      world.startCall()
      world.endCall(1)
      expect(world.log.bytes).toBeLessThanOrEqual(50_000)
    }
    expect(world.log.after(0).length).toBeLessThan(200)
  })
})
