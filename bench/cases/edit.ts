import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { BenchCase } from "../bench-case.js"
import { compare } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"

/** One replacement in a large source file. */
export const edit: BenchCase = {
  name: "edit",
  limits: {
    replace: {
      atMost: 1.2,
      unit: "x",
      what: "one replacement in 1 MB, undo copy and diff included / read, replace, write",
    },
  },
  async run(world) {
    const root = await world.folder("edit")
    const text = Array.from(
      { length: 16_000 },
      (_, line) => `line ${line} holds some words and a number ${line * 7919} to tell it apart`,
    ).join("\n")
    const middle = "line 8000 holds some words"
    await writeFile(join(root, "ours.txt"), text)
    await writeFile(join(root, "raw.txt"), text)
    const opened = await world.open(root)
    let oursRound = 0
    let rawRound = 0
    const words = (round: number) => (round === 0 ? middle : `line 8000 was written in round ${round}`)
    const replace = await compare(
      {
        run: async () => {
          const [old_string, new_string] = [words(oursRound), words(++oursRound)]
          mustSucceed(await opened.session.call("edit", { file_path: "ours.txt", old_string, new_string }))
        },
      },
      {
        run: async () => {
          const [before, after] = [words(rawRound), words(++rawRound)]
          const current = await readFile(join(root, "raw.txt"), "utf8")
          await writeFile(join(root, "raw.txt"), current.replace(before, after))
        },
      },
      { rounds: 80, warmUp: 10 },
    )
    await opened.close()
    return { replace }
  },
}
