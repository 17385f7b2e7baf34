import type { RetryClass, TurnFunction } from "@haft/contract"
import { TurnEngine } from "../../packages/agent/src/engine/index.js"
import { openBareInsert, storedCall } from "../bare-insert.js"
import type { BenchCase, Reading } from "../bench-case.js"
import { compare, compiledAfter } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing, noOpTool } from "../no-op-tool.js"
import type { World } from "../world.js"

const steps = 5
const sessions = 100

/** What the engine adds to the replies and calls of a turn. */
export const durableTurn: BenchCase = {
  name: "durable-turn",
  limits: {
    safe: { atMost: 2.5, unit: "x", what: "turn of five replies and five calls / five bare committed inserts" },
    never: { atMost: 3.5, unit: "x", what: "the same with a tool that must not run twice" },
    sessions: { atLeast: 0.9, unit: "x", what: "rate of steps in 100 sessions / rate of as many journaled calls" },
  },
  run: async (world) => ({
    safe: await oneTurn(world, "safe"),
    never: await oneTurn(world, "never"),
    sessions: await manyTurns(world),
  }),
}

async function oneTurn(world: World, retry: RetryClass): Promise<Reading> {
  const folder = await world.folder("turn")
  const opened = await world.open(folder, {
    storage: { journal: true },
    tools: [noOpTool("noop", retry)],
    rules: allowing("noop"),
  })
  const { session } = opened
  mustSucceed(await session.call("noop", { value: "first" }))
  const store = await opened.haft.store()
  const bytes = await storedCall(opened.haft, session.id)
  const code: TurnFunction = async (port) => {
    for (let step = 0; step < steps; step++) {
      // As the loop does it: a call that must not run twice takes the reply that asks for it to the disk.
      const synced = retry === "safe"
      await port.step(`reply:${step}`, async () => ({ text: "The next call", finish: "tool-calls" }), { synced })
      const run = async () => {
        mustSucceed(await session.call("noop", { value: `${port.turnId} ${step}` }))
        return null
      }
      await port.step(`call:${step}`, run, { recorded: async () => undefined })
    }
    return null
  }
  const engine = new TurnEngine({ journal: store, code, checksValues: false })
  const bare = openBareInsert(folder)
  let turn = 0
  const reading = await compare(
    {
      run: async () => {
        const id = `turn ${turn++}`
        await engine.start(session.id, id, { text: "Go on" })
        await engine.result(session.id, id)
      },
    },
    {
      run: () => {
        for (let step = 0; step < steps; step++) bare.insert(bytes)
      },
    },
    { rounds: 200, warmUp: compiledAfter / steps },
  )
  await engine.close()
  bare.close()
  await opened.close()
  return reading
}

async function manyTurns(world: World): Promise<Reading> {
  const folder = await world.folder("turns")
  const options = { storage: { journal: true }, tools: [noOpTool("noop", "safe")], rules: allowing("noop") }
  const opened = await world.open(folder, options)
  const all = await Promise.all(Array.from({ length: sessions }, () => opened.haft.openSession()))
  for (const session of all) mustSucceed(await session.call("noop", { value: "first" }))
  const code: TurnFunction = async (port) => {
    for (let step = 0; step < steps; step++)
      await port.step(`reply:${step}`, async () => ({ text: "A reply" }), { synced: true })
    return null
  }
  const engine = new TurnEngine({ journal: await opened.haft.store(), code, checksValues: false })
  let round = 0
  const reading = await compare(
    {
      run: async () => {
        const id = `turn ${round++}`
        await Promise.all(all.map((session) => engine.start(session.id, id, { text: "Go on" })))
        await Promise.all(all.map((session) => engine.result(session.id, id)))
      },
    },
    {
      run: () =>
        Promise.all(
          all.map(async (session) => {
            for (let step = 0; step < steps; step++)
              mustSucceed(await session.call("noop", { value: `${round} ${step}` }))
          }),
        ),
    },
    { rounds: 15, warmUp: 10 },
  )
  await engine.close()
  for (const session of all) await session.close()
  await opened.close()
  return { ...reading, value: 1 / reading.value }
}
