import type { RetryClass } from "@haft/contract"
import { openBareInsert, storedCall } from "../bare-insert.js"
import type { BenchCase, Reading } from "../bench-case.js"
import { compare, compiledAfter } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing, noOpTool } from "../no-op-tool.js"
import type { World } from "../world.js"

/** What the journal adds to a call. */
export const journaledCall: BenchCase = {
  name: "journaled-call",
  limits: {
    safe: { atMost: 1.5, unit: "x", what: "no-op call with journal / bare committed insert of the same bytes" },
    never: { atMost: 2.5, unit: "x", what: "the same for a tool that must not run twice" },
  },
  run: async (world) => ({ safe: await measure(world, "safe"), never: await measure(world, "never") }),
}

async function measure(world: World, retry: RetryClass): Promise<Reading> {
  const folder = await world.folder("journal")
  const opened = await world.open(folder, {
    storage: { journal: true },
    tools: [noOpTool("noop", retry)],
    rules: allowing("noop"),
  })
  mustSucceed(await opened.session.call("noop", { value: "first" }))
  const bytes = await storedCall(opened.haft, opened.session.id)
  const bare = openBareInsert(folder)
  let round = 0
  const reading = await compare(
    { run: async () => mustSucceed(await opened.session.call("noop", { value: `value ${round++}` })) },
    { run: () => bare.insert(bytes) },
    { rounds: 600, warmUp: compiledAfter },
  )
  bare.close()
  await opened.close()
  return reading
}
