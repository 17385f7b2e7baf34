import { ScriptModel } from "@haft/agent"
import type { Haft, ProviderModel } from "haft"
import type { BenchCase, Reading } from "../bench-case.js"
import { median, timeOnce } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing, noOpTool } from "../no-op-tool.js"
import type { World } from "../world.js"

const short = 20
const long = 400

/**
 * What the loop adds to a call: a reply of the model, its reading, and the next request. A step is the time
 * from the end of a call to that of the next; what every turn costs once has a row of its own, and so has what no
 * loop can save of a step whose reply is a web stream, as those of providers are (decision 051).
 */
export const agentStep: BenchCase = {
  name: "agent-step",
  limits: {
    step: { atMost: 1.6, unit: "x", what: "step of a turn beyond the turn itself, journal off / session.call of it" },
    floor: {
      atMost: 2,
      unit: "x",
      what: "the same with a model that streams / bare reading of its stream and session.call",
    },
    turn: { atMost: 1.5, unit: "ms", what: "first turn of a session: a reply without a call, journal off" },
    flat: { atMost: 1.3, unit: "x", what: "step in a turn of 400 steps / step in a turn of 20" },
  },
  run: async (world) => {
    const opened = await world.open(await world.folder("step"), options)
    const readings = await measure(opened)
    await opened.close()
    return readings
  },
}

const options = { tools: [noOpTool("noop", "safe")], rules: allowing("noop"), toolset: "locked" }
const rounds = 60
// As many steps as the engine needs to compile what they run through.
const warmUp = 40

type Opened = Awaited<ReturnType<World["open"]>>

/** All in turns, so that each meets the same disturbances. */
async function measure({ haft, session }: Opened): Promise<Readonly<Record<string, Reading>>> {
  const call = async () => mustSucceed(await session.call("noop", { value: newPath() }, { fromModel: true }))
  const readAndCall = async () => {
    await readAll(streamOfReply(`{"value":"${newPath()}"}`))
    await call()
  }
  const names = ["none", "some", "steps", "streamed", "many", "calls", "bare"]
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  const contenders: readonly (() => Promise<Readonly<Record<string, number>>>)[] = [
    async () => ({ none: (await turnOf(haft, 0)).wholeMs }),
    async () => {
      const { wholeMs, stepMs } = await turnOf(haft, short)
      return { some: wholeMs / short, steps: stepMs }
    },
    async () => ({ streamed: (await turnOf(haft, short, streaming)).stepMs }),
    async () => ({ many: (await turnOf(haft, long)).wholeMs / long }),
    async () => ({ calls: (await timeOnce({ run: () => repeat(short, call) })) / short }),
    async () => ({ bare: (await timeOnce({ run: () => repeat(short, readAndCall) })) / short }),
  ]
  for (let round = 0; round < rounds + warmUp; round++) {
    for (let index = 0; index < contenders.length; index++) {
      // Who goes first changes too: later ones find warmer caches.
      const taken = await contenders[(index + round) % contenders.length]!()
      if (round >= warmUp) for (const [name, ms] of Object.entries(taken)) times[name]!.push(ms)
    }
  }
  const ratio = (ours: string, raw: string): Reading => {
    const [oursMs, rawMs] = [median(times[ours]!), median(times[raw]!)]
    return { value: oursMs / rawMs, oursMs, rawMs }
  }
  return {
    step: ratio("steps", "calls"),
    floor: ratio("streamed", "bare"),
    turn: { value: median(times.none!) },
    flat: ratio("many", "some"),
  }
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await work()
}

/** A reply with one call, as a provider streams it. */
function streamOfReply(input: string): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] })
      controller.enqueue({ type: "tool-input-start", id: "1", toolName: "noop" })
      controller.enqueue({ type: "tool-input-delta", id: "1", delta: input })
      controller.enqueue({ type: "tool-input-end", id: "1" })
      controller.enqueue({ type: "tool-call", toolCallId: "1", toolName: "noop", input })
      controller.enqueue({ type: "finish" })
      controller.close()
    },
  })
}

async function readAll(stream: ReadableStream<unknown>): Promise<void> {
  const reader = stream.getReader()
  while (!(await reader.read()).done);
}

/** A model whose replies are read as those of providers. */
function streaming(script: ScriptModel): ProviderModel {
  const { specificationVersion, provider, modelId } = script
  const doStream: ScriptModel["doStream"] = async (call) => ({ stream: (await script.doStream(call)).stream })
  return { specificationVersion, provider, modelId, doStream }
}

let paths = 0

/**
 * An argument as a session has it. V8 keeps every text of up to ten characters that it reads in JSON in one table: with tens
 * of thousands of different ones, which no session has, reading the next takes a tenth of a call.
 */
function newPath(): string {
  return `src/folder/file-${paths++}.ts`
}

/** Times a turn of so many calls in a new session, which is open before; a step is from the end of a call to that of the next. */
async function turnOf(
  haft: Haft,
  steps: number,
  modelOf = (script: ScriptModel): ProviderModel => script,
): Promise<{ readonly wholeMs: number; readonly stepMs: number }> {
  const calls = Array.from({ length: steps }, () => [{ name: "noop", input: `{"value":"${newPath()}"}` }])
  const lines = [...calls, []].map((calls, index) => ({
    number: index + 1,
    calls,
    ...(calls.length === 0 && { text: "Done." }),
  }))
  const agent = haft.agent({ model: modelOf(new ScriptModel("bench", lines)) })
  await agent.session()
  const started = performance.now()
  let [first, last, ended] = [0, 0, 0]
  for await (const { type } of agent.send("Go on")) {
    if (type !== "tool-end") continue
    ended += 1
    if (ended === 1) first = performance.now()
    if (ended === steps) last = performance.now()
  }
  const { reason, message } = await agent.result
  const wholeMs = performance.now() - started
  await agent.close()
  if (reason !== "done") throw new Error(message)
  return { wholeMs, stepMs: (last - first) / (steps - 1) }
}
