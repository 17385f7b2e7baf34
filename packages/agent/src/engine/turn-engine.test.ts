import type { CallerSignal, Json, TurnEvent, TurnFunction, TurnRecord } from "@haft/contract"
import { expect, test } from "vitest"
import type { EngineClock } from "./clock.js"
import { MemoryJournal } from "./memory-journal.js"
import { TurnEngine, type TurnEngineOptions } from "./turn-engine.js"

/** A clock that does not move until the test moves it. */
class FakeClock implements EngineClock {
  time = 1000
  private alarms: { readonly at: number; readonly run: () => void }[] = []

  now(): number {
    return this.time
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.time + ms, run }
    this.alarms.push(alarm)
    return () => {
      this.alarms = this.alarms.filter((other) => other !== alarm)
    }
  }

  advance(ms: number): void {
    this.time += ms
    const due = this.alarms.filter((alarm) => alarm.at <= this.time)
    this.alarms = this.alarms.filter((alarm) => alarm.at > this.time)
    for (const alarm of due) alarm.run()
  }
}

function engineOf(code: TurnFunction, options: Partial<TurnEngineOptions> = {}): TurnEngine {
  return new TurnEngine({ journal: new MemoryJournal(), code, ...options })
}

/** A journal that holds what a dead process left. */
async function journalOf(records: readonly Partial<TurnRecord>[]): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  for (const record of records) await journal.append({ sessionId: "s", turnId: "t", at: 1, ...record } as TurnRecord)
  return journal
}

function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve))
}

const kinds = async (engine: TurnEngine) =>
  (await engine.history("s")).map((record) => ("key" in record ? `${record.kind} ${record.key}` : record.kind))

test("a turn records its start, each step and its end", async () => {
  const engine = engineOf(async (port, input) => {
    const one = await port.step("one", async () => `${input} 1`)
    return port.step("two", async () => `${one} 2`)
  })
  await engine.start("s", "t", "in")
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: "in 1 2" })
  expect(await kinds(engine)).toEqual(["start", "step one", "step two", "end"])
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: "in 1 2" })
})

test("a resumed turn takes recorded steps and runs the others with a higher attempt", async () => {
  const journal = await journalOf([
    { kind: "start", input: null },
    { kind: "step", key: "one", attempt: 1, value: "kept" },
  ])
  const ran: string[] = []
  const code: TurnFunction = async (port) => {
    const one = await port.step("one", async () => ran.push("one"))
    return port.step("two", async ({ attempt, idempotencyKey }) => {
      ran.push(`two ${attempt} ${idempotencyKey}`)
      return `${one} then two`
    })
  }
  const engine = engineOf(code, { journal })
  expect(await engine.resume("s")).toEqual(["t"])
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: "kept then two" })
  expect(ran).toEqual(["two 2 s/t/two"])
  expect(await kinds(engine)).toEqual(["start", "step one", "resume", "step two", "end"])
})

test("a never step is marked before it runs and is not run again", async () => {
  const seen: string[][] = []
  const first: TurnEngine = engineOf(async (port) =>
    port.step("send", async () => seen.push(await kinds(first)), { retry: "never" }),
  )
  await first.start("s", "t", null)
  await first.result("s", "t")
  expect(seen).toEqual([["start", "intent send"]])

  const journal = await journalOf([
    { kind: "start", input: null },
    { kind: "intent", key: "send" },
  ])
  const ran: string[] = []
  const code: TurnFunction = (port) =>
    port.step<string>("send", async () => `sent ${ran.push("send")}`, {
      retry: "never",
      interrupted: () => "outcome unknown",
    })
  const second = engineOf(code, { journal })
  await second.resume("s")
  expect(await second.result("s", "t")).toEqual({ state: "done", value: "outcome unknown" })
  expect(ran).toEqual([])
})

/** A journal that tells what it is given, and whether that must be on disk before the turn goes on. */
function watchedJournal() {
  const told: string[] = []
  const memory = new MemoryJournal()
  const append = (record: TurnRecord, { synced }: { readonly synced: boolean }) => {
    told.push(`${record.kind}${"key" in record ? ` ${record.key}` : ""}${synced ? ", synced" : ""}`)
    return memory.append(record)
  }
  return { told, append, journal: { append, records: memory.records.bind(memory) } }
}

