import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bundleWorker, Crash, readLog } from "./crash.js"

let folder: string
let bundle: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-kill-"))
  bundle = await bundleWorker()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(bundle, { force: true })
})

const oneTurn = [{ id: "t1", input: "ask" }]
const twoTurns = [...oneTurn, { id: "t2", input: "plain" }]

const done = (transcript: string | undefined) => {
  expect(transcript).toBeDefined()
  const result = JSON.parse(transcript!) as { readonly state: string; readonly value: readonly unknown[] }
  expect(result.state).toBe("done")
  return result.value
}

describe("kill -9", () => {
  test("F1 at every point of a turn, one after another", async () => {
    const whole = await new Crash(bundle, folder, oneTurn).run([])
    const value = done((await whole.check()).get("t1"))
    expect(value).toContainEqual("result of write")
    expect(value).toContainEqual({ state: "answered", value: "yes" })
    // Before and after each record, inside each tool before and after its effect, and at the open question.
    expect(whole.points.length).toBeGreaterThan(60)
    const points = whole.points.map((_, index) => index + 1)
    const killed = await inTurns(points, async (point) => {
      const crash = await new Crash(bundle, folder, oneTurn).run([point])
      done((await crash.check()).get("t1"))
      return crash.killed
    })
    expect(killed.flat()).toHaveLength(points.length)
    const names = new Set(killed.flat())
    for (const name of ["write before its effect", "write after its effect", "an open question"]) {
      expect(names).toContain(name)
    }
  }, 300_000)

  test("[C2-177] several times in two turns, at seeded points", async () => {
    const seed = Number(process.env.HAFT_SEED ?? Date.now() % 1_000_000)
    console.log(`seed ${seed} (HAFT_SEED=${seed} runs the same kills)`)
    const random = generator(seed)
    const plans = Array.from({ length: 30 }, () => Array.from({ length: 5 }, () => 1 + Math.floor(random() * 22)))
    const killed = await inTurns(plans, async (kills) => {
      const crash = await new Crash(bundle, folder, twoTurns).run(kills)
      const transcripts = await crash.check()
      done(transcripts.get("t1"))
      done(transcripts.get("t2"))
      return crash.killed
    })
    // With those of F1: 200 and more.
    expect(killed.flat().length).toBeGreaterThanOrEqual(135)
  }, 300_000)
})

test("F2 between effect and record: safe tools run again, never tools report that the outcome is unknown", async () => {
  const outcomes: unknown[] = []
  for (const key of ["read", "write"]) {
    const point = await pointOf(`${key} after its effect`)
    const crash = await new Crash(bundle, folder, oneTurn).run([point])
    expect(crash.killed).toEqual([`${key} after its effect`])
    const value = done((await crash.check()).get("t1"))
    const lines = (await readLog(crash.log)).filter((line) => line.key === key && line.session === crash.sessionId)
    outcomes.push([lines.filter(({ phase }) => phase === "effect").map(({ attempt }) => attempt), value.slice(2, 4)])
  }
  expect(outcomes).toEqual([
    [
      [1, 2],
      ["result of read", "result of write"],
    ],
    [[1], ["result of read", "outcome unknown"]],
  ])
})

test("F4 a question that was open when the process died is still answerable", async () => {
  const crash = await new Crash(bundle, folder, oneTurn).run([await pointOf("an open question")])
  expect(crash.killed).toEqual(["an open question"])
  expect(done((await crash.check()).get("t1"))).toContainEqual({ state: "answered", value: "yes" })
  const store = await crash.open()
  const kinds = (await store.records(crash.sessionId)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === "wait" || kind === "answer")).toEqual(["wait", "answer"])
  await store.close()
})

test("F14 records that watchers of several processes saw have no gap, and chunks name their attempt", async () => {
  const crash = await new Crash(bundle, folder, oneTurn).run([12, 20], true)
  expect(crash.killed).toHaveLength(2)
  const events = crash.events.map((event) => JSON.parse(event) as { cursor?: number; type: string; attempt?: number })
  const cursors = events.flatMap(({ cursor }) => cursor ?? [])
  const store = await crash.open()
  const count = (await store.records(crash.sessionId)).length
  await store.close()
  // The last process ends as soon as it has the result; its watcher may not have seen the last records.
  expect(cursors).toEqual(Array.from({ length: cursors.length }, (_, index) => index + 1))
  expect(cursors.length).toBeGreaterThan(count - 4)
  const attempts = events.flatMap(({ type, attempt }) => (type === "chunk" ? (attempt ?? []) : []))
  expect(attempts).toEqual(attempts.toSorted())
  expect(new Set(attempts).size).toBeGreaterThan(1)
  await crash.check()
}, 60_000)

/** The number of a point by its name, in a run that is not killed before. */
async function pointOf(name: string): Promise<number> {
  const { points } = await new Crash(bundle, folder, oneTurn).run([])
  expect(points).toContain(name)
  return points.indexOf(name) + 1
}

/** Works on a few at a time: most of it is the start of processes. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const worker = async () => {
    for (const [index, item] of left) {
      try {
        results[index] = await work(item)
      } catch (error) {
        throw new Error(`With ${JSON.stringify(item)}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        })
      }
    }
  }
  await Promise.all([worker(), worker(), worker()])
  return results
}

/** The same numbers for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
