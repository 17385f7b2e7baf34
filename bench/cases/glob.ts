import type { BenchCase } from "../bench-case.js"
import { runChild } from "../child/run-child.js"
import { compare, median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { ripgrep } from "../raw/ripgrep.js"

const pattern = "**/*.ts"
// Paths after which the tool itself stops: ten times its output limit.
const cap = 10_000

/** A list of files that is longer than the tool gives. */
export const glob: BenchCase = {
  name: "glob",
  limits: {
    capped: { atMost: 1.3, unit: "x", what: "glob of 1000 out of 30,000 hits, sorted / rg --files stopped as early" },
    loop: { atMost: 20, unit: "ms", what: "longest stand-still of the loop in it" },
  },
  async run(world) {
    const root = await world.tree()
    const opened = await world.open(root)
    const capped = await compare(
      { run: async () => mustSucceed(await opened.session.call("glob", { pattern })) },
      { run: () => ripgrep(root, ["--files", "--hidden", "--sort", "path", "--glob", pattern, "."], cap) },
      { rounds: 7, warmUp: 2 },
    )
    await opened.close()
    const loops: number[] = []
    for (let round = 0; round < 3; round++) {
      loops.push((await runChild("glob", { root, home: await world.folder("home"), request: { pattern } })).loopMs)
    }
    return { capped, loop: { value: median(loops) } }
  },
}
