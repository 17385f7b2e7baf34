// One process of a fault test: goes on with the turns of a session and kills itself at a chosen point.
import { writeSync } from "node:fs"
import type { TurnJournal } from "@haft/contract"
import { createRedactor, openStore } from "@haft/store"
import { TurnEngine } from "../../src/engine/index.js"
import { fileTools, scriptOf } from "./script.js"

/** What one process is to do. */
export interface Plan {
  readonly location: string
  readonly log: string
  readonly sessionId: string
  readonly turns: readonly { readonly id: string; readonly input: string }[]
  /** At which of the points that it comes to the process kills itself; 0 for none. */
  readonly killAt: number
  /** Whether it prints what a watcher from this cursor sees. */
  readonly watchFrom?: number
  /** Whether it only owns the session, until it is killed. */
  readonly holds?: boolean
}

const plan = JSON.parse(process.argv[2]!) as Plan
const points: string[] = []
const killPoint = (name: string) => {
  points.push(name)
  if (points.length !== plan.killAt) return
  // Written by the system call itself: nothing of this process runs any more afterwards.
  writeSync(1, `killed at ${name}\n`)
  process.kill(process.pid, "SIGKILL")
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000)
}

const began = performance.now()
const store = await openStore({ location: plan.location, redact: createRedactor({ key: new Uint8Array(32) }) })
const tools = fileTools(plan.log, killPoint)
const sessions = [plan.sessionId, `${plan.sessionId}-child`]
for (const sessionId of sessions) {
  await store.claim(sessionId)
  for (const record of await store.records(sessionId)) {
    if (record.kind !== "step" && record.kind !== "failure") continue
    tools.log({ session: sessionId, turn: record.turnId, key: record.key, attempt: 0, phase: "known" })
  }
}
if (plan.holds) {
  writeSync(1, "claimed\n")
  await new Promise(() => setInterval(() => undefined, 1000))
}
const journal: TurnJournal = {
  append: async (record, options) => {
    const name = `${record.kind} ${"key" in record ? record.key : ""}`
    killPoint(`before the record ${name}`)
    await store.append(record, options)
    killPoint(`after the record ${name}`)
  },
  records: (sessionId, page) => store.records(sessionId, page),
}
const engine = new TurnEngine({ journal, code: scriptOf(tools) })

if (plan.watchFrom !== undefined) void watch(plan.watchFrom).catch(() => undefined)
// Both end with the engine.
void answer().catch(() => undefined)
await engine.resume(plan.sessionId)
writeSync(1, `resumed after ${Math.round(performance.now() - began)} ms\n`)
await Promise.all(plan.turns.map(({ id, input }) => engine.start(plan.sessionId, id, input)))
for (const { id } of plan.turns) {
  writeSync(1, `result ${JSON.stringify(await engine.result(plan.sessionId, id))}\n`)
}
writeSync(1, `points ${JSON.stringify(points)}\n`)
await engine.close()
await store.close()

/** The person: answers each question as soon as it is there. */
async function answer(): Promise<void> {
  for (;;) {
    for (const { turnId, name } of await engine.waits(plan.sessionId)) {
      killPoint("an open question")
      await engine.answer(plan.sessionId, turnId, name, "yes")
    }
    // This timer alone keeps the process while the turn waits for the answer.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

async function watch(from: number): Promise<void> {
  for await (const event of engine.watch(plan.sessionId, { from })) {
    writeSync(1, `event ${JSON.stringify(event)}\n`)
  }
}
