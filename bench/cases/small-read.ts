import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { BenchCase } from "../bench-case.js"
import { compare, compiledAfter } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"

/** The most usual call: one small file. */
export const smallRead: BenchCase = {
  name: "small-read",
  limits: {
    bare: { atMost: 0.5, unit: "x", what: "read of 7 KB four folders deep / fs.promises.readFile" },
    journaled: { atMost: 1.5, unit: "x", what: "the same with the journal on" },
  },
  async run(world) {
    const root = await world.folder("small-read")
    const name = "a/b/c/d/source.ts"
    await mkdir(join(root, "a/b/c/d"), { recursive: true })
    await writeFile(join(root, name), "export const value = 'some text of a line'\n".repeat(170))
    const measure = async (journal: boolean, rounds: number) => {
      const opened = await world.open(root, { storage: { journal } })
      const reading = await compare(
        { run: async () => mustSucceed(await opened.session.call("read", { file_path: name })) },
        { run: () => readFile(join(root, name)) },
        { rounds, warmUp: compiledAfter },
      )
      await opened.close()
      return reading
    }
    return { bare: await measure(false, 1500), journaled: await measure(true, 500) }
  },
}
