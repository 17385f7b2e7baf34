import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const folders = 1500
const filesInFolder = 100

/** Words that files of the tree contain: once in 26 files, once in 3000 files spread evenly, six times in every file. */
export const treeWords = { rare: "needle_in_the_hay", spread: "spread_word_here", dense: "ordinary" } as const

/** Writes 150,000 files of about 300 bytes, a fifth of them `.ts`, and returns the folder. */
export async function makeTree(folder: string): Promise<string> {
  const total = folders * filesInFolder
  for (let outer = 0; outer < folders; outer++) {
    const directory = join(folder, `part-${outer % 30}`, `section-${outer}`)
    mkdirSync(directory, { recursive: true })
    for (let inner = 0; inner < filesInFolder; inner++) {
      const number = outer * filesInFolder + inner
      writeFileSync(join(directory, `file-${inner}.${inner % 5 === 0 ? "ts" : "txt"}`), fileText(number, total))
    }
    // The loop of this process has nothing else to do, but signals should get through.
    if (outer % 100 === 0) await new Promise((resume) => setImmediate(resume))
  }
  return folder
}

function fileText(number: number, total: number): string {
  const lines = Array.from(
    { length: 6 },
    (_, line) => `line ${line} of an ${treeWords.dense} file with number ${number}`,
  )
  if (number % Math.floor(total / 26) === 7 && number < total - 20) lines.push(treeWords.rare)
  if (number % 50 === 3) lines.push(treeWords.spread)
  return `${lines.join("\n")}\n`
}