test("what a power cut must not take is synced: messages, marks, results that cannot be had again, answers, early ends", async () => {
  const { told, journal } = watchedJournal()
  const engine = engineOf(
    async (port, input) => {
      if (input === "fails") throw new Error("broken")
      await port.step("safe", async () => 1)
      await port.step("never", async () => 2, { retry: "never" })
      await port.step("reply", async () => 3, { synced: (value) => value === 3 })
      await port.step("throws", () => Promise.reject(new Error("no"))).catch(() => undefined)
      return asks(port, null)
    },
    { journal },
  )
  await engine.start("s", "done", null)
  await until(async () => (await engine.waits("s")).length === 1)
  await engine.answer("s", "done", "color", "red")
  await engine.result("s", "done")
  const steps = ["step safe", "intent never, synced", "step never, synced", "step reply, synced", "failure throws"]
  expect(told.splice(0)).toEqual(["start, synced", ...steps, "wait", "answer, synced", "end"])

  await engine.start("s", "failed", "fails")
  await engine.result("s", "failed")
  expect(told.splice(0)).toEqual(["start, synced", "end, synced"])
  await engine.start("s", "aborted", null)
  await until(async () => (await engine.waits("s")).length === 1)
  await engine.abort("s", "aborted")
  expect(told.splice(0)).toEqual(["start, synced", ...steps, "wait", "end, synced"])
  await engine.rewind("s", "done")
  expect(told).toEqual(["rewind, synced"])
})

test("a step with a record of its own is not recorded again, and is found after a restart", async () => {
  const own = new Map<string, string>()
  const code: TurnFunction = async (port) => {
    const options = { recorded: async () => own.get("call") }
    await port.step("call", async () => own.set("call", "done").get("call")!, options)
    return port.step("reply", async () => own.get("call")!)
  }
  const journal = new MemoryJournal()
  const engine = engineOf(code, { journal })
  await engine.start("s", "t", null)
  await engine.result("s", "t")
  expect(await kinds(engine)).toEqual(["start", "step reply", "end"])

  const left = await journalOf([{ kind: "start", input: null }])
  own.set("call", "from the call's record")
  const again = engineOf(code, { journal: left })
  await again.resume("s")
  expect(await again.result("s", "t")).toEqual({ state: "done", value: "from the call's record" })
})

test("parallel keeps the order of the specs, its limit, and the failures of single steps", async () => {
  let running = 0
  let most = 0
  const engine = engineOf(async (port) => {
    const run = (index: number) => async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5 - index))
      running--
      if (index === 2) throw new Error("broke")
      return index
    }
    const specs = [0, 1, 2, 3].map((index) => ({ key: `k${index}`, run: run(index) }))
    return (await port.parallel(specs, { limit: 2 })) as unknown as Json
  })
  await engine.start("s", "t", null)
  expect(await engine.result("s", "t")).toEqual({
    state: "done",
    value: [
      { ok: true, value: 0 },
      { ok: true, value: 1 },
      { ok: false, error: { message: "broke" } },
      { ok: true, value: 3 },
    ],
  })
  expect(most).toBe(2)
})

test("a step that failed fails in the same way when the turn is run again", async () => {
  const journal = await journalOf([
    { kind: "start", input: null },
    { kind: "failure", key: "one", attempt: 1, error: { message: "Cannot reach it", code: "unavailable" } },
  ])
  const engine = engineOf((port) => port.step("one", async () => "would work now"), { journal })
  await engine.resume("s")
  expect(await engine.result("s", "t")).toEqual({ state: "failed", message: "Cannot reach it", code: "unavailable" })
})

const asks: TurnFunction = async (port) => (await port.wait("color", { ask: "Which?" })) as unknown as Json

test("[C2-114] F7 the first answer wins; before the wait opens and after an abort there is none to give", async () => {
  const hold = gate()
  const engine = engineOf(async (port, input) => {
    await port.step("before", () => hold.promise.then(() => null))
    return asks(port, input)
  })
  await engine.start("s", "t", null)
  expect(await engine.answer("s", "t", "color", "early")).toBe("unknown")
  expect(await engine.answer("s", "other", "color", "x")).toBe("unknown")
  hold.open()
  await until(async () => (await engine.waits("s")).length === 1)
  expect(await engine.waits("s")).toMatchObject([{ turnId: "t", name: "color", ask: "Which?" }])
  const answers = ["red", "blue", "green"].map((color) => engine.answer("s", "t", "color", color))
  expect(await Promise.all(answers)).toEqual(["taken", "already", "already"])
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: { state: "answered", value: "red" } })
  expect(await engine.answer("s", "t", "color", "late")).toBe("already")
  expect((await kinds(engine)).filter((kind) => kind === "answer")).toHaveLength(1)

  await engine.start("s", "aborted", null)
  await until(async () => (await engine.waits("s")).length === 1)
  expect(await engine.abort("s", "aborted")).toBe(true)
  expect(await engine.answer("s", "aborted", "color", "x")).toBe("unknown")
  expect(await engine.waits("s")).toEqual([])
})

