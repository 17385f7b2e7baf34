import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Json, StepScope, TurnFunction } from "@haft/contract"
import { createId, createRedactor, openStore, type Store } from "@haft/store"
import { sql } from "kysely"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openSqlite } from "../../../store/src/driver/sqlite/open-sqlite.js"
import { type EngineClock, MemoryJournal, TurnEngine } from "../../src/engine/index.js"
import { bundleWorker, Crash } from "./crash.js"
import type { Plan } from "./worker.js"

let folder: string
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-faults-"))
  store = await openHere()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const openHere = () =>
  openStore({ location: join(folder, "journal.db"), redact: createRedactor({ key: new Uint8Array(32) }) })

async function newSession(isClaimed = true): Promise<string> {
  const id = createId("ses")
  const now = Date.now()
  const times = { createdAt: now, updatedAt: now, archivedAt: null }
  const place = { workspaceRoot: null, roots: [], directory: "/", permissions: [], metadata: {} }
  await store.createSession({ id, agent: "fault", ...place, ...times })
  if (isClaimed) await store.claim(id)
  return id
}

const engineOf = (code: TurnFunction, clock?: EngineClock) =>
  new TurnEngine({ journal: store, code, ...(clock && { clock }) })

test("[C2-174] F8 fifty turns fired at once run one after another, in the order of acceptance", async () => {
  const sessionId = await newSession()
  const log: string[] = []
  const engine = engineOf(async (port) => {
    for (const key of ["a", "b"]) {
      await port.step(key, async () => {
        log.push(port.turnId)
        await new Promise((resolve) => setImmediate(resolve))
        return null
      })
    }
    return null
  })
  const turns = Array.from({ length: 50 }, (_, index) => `turn ${index}`)
  await Promise.all(turns.map((turn) => engine.start(sessionId, turn, turn)))
  await engine.result(sessionId, "turn 49")
  expect(log).toEqual(turns.flatMap((turn) => [turn, turn]))
  expect(await store.verify(sessionId)).toMatchObject({ ok: true, parts: 200 })
})

test("F15 a second process on a live session is refused with the pid of its owner; on the same store both work", async () => {
  const bundle = await bundleWorker()
  try {
    const crash = await new Crash(bundle, folder, [{ id: "t1", input: "plain" }]).run([])
    const other = await crash.open()
    const { location, log, sessionId } = crash
    const plan: Plan = { location, log, sessionId, turns: [], killAt: 0, holds: true }
    const sleeper = spawn(process.execPath, [bundle, JSON.stringify(plan)], { stdio: ["ignore", "pipe", "inherit"] })
    await once(sleeper.stdout, "data")
    const engine = new TurnEngine({ journal: other, code: async () => null })
    const before = await other.records(crash.sessionId)
    const refusal = { code: "conflict", message: expect.stringContaining(`process ${sleeper.pid} on `) }
    await expect(engine.start(crash.sessionId, "t2", "second")).rejects.toMatchObject(refusal)
    await expect(other.claim(crash.sessionId)).rejects.toMatchObject(refusal)
    expect(await other.records(crash.sessionId)).toEqual(before)
    // The store itself is shared: another session of it is free.
    const free = await newSession()
    const beside = engineOf(async () => "free")
    await beside.start(free, "t", null)
    expect(await beside.result(free, "t")).toEqual({ state: "done", value: "free" })
    sleeper.kill("SIGKILL")
    await once(sleeper, "close")
    await new Promise((resolve) => setImmediate(resolve))
    await engine.start(crash.sessionId, "t3", "third")
    expect(await engine.result(crash.sessionId, "t3")).toEqual({ state: "done", value: null })
    await other.close()
  } finally {
    await rm(bundle, { force: true })
  }
})

