import { createHash } from "node:crypto"
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"

// A few milliseconds of work, then everybody else has a turn; a thread for each file would cost ten times as much.
const filesAtOnce = 500

/** Identity of every file below a folder: while it is the same, nothing in it was changed. */
export async function treeStamp(root: string): Promise<string> {
  const hash = createHash("sha256")
  let count = 0
  // The list grows while it is walked, folder after folder, always in the same order.
  const folders = [""]
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const path = join(folder, name)
      const facts = lstatSync(join(root, path), { bigint: true })
      hash.update(`${path}\0${facts.mode} ${facts.size} ${facts.ino} ${facts.ctimeNs}\n`)
      if (facts.isDirectory()) folders.push(path)
      count += 1
      if (count % filesAtOnce === 0) await nextTurn()
    }
  }
  return hash.digest("hex")
}
