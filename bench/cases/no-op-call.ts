import type { BenchCase } from "../bench-case.js"
import { compiledAfter, median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing, noOpTool } from "../no-op-tool.js"

/** What every call costs, whatever the tool does. */
export const noOpCall: BenchCase = {
  name: "no-op-call",
  limits: { call: { atMost: 30, unit: "µs", what: "no-op call in process, journal off, p50" } },
  async run(world) {
    const opened = await world.open(await world.folder("no-op"), {
      tools: [noOpTool("noop", "safe")],
      rules: allowing("noop"),
    })
    const times: number[] = []
    for (let round = 0; round < compiledAfter + 5000; round++) {
      const started = performance.now()
      const envelope = await opened.session.call("noop", { value: `value ${round}` })
      const elapsed = performance.now() - started
      mustSucceed(envelope)
      if (round >= compiledAfter) times.push(elapsed)
    }
    await opened.close()
    return { call: { value: median(times) * 1000 } }
  },
}
