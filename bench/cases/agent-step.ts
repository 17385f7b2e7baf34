import { ScriptModel } from "@haft/agent"
import type { Agent, Haft } from "haft"
import type { BenchCase, Reading } from "../bench-case.js"
import { type Contender, compare } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing, noOpTool } from "../no-op-tool.js"
import type { World } from "../world.js"

const short = 20
const long = 400

/** What the loop adds to a call: a reply of the model, its reading, and the next request. */
export const agentStep: BenchCase = {
  name: "agent-step",
  limits: {
    step: { atMost: 1.6, unit: "x", what: "step of a turn with a no-op call, journal off / session.call of it" },
    flat: { atMost: 1.3, unit: "x", what: "step in a turn of 400 steps / step in a turn of 20" },
  },
  run: async (world) => ({ step: await step(world), flat: await flat(world) }),
}

async function step(world: World): Promise<Reading> {
  const opened = await world.open(await world.folder("step"), options)
  let value = 0
  const reading = await compare(
    turnOf(opened.haft, short),
    {
      run: async () => {
        for (let count = 0; count < short; count++)
          mustSucceed(await opened.session.call("noop", { value: `${value++}` }, { fromModel: true }))
      },
    },
    { rounds: 100, warmUp: 150 },
  )
  await opened.close()
  return reading
}

async function flat(world: World): Promise<Reading> {
  const opened = await world.open(await world.folder("flat"), options)
  const reading = await compare(turnOf(opened.haft, long), turnOf(opened.haft, short), { rounds: 15, warmUp: 15 })
  await opened.close()
  return { ...reading, value: reading.value / (long / short) }
}

const options = { tools: [noOpTool("noop", "safe")], rules: allowing("noop"), toolset: "locked" }

/** A turn of so many calls in a new session, which is open before the time is taken. */
function turnOf(haft: Haft, steps: number): Contender<Agent> {
  let value = 0
  return {
    async prepare() {
      const calls = Array.from({ length: steps }, () => [{ name: "noop", input: `{"value":"${value++}"}` }])
      const lines = [...calls, []].map((calls, index) => ({
        number: index + 1,
        calls,
        ...(calls.length === 0 && { text: "Done." }),
      }))
      const agent = haft.agent({ model: new ScriptModel("bench", lines) })
      await agent.session()
      return agent
    },
    async run(agent) {
      for await (const _ of agent.send("Go on"));
      const { reason, message } = await agent.result
      if (reason !== "done") throw new Error(message)
    },
    dispose: (agent) => agent.close(),
  }
}
