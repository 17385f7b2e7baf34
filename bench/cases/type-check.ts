import { spawnSync } from "node:child_process"
import type { BenchCase } from "../bench-case.js"
import { median, timeOnce } from "../measure.js"

/** How long the types of the whole workspace take without any cache. */
export const typeCheck: BenchCase = {
  name: "type-check",
  limits: { cold: { atMost: 15, unit: "s", what: "type check of the whole workspace, cold" } },
  async run() {
    const times: number[] = []
    for (let round = 0; round < 3; round++) {
      times.push(await timeOnce({ run: () => spawnSync("node_modules/.bin/tsc", ["-p", "tsconfig.json"]) }))
    }
    return { cold: { value: median(times) / 1000 } }
  },
}
