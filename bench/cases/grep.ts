import type { BenchCase, Reading } from "../bench-case.js"
import { treeWords } from "../data/make-tree.js"
import { compare } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { ripgrep } from "../raw/ripgrep.js"
import type { World } from "../world.js"

// Matches after which the tool itself stops: ten times its output limit.
const cap = 2000

/** Searches in a tree of 150,000 files. */
export const grep: BenchCase = {
  name: "grep",
  limits: {
    few: { atMost: 1.1, unit: "x", what: "grep with 26 hits in 150,000 files, sorted / rg" },
    dense: { atMost: 1.3, unit: "x", what: "grep over its cap, dense / rg killed after as many matches" },
    spread: { atMost: 1.1, unit: "x", what: "grep over its cap, spread / full rg" },
    same: { atMost: 1, unit: "", what: "different results of one grep over its cap" },
  },
  async run(world) {
    const few = await measure(world, treeWords.rare, {})
    const dense = await measure(world, treeWords.dense, { stopAfter: cap })
    const spread = await measure(world, treeWords.spread, {})
    return {
      few: few.reading,
      dense: dense.reading,
      spread: spread.reading,
      same: { value: Math.max(dense.results.size, spread.results.size) },
    }
  },
}

async function measure(
  world: World,
  pattern: string,
  { stopAfter }: { readonly stopAfter?: number },
): Promise<{ reading: Reading; results: ReadonlySet<string> }> {
  const root = await world.tree()
  const opened = await world.open(root)
  const results = new Set<string>()
  const reading = await compare(
    { run: async () => results.add(JSON.stringify(mustSucceed(await opened.session.call("grep", { pattern })))) },
    { run: () => ripgrep(root, ["--line-number", "--hidden", "-e", pattern, "."], stopAfter) },
    // A short search is timed when what it runs through is compiled; a long one hardly notices.
    stopAfter === undefined ? { rounds: 11, warmUp: 2 } : { rounds: 31, warmUp: 60 },
  )
  await opened.close()
  return { reading, results }
}