test("[C2-114] F7 the first answer wins, also while it is being written", async () => {
  const hold = gate()
  const { journal, append } = watchedJournal()
  const slow = {
    ...journal,
    append: (record: TurnRecord, options: { readonly synced: boolean }) =>
      record.kind === "answer" ? hold.promise.then(() => append(record, options)) : append(record, options),
  }
  const engine = engineOf(asks, { journal: slow })
  await engine.start("s", "t", null)
  await until(async () => (await engine.waits("s")).length === 1)
  const answers = ["red", "blue"].map((color) => engine.answer("s", "t", "color", color))
  await new Promise((resolve) => setImmediate(resolve))
  hold.open()
  expect(await Promise.all(answers)).toEqual(["taken", "already"])
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: { state: "answered", value: "red" } })
  expect((await kinds(engine)).filter((kind) => kind === "answer")).toHaveLength(1)
})

test("a rewind ends what a dead process left open, so that nobody goes on with it", async () => {
  const journal = await journalOf([
    { kind: "start", input: null },
    { kind: "end", result: { state: "done", value: null } },
    { kind: "start", turnId: "left", input: null },
    { kind: "start", turnId: "behind", input: null },
  ])
  const engine = engineOf(asks, { journal })
  await engine.rewind("s", "t")
  const aborted = { state: "aborted", reason: "the session was rewound" }
  expect((await engine.history("s")).slice(4)).toMatchObject([
    { kind: "end", turnId: "left", result: aborted },
    { kind: "end", turnId: "behind", result: aborted },
    { kind: "rewind", turnId: "t" },
  ])
  expect(await engine.resume("s")).toEqual([])
})

test("a wait that a dead process left open is answered before and after resume", async () => {
  const left = [
    { kind: "start", input: null },
    { kind: "wait", name: "color", ask: "Which?" },
  ] as const
  const engine = engineOf(asks, { journal: await journalOf(left) })
  expect(await engine.answer("s", "t", "color", "red")).toBe("taken")
  expect(await engine.answer("s", "t", "color", "blue")).toBe("already")
  await engine.resume("s")
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: { state: "answered", value: "red" } })
  expect(await kinds(engine)).toEqual(["start", "wait", "answer", "resume", "end"])
})

test("a wait times out by the clock of the engine, counted from when it was first opened", async () => {
  const clock = new FakeClock()
  const code: TurnFunction = async (port) =>
    (await port.wait("color", { ask: "Which?", timeoutMs: 3_600_000 })) as unknown as Json
  const journal = await journalOf([
    { kind: "start", input: null },
    { kind: "wait", name: "color", ask: "Which?", at: 1000 },
  ])
  clock.time = 1000 + 3_500_000
  const engine = engineOf(code, { journal, clock })
  await engine.resume("s")
  await until(async () => (await kinds(engine)).includes("resume"))
  clock.advance(99_999)
  expect(await engine.waits("s")).toHaveLength(1)
  clock.advance(1)
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: { state: "timed-out" } })
  expect(await engine.answer("s", "t", "color", "late")).toBe("already")
})

test("a step that outlives its time is told to stop and then left behind", async () => {
  const clock = new FakeClock()
  const told: unknown[] = []
  const engine = engineOf(
    (port) =>
      port.step(
        "slow",
        ({ signal }) => new Promise<null>(() => signal.addEventListener("abort", () => told.push(signal.reason))),
        { timeoutMs: 50 },
      ),
    { clock, graceMs: 10 },
  )
  await engine.start("s", "t", null)
  await until(async () => (await kinds(engine)).length === 1)
  clock.advance(50)
  expect(told).toMatchObject([{ code: "timeout" }])
  clock.advance(10)
  const message = 'Step "slow" did not end within 50 ms'
  expect(await engine.result("s", "t")).toEqual({ state: "failed", message, code: "timeout" })
})