test("F15 a journal that is full leaves no half record, and the turn goes on afterwards", async () => {
  const sessionId = await newSession()
  const driver = await openSqlite(join(folder, "journal.db"))
  const ran: string[] = []
  const engine = engineOf(async (port) => {
    await port.step("one", async () => `${ran.push("one")}${"x".repeat(50_000)}`)
    await port.step("two", async () => `${ran.push("two")}${"x".repeat(50_000)}`, { retry: "never", synced: true })
    return port.step("three", async () => ran.push("three"))
  })
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(driver.db)
  await sql`pragma max_page_count = ${sql.lit(pages.rows[0]!.page_count + 20)}`.execute(driver.db)
  await engine.start(sessionId, "t", null)
  await expect(engine.result(sessionId, "t")).rejects.toMatchObject({
    code: expect.stringMatching(/unavailable|backend/),
  })
  expect(ran).toEqual(["one", "two"])
  await sql`pragma max_page_count = 1000000`.execute(driver.db)
  expect(await store.verify(sessionId)).toMatchObject({ ok: true })
  const again = engineOf(async (port) => {
    await port.step("one", async () => `${ran.push("one")}`)
    const two = await port.step<string>("two", async () => `${ran.push("two")}`, {
      retry: "never",
      interrupted: () => "unknown",
    })
    return [two, await port.step("three", async () => ran.push("three"))]
  })
  await again.resume(sessionId)
  expect(await again.result(sessionId, "t")).toEqual({ state: "done", value: ["unknown", 3] })
  expect(await store.verify(sessionId)).toMatchObject({ ok: true })
  await driver.close()
})

/** Runs until it is told to stop, as a model's stream does. */
const stream = ({ signal }: StepScope) =>
  new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("cut")))

/** When bodies were told to stop. */
const toldAt: number[] = []

/** A shell with children of its own; all of them end with the signal. */
async function shell({ signal }: StepScope, pids: number[]): Promise<string> {
  const child = spawn("sh", ["-c", "sleep 60 & sleep 60 & echo $!; wait"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  })
  signal.addEventListener("abort", () => {
    process.kill(-child.pid!, "SIGKILL")
    toldAt.push(performance.now())
  })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  pids.push(child.pid!, Number(line.toString()))
  await once(child, "close")
  return "killed"
}

/** A zombie has ended: who reaps it is the affair of the system. */
const isRunning = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")
  } catch {
    return false
  }
}

for (const what of ["a model stream", "a shell with children", "a pair", "a wait", "a child of depth 3"]) {
  test(`F10 abort in ${what} stops everything within 200 ms, is recorded, and the next turn works`, async () => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => newSession()))
    const pids: number[] = []
    const reached = new Set<string>()
    const engine = engineOf(async (port, input) => {
      if (input === "next") return port.step("next", async () => "works")
      reached.add(port.sessionId)
      const depth = sessions.indexOf(port.sessionId)
      if (what === "a child of depth 3" && depth < 3)
        return (await port.child(sessions[depth + 1]!, "t", null)) as unknown as Json
      if (what === "a wait") return (await port.wait("w", { ask: null })) as unknown as Json
      if (what === "a pair") {
        const specs = ["left", "right"].map((key) => ({ key, run: (scope: StepScope) => shell(scope, pids) }))
        return (await port.parallel(specs)) as unknown as Json
      }
      if (what === "a model stream") return port.step("model", stream)
      return port.step("shell", (scope) => shell(scope, pids))
    })
    const [sessionId] = sessions as [string]
    await engine.start(sessionId, "t", null)
    await engine.start(sessionId, "after", "next")
    const expected = { "a pair": 4, "a shell with children": 2, "a child of depth 3": 2 }[what] ?? 0
    while (pids.length < expected || reached.size === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    const began = performance.now()
    expect(await engine.abort(sessionId, "t", "enough")).toBe(true)
    // Ends of processes are told late on a busy machine; the signals and the end of the turn are ours.
    for (const told of toldAt.splice(0)) expect(told - began).toBeLessThan(200)
    expect(performance.now() - began).toBeLessThan(expected > 0 ? 1000 : 200)
    while (pids.some(isRunning) && performance.now() - began < 1000)
      await new Promise((resolve) => setTimeout(resolve, 2))
    expect(pids.filter(isRunning)).toEqual([])
    expect(await engine.result(sessionId, "after")).toEqual({ state: "done", value: "works" })
    for (const id of what === "a child of depth 3" ? sessions : [sessionId]) {
      const ends = (await store.records(id)).filter(({ turnId, kind }) => turnId === "t" && kind === "end")
      expect(ends).toMatchObject([{ result: { state: "aborted", reason: expect.stringContaining("enough") } }])
      expect(await store.verify(id)).toMatchObject({ ok: true })
    }
  })
}

