import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { BenchCase } from "../bench-case.js"
import { startLoopProbe } from "../loop-probe.js"
import { compare, median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"

const count = 1000

/** Many small reads at once. */
export const concurrentReads: BenchCase = {
  name: "concurrent-reads",
  limits: {
    all: { atMost: 1.2, unit: "x", what: "1000 concurrent small reads / the same with fs.promises.readFile" },
    loop: { atMost: 20, unit: "ms", what: "longest stand-still of the loop in them" },
  },
  async run(world) {
    const root = await world.folder("concurrent")
    const names = Array.from({ length: count }, (_, index) => `file-${index}.txt`)
    for (const name of names) await writeFile(join(root, name), `text of ${name}\n`.repeat(100))
    const opened = await world.open(root)
    const standStills: number[] = []
    const all = await compare(
      {
        run: async () => {
          const probe = startLoopProbe()
          const envelopes = await Promise.all(names.map((name) => opened.session.call("read", { file_path: name })))
          standStills.push(probe.stop())
          for (const envelope of envelopes) mustSucceed(envelope)
        },
      },
      { run: () => Promise.all(names.map((name) => readFile(join(root, name), "utf8"))) },
      { rounds: 15 },
    )
    await opened.close()
    return { all, loop: { value: median(standStills.slice(-15)) } }
  },
}