test("now and uuid are recorded", async () => {
  const clock = new FakeClock()
  const code: TurnFunction = async (port) => [await port.now(), await port.uuid(), await port.now(), await port.uuid()]
  let made = 0
  const engine = engineOf(code, { clock, uuid: () => `id${++made}` })
  await engine.start("s", "t", null)
  const value = [1000, "id1", 1000, "id2"]
  expect(await engine.result("s", "t")).toEqual({ state: "done", value })
  const journal = await journalOf((await engine.history("s")).filter(({ kind }) => kind !== "end"))
  clock.time = 5000
  const again = engineOf(code, { clock, journal })
  await again.resume("s")
  expect(await again.result("s", "t")).toEqual({ state: "done", value })
})

test("[C2-111] turns of a session run one at a time in the order of acceptance, sessions side by side", async () => {
  const log: string[] = []
  const engine = engineOf(async (port) => {
    for (const step of [1, 2]) {
      await port.step(`${step}`, async () => {
        log.push(`${port.sessionId}${port.turnId}`)
        await new Promise((resolve) => setImmediate(resolve))
        return null
      })
    }
    return null
  })
  await Promise.all(["1", "2", "3"].flatMap((turn) => [engine.start("a", turn, null), engine.start("b", turn, null)]))
  await Promise.all([engine.result("a", "3"), engine.result("b", "3")])
  expect(log.filter((entry) => entry.startsWith("a")).join(" ")).toBe("a1 a1 a2 a2 a3 a3")
  expect(log.slice(0, 2).sort()).toEqual(["a1", "b1"])
})

test("[C2-176] F7 a turn that is started twice runs once, and another input under its id is refused", async () => {
  let runs = 0
  const engine = engineOf(async (port) => port.step("one", async () => ++runs))
  await Promise.all([engine.start("s", "t", { a: 1 }), engine.start("s", "t", { a: 1 })])
  await expect(engine.start("s", "t", { a: 2 })).rejects.toThrow(/another input/)
  await engine.result("s", "t")
  await engine.start("s", "t", { a: 1 })
  expect(runs).toBe(1)
  expect(await kinds(engine)).toEqual(["start", "step one", "end"])
})

test("abort reaches bodies, waits, pairs and children, and the next turn goes on", async () => {
  const signals: string[] = []
  const body = (name: string) => (scope: { readonly signal: CallerSignal }) =>
    new Promise<null>((_resolve, reject) =>
      scope.signal.addEventListener("abort", () => {
        signals.push(name)
        reject(scope.signal.reason)
      }),
    )
  const engine = engineOf(async (port, input) => {
    if (input === "pair") {
      await port.parallel([
        { key: "left", run: body("left") },
        { key: "right", run: body("right") },
      ])
    } else if (input === "wait") return (await port.wait("w", { ask: null })) as unknown as Json
    else if (typeof input === "number" && input > 0) {
      await port.child(`child${input}`, "t", input - 1)
    } else if (input === 0) await port.step("deep", body("deep"))
    return input
  })
  for (const input of ["pair", "wait", 3]) {
    await engine.start("s", String(input), input)
    await engine.start("s", `after ${input}`, "plain")
    await new Promise((resolve) => setTimeout(resolve, 5))
    const before = performance.now()
    expect(await engine.abort("s", String(input), "enough")).toBe(true)
    expect(performance.now() - before).toBeLessThan(200)
    expect(await engine.result("s", String(input))).toEqual({ state: "aborted", reason: "enough" })
    expect(await engine.result("s", `after ${input}`)).toEqual({ state: "done", value: "plain" })
    expect(await engine.abort("s", String(input))).toBe(false)
  }
  expect(signals).toEqual(["left", "right", "deep"])
  expect(await engine.result("child1", "t")).toMatchObject({ state: "aborted" })
  expect((await engine.history("child3")).at(-1)).toMatchObject({
    kind: "end",
    result: { state: "aborted", reason: "parent aborted: enough" },
  })
})

/** A journal whose marks are long on their way. */
function slowMarks() {
  const hold = gate()
  const asked = gate()
  const { append, journal } = watchedJournal()
  const slow: typeof append = (record, options) => {
    if (record.kind !== "intent") return append(record, options)
    asked.open()
    return hold.promise.then(() => append(record, options)) as unknown as undefined
  }
  return { journal: { ...journal, append: slow }, asked, hold }
}