test("F11 results of every size pass, in pairs too, and a replay reads them from beside the journal", async () => {
  const sessionId = await newSession()
  const sizes = [0, 1, 256 * 1024, 1024 * 1024, 8 * 1024 * 1024, 40 * 1024 * 1024]
  let started = 0
  const code: TurnFunction = async (port) => {
    const lengths: number[] = []
    for (const size of sizes) {
      const specs = ["a", "b"].map((side) => ({
        key: `${size}${side}`,
        run: async () => side.repeat(++started && size),
      }))
      for (const end of await port.parallel(specs)) lengths.push(end.ok ? end.value.length : -1)
    }
    return lengths
  }
  const engine = engineOf(code)
  await engine.start(sessionId, "t", null)
  const value = sizes.flatMap((size) => [size, size])
  expect(await engine.result(sessionId, "t")).toEqual({ state: "done", value })
  expect(started).toBe(12)
  const journal = new MemoryJournal()
  for (const record of await store.records(sessionId)) if (record.kind !== "end") await journal.append(record)
  const replay = new TurnEngine({ journal, code })
  await replay.resume(sessionId)
  expect(await replay.result(sessionId, "t")).toEqual({ state: "done", value })
  expect(started).toBe(12)
})

test("F12 code that changed while a turn waited is refused by the name of the step, and is not tried again", async () => {
  const sessionId = await newSession()
  const ran: string[] = []
  const codeOf =
    (first: string): TurnFunction =>
    async (port) => {
      await port.step(first, async () => ran.push(first))
      return (await port.wait("sure", { ask: null })) as unknown as Json
    }
  const before = engineOf(codeOf("read"))
  await before.start(sessionId, "t", null)
  while ((await before.waits(sessionId)).length === 0) await new Promise((resolve) => setImmediate(resolve))
  await before.close()
  const after = engineOf(codeOf("read the file"))
  expect(await after.resume(sessionId)).toEqual(["t"])
  expect(await after.result(sessionId, "t")).toMatchObject({
    state: "failed",
    message: expect.stringContaining('its code asks for step "read the file" where the record has step "read"'),
  })
  expect(ran).toEqual(["read"])
  await after.close()
  expect(await engineOf(codeOf("read the file")).resume(sessionId)).toEqual([])
})

test("F13 a thousand sessions wait for an hour, hold little, and time out by the clock of the engine", async () => {
  const clock = new TestClock()
  const engine = engineOf(
    async (port) => (await port.wait("w", { ask: "?", timeoutMs: 3_600_000 })) as unknown as Json,
    clock,
  )
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const sessions = await Promise.all(Array.from({ length: 1000 }, () => newSession(false)))
  collect()
  const before = process.memoryUsage().heapUsed
  await Promise.all(sessions.map((id) => engine.start(id, "t", null)))
  while (clock.alarms.size < 1000) await new Promise((resolve) => setTimeout(resolve, 5))
  collect()
  // The bound that is stated for the engine in this process.
  expect((process.memoryUsage().heapUsed - before) / 1000).toBeLessThan(32 * 1024)
  expect(await engine.answer(sessions[7]!, "t", "w", "yes")).toBe("taken")
  clock.advance(3_599_999)
  expect(await engine.waits(sessions[8]!)).toHaveLength(1)
  clock.advance(1)
  const ends = await Promise.all(sessions.map((id) => engine.result(id, "t")))
  expect(
    ends.filter((end) => end.state === "done" && (end.value as { state: string }).state === "timed-out"),
  ).toHaveLength(999)
}, 120_000)

/** Stands still until it is moved. */
class TestClock implements EngineClock {
  readonly alarms = new Set<{ readonly at: number; readonly run: () => void }>()
  private time = 1_700_000_000_000

  now(): number {
    return this.time
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.time + ms, run }
    this.alarms.add(alarm)
    return () => void this.alarms.delete(alarm)
  }

  advance(ms: number): void {
    this.time += ms
    for (const alarm of this.alarms) {
      if (alarm.at > this.time) continue
      this.alarms.delete(alarm)
      alarm.run()
    }
  }
}
