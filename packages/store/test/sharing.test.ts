import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createId, openStore } from "../src/index.js"
import type { Store } from "../src/store.js"
import { sampleCall, sampleRedactor, sampleSession } from "./samples.js"

// SQLite holds POSIX locks, and a process loses all of them on a file when it closes any descriptor of that file. A
// second process then takes itself for the last one, and what the first one wrote since is gone.

const runner = fileURLToPath(new URL("../../../scripts/run-ts.mjs", import.meta.url))
const program = fileURLToPath(new URL("./record-calls.ts", import.meta.url))

let folder: string
let location: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-shared-"))
  location = join(folder, "journal.db")
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const openHere = () => openStore({ location, redact: sampleRedactor })

async function recordIn(store: Store, sessionId: string, count: number): Promise<void> {
  if (!(await store.session(sessionId))) await store.createSession(sampleSession({ id: sessionId }))
  for (let done = 0; done < count; done++) await store.settle(sampleCall(sessionId))
}

async function recordInProcess(sessionId: string, count: number): Promise<void> {
  const child = spawn(process.execPath, [runner, program, location, sessionId, `${count}`], {
    stdio: ["ignore", "ignore", "inherit"],
  })
  expect(await once(child, "exit")).toEqual([0, null])
}

async function recordInWorker(sessionId: string, count: number): Promise<void> {
  const worker = new Worker(runner, { argv: [program, location, sessionId, `${count}`], stdout: true })
  worker.stdout.resume()
  expect(await once(worker, "exit")).toEqual([0])
}

async function expectRecords(expected: Readonly<Record<string, number>>): Promise<void> {
  const store = await openHere()
  const found = await Promise.all(
    Object.keys(expected).map(async (sessionId) => {
      const report = await store.verify(sessionId)
      return [sessionId, report.ok ? report.parts : report] as const
    }),
  )
  expect(Object.fromEntries(found)).toEqual(expected)
  await store.close()
}

test("two stores of one process and another process lose no record of each other", async () => {
  const [first, second, other] = [createId("ses"), createId("ses"), createId("ses")]
  const one = await openHere()
  await recordIn(one, first, 2)
  const two = await openHere()
  await recordIn(two, second, 2)
  await recordInProcess(other, 2)
  await recordIn(one, first, 1)
  await recordIn(two, second, 1)
  await one.close()
  await recordInProcess(other, 1)
  await recordIn(two, second, 1)
  await two.close()
  await expectRecords({ [first]: 3, [second]: 4, [other]: 3 })
})

test("stores, workers and processes that open and close in every order keep every record", async () => {
  const sessions = Object.fromEntries(["a", "b", "worker", "process"].map((who) => [who, createId("ses")]))
  const steady = await openHere()
  await recordIn(steady, sessions.a!, 1)
  await Promise.all([
    recordInWorker(sessions.worker!, 40),
    recordInProcess(sessions.process!, 40),
    (async () => {
      for (let round = 0; round < 20; round++) {
        const passing = await openHere()
        await recordIn(passing, sessions.b!, 1)
        await recordIn(steady, sessions.a!, 1)
        await passing.close()
      }
    })(),
  ])
  await recordInProcess(sessions.process!, 1)
  await recordInWorker(sessions.worker!, 1)
  await recordIn(steady, sessions.a!, 1)
  await steady.close()
  await expectRecords({ [sessions.a!]: 22, [sessions.b!]: 20, [sessions.worker!]: 41, [sessions.process!]: 41 })
})

test("a journal that was removed and made anew under its name is another journal", async () => {
  const [gone, kept] = [createId("ses"), createId("ses")]
  const old = await openHere()
  await recordIn(old, gone, 1)
  for (const name of await readdir(folder)) await rm(join(folder, name))
  const fresh = await openHere()
  await recordIn(fresh, kept, 1)
  expect(await fresh.session(gone)).toBeUndefined()
  await old.close()
  await fresh.close()
  await expectRecords({ [kept]: 1 })
})