test("an abort while a child is being started ends the child", async () => {
  const { journal, asked, hold } = slowMarks()
  const engine = engineOf(
    async (port) =>
      port.sessionId === "child" ? asks(port, null) : ((await port.child("child", "t", null)) as unknown as Json),
    { journal },
  )
  await engine.start("s", "t", null)
  await asked.promise
  const aborted = engine.abort("s", "t", "enough")
  await new Promise((resolve) => setImmediate(resolve))
  hold.open()
  expect(await aborted).toBe(true)
  expect(await engine.result("child", "t")).toEqual({ state: "aborted", reason: "parent aborted: enough" })
})

test("an abort while the mark of a never step is being written keeps its body from running", async () => {
  const { journal, asked, hold } = slowMarks()
  let ran = false
  const send = async () => {
    ran = true
    return null
  }
  const engine = engineOf((port) => port.step("send", send, { retry: "never" }), { journal })
  await engine.start("s", "t", null)
  await asked.promise
  const aborted = engine.abort("s", "t", "enough")
  await new Promise((resolve) => setImmediate(resolve))
  hold.open()
  expect(await aborted).toBe(true)
  expect(ran).toBe(false)
})

test("an abort of a turn that a dead process left open ends the children that it had", async () => {
  const journal = await journalOf([
    { kind: "start", input: null },
    { kind: "intent", key: "child below t" },
    { kind: "start", sessionId: "below", input: null },
  ])
  const engine = engineOf(asks, { journal })
  expect(await engine.abort("s", "t", "enough")).toBe(true)
  expect(await engine.result("s", "t")).toEqual({ state: "aborted", reason: "enough" })
  expect(await engine.result("below", "t")).toEqual({ state: "aborted", reason: "parent aborted: enough" })
})

test("a body that does not stop is left behind after the grace time, and its late result is dropped", async () => {
  const late = gate()
  const engine = engineOf((port) => port.step("deaf", () => late.promise.then(() => "late")), { graceMs: 20 })
  await engine.start("s", "t", null)
  expect(await engine.abort("s", "t")).toBe(true)
  late.open()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await kinds(engine)).toEqual(["start", "end"])
})

test("what a body gives back after an abort is recorded before the end", async () => {
  const engine = engineOf((port) =>
    port.step(
      "model",
      ({ signal }) => new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("partial"))),
    ),
  )
  await engine.start("s", "t", null)
  await engine.abort("s", "t", "stop")
  expect((await engine.history("s")).slice(1)).toMatchObject([
    { kind: "step", key: "model", value: "partial" },
    { kind: "end", result: { state: "aborted", reason: "stop" } },
  ])
})

test("an abort tells the body that runs, and nobody who still listens for one that ended", async () => {
  const told: string[] = []
  const runs = gate()
  const signals: CallerSignal[] = []
  const listen = (name: string, signal: CallerSignal) => signal.addEventListener("abort", () => told.push(name))
  const engine = engineOf(async (port) => {
    const quiet = async ({ signal }: { readonly signal: CallerSignal }) => signals.push(signal)
    await port.step("quiet", quiet)
    await port.parallel([
      { key: "one", run: quiet },
      { key: "two", run: quiet },
    ])
    await port.step("left listening", async ({ signal }) => {
      listen("ended", signal)
      return null
    })
    return port.step("running", ({ signal }) => {
      listen("running", signal)
      runs.open()
      return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    })
  })
  await engine.start("s", "t", null)
  await runs.promise
  await engine.abort("s", "t", "enough")
  expect(await engine.result("s", "t")).toEqual({ state: "aborted", reason: "enough" })
  expect(told).toEqual(["running"])
  // Bodies that run side by side never share a signal.
  expect(signals).toHaveLength(3)
  expect(signals[1]).not.toBe(signals[2])
})

test("an abort while a resumed step looks for its own record keeps its body from running", async () => {
  const journal = await journalOf([{ kind: "start", input: null }])
  const looking = gate()
  const found = gate()
  let ran = false
  const engine = engineOf(
    (port) =>
      port.step(
        "call",
        async () => {
          ran = true
          return null
        },
        {
          recorded: async () => {
            looking.open()
            await found.promise
            return undefined
          },
        },
      ),
    { journal },
  )
  await engine.resume("s")
  await looking.promise
  const aborted = engine.abort("s", "t", "enough")
  await new Promise((resolve) => setImmediate(resolve))
  found.open()
  await aborted
  expect(await engine.result("s", "t")).toEqual({ state: "aborted", reason: "enough" })
  expect(ran).toBe(false)
})

test("[C2-176] a queued turn can be aborted before it runs", async () => {
  const hold = gate()
  const engine = engineOf((port) => port.step("one", () => hold.promise.then(() => null)))
  await engine.start("s", "first", null)
  await engine.start("s", "second", null)
  await engine.start("s", "third", null)
  expect(await engine.abort("s", "second", "not needed")).toBe(true)
  hold.open()
  expect(await engine.result("s", "third")).toEqual({ state: "done", value: null })
  expect(await engine.result("s", "second")).toEqual({ state: "aborted", reason: "not needed" })
})

test("[C2-175] a turn that fails holds back those behind it until the session is used again", async () => {
  const hold = gate()
  const engine = engineOf((port, input) =>
    port.step("one", async () => {
      await hold.promise
      if (input === "bad") throw new Error("broken")
      return input
    }),
  )
  await engine.start("s", "first", "bad")
  await engine.start("s", "second", "good")
  hold.open()
  expect(await engine.result("s", "first")).toEqual({ state: "failed", message: "broken" })
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect((await kinds(engine)).filter((kind) => kind === "end")).toHaveLength(1)
  await engine.resume("s")
  expect(await engine.result("s", "second")).toEqual({ state: "done", value: "good" })
})

const recordedAB = [
  { kind: "start", input: null },
  { kind: "step", key: "a", attempt: 1, value: 1 },
  { kind: "step", key: "b", attempt: 1, value: 2 },
] as const

const changes: readonly (readonly [name: string, keys: readonly string[], message: RegExp])[] = [
  ["renamed", ["a", "b2", "c"], /asks for step "b2" where the record has step "b"/],
  ["inserted", ["a", "new", "b", "c"], /asks for step "new" where the record has step "b"/],
  ["put before others", ["c", "a", "b"], /asks for step "c" where the record has step "a"/],
  ["removed", ["a"], /the record has step "b" and its code does not ask for it/],
  ["used twice", ["a", "b", "a"], /uses the key of step "a" twice/],
]

for (const [name, keys, message] of changes) {
  test(`F12 a turn whose step was ${name} is ended with the name of the step, and runs nothing`, async () => {
    const ran: string[] = []
    const code: TurnFunction = async (port) => {
      for (const key of keys) {
        // Code that swallows the error must not get further either.
        await port.step(key, async () => ran.push(key)).catch(() => undefined)
      }
      return "went through"
    }
    const engine = engineOf(code, { journal: await journalOf(recordedAB) })
    await engine.resume("s")
    const result = await engine.result("s", "t")
    expect(result).toMatchObject({ state: "failed", code: "conflict" })
    expect((result as { message: string }).message).toMatch(message)
    expect(ran).toEqual([])
    expect(await engine.resume("s")).toEqual([])
  })
}

test("F12 a turn that opens a wait where its record has a step is ended with both names, and asks nobody", async () => {
  const engine = engineOf(asks, { journal: await journalOf(recordedAB) })
  await engine.resume("s")
  const message = expect.stringContaining('asks for wait "color" where the record has step "a"')
  expect(await engine.result("s", "t")).toMatchObject({ state: "failed", code: "conflict", message })
  expect((await kinds(engine)).filter((kind) => kind === "wait")).toEqual([])
})

test("close leaves turns resumable, also those that wait for a person inside a step", async () => {
  const journal = new MemoryJournal()
  const code: TurnFunction = async (port, input) => {
    if (input === "ask") {
      return (await port.step("call", (scope) => scope.wait("sure", { ask: "Sure?" }) as Promise<Json>)) as Json
    }
    return port.step("body", ({ signal, attempt }) =>
      attempt > 1
        ? Promise.resolve("second attempt")
        : new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
    )
  }
  const first = engineOf(code, { journal })
  await first.start("s", "ask", "ask")
  await first.start("r", "t", "run")
  await until(async () => (await first.waits("s")).length === 1)
  const result = first.result("r", "t")
  await first.close()
  await expect(result).rejects.toThrow(/engine is closed/)
  await expect(first.start("s", "x", null)).rejects.toThrow(/engine is closed/)
  expect((await journal.records("r")).map(({ kind }) => kind)).toEqual(["start"])

  const second = engineOf(code, { journal })
  expect(await second.answer("s", "ask", "sure", true)).toBe("taken")
  await second.resume("s")
  await second.resume("r")
  expect(await second.result("s", "ask")).toEqual({ state: "done", value: { state: "answered", value: true } })
  expect(await second.result("r", "t")).toEqual({ state: "done", value: "second attempt" })
})

test("values that JSON does not keep are refused with their place", async () => {
  const engine = engineOf((port) => port.step("odd", async () => ({ list: [{ at: new Date(0) }] }) as unknown as Json))
  await engine.start("s", "t", null)
  expect(await engine.result("s", "t")).toMatchObject({
    state: "failed",
    message: 'Cannot record the result of step "odd": list.0.at is an instance of Date; give plain JSON',
  })
})

test("a record that cannot be written stops the turn, which goes on when the journal does", async () => {
  const journal = new MemoryJournal()
  let isFull = false
  const failing = {
    append: (record: TurnRecord) => (isFull ? Promise.reject(new Error("disk full")) : journal.append(record)),
    records: journal.records.bind(journal),
  }
  const ran: string[] = []
  const engine = engineOf(
    async (port) => {
      await port.step("one", async () => ran.push("one"))
      isFull = ran.length === 1
      return port.step("two", async () => ran.push("two"))
    },
    { journal: failing },
  )
  await engine.start("s", "t", null)
  await expect(engine.result("s", "t")).rejects.toThrow("disk full")
  isFull = false
  await until(async () => (await engine.resume("s").catch(() => [])).length === 1)
  expect(await engine.result("s", "t")).toEqual({ state: "done", value: 3 })
  expect(ran).toEqual(["one", "two", "two"])
})

test("[C2-101] [C2-106] F14 a watcher sees every record once, from its cursor on, and chunks with their attempt", async () => {
  const hold = gate()
  const engine = engineOf(async (port) => {
    await port.step("one", async () => null)
    return port.step("two", async (scope) => {
      await hold.promise
      scope.emit("x")
      scope.emit("y")
      return "xy"
    })
  })
  await engine.start("s", "t", null)
  await until(async () => (await kinds(engine)).length === 2)
  const early = collect(engine, 0)
  const late = collect(engine, 1)
  await new Promise((resolve) => setTimeout(resolve, 5))
  hold.open()
  const all = ["1 start", "2 step", "chunk two 1.1 x", "chunk two 1.2 y", "3 step", "4 end"]
  expect(await early).toEqual(all)
  expect(await late).toEqual(all.slice(1))
  expect(await collect(engine, 2)).toEqual(["3 step", "4 end"])
})

test("a watcher is told of a record when it is in the journal, and not before", async () => {
  const { journal, asked, hold } = slowMarks()
  const engine = engineOf((port) => port.step("send", async () => null, { retry: "never" }), { journal })
  const told: string[] = []
  const watching = (async () => {
    for await (const event of engine.watch("s")) {
      if (event.type === "record") told.push(event.record.kind)
      if (told.at(-1) === "end") break
    }
  })()
  await engine.start("s", "t", null)
  await asked.promise
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(told).toEqual(["start"])
  hold.open()
  await watching
  expect(told).toEqual(["start", "intent", "step", "end"])
})

test("a watcher that does not read misses chunks and no record, and holds little", async () => {
  const engine = engineOf(async (port) => {
    for (let step = 0; step < 20; step++) {
      await port.step(`${step}`, async (scope) => {
        for (let chunk = 0; chunk < 500; chunk++) scope.emit(chunk)
        return step
      })
    }
    return null
  })
  const events = engine.watch("s")
  await engine.start("s", "t", null)
  const first = await events.next()
  await engine.result("s", "t")
  const rest = await drained(events)
  const records = [first.value as TurnEvent, ...rest].filter((event) => event.type === "record")
  expect(records.map(({ cursor }) => cursor)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1))
  expect(rest.length).toBeLessThan(5000)
})

async function collect(engine: TurnEngine, from: number): Promise<readonly string[]> {
  return (await drained(engine.watch("s", { from }))).map((event) =>
    event.type === "record"
      ? `${event.cursor} ${event.record.kind}`
      : `chunk ${event.key} ${event.attempt}.${event.seq} ${event.chunk}`,
  )
}

async function drained(events: AsyncIterable<TurnEvent>): Promise<readonly TurnEvent[]> {
  const seen: TurnEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (event.type === "record" && event.record.kind === "end") break
  }
  return seen
}
