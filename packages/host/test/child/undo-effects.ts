import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

/** Undoes the effects in a file; killed in the middle, when no more than so many entries are left in a folder. */
const [root = "", historyFolder = "", effects = "", folder = "", left = ""] = process.argv.slice(2)

const { rename, renameSync, unlink, unlinkSync } = fs
function killHalfWay(): void {
  if (fs.readdirSync(folder).length <= Number(left)) process.kill(process.pid, "SIGKILL")
}
Object.assign(fs, {
  renameSync(from: string, to: string) {
    renameSync(from, to)
    killHalfWay()
  },
  unlinkSync(path: string) {
    unlinkSync(path)
    killHalfWay()
  },
  rename(from: string, to: string, done: (error: Error | null) => void) {
    rename(from, to, (error) => {
      killHalfWay()
      done(error)
    })
  },
  unlink(path: string, done: (error: Error | null) => void) {
    unlink(path, (error) => {
      killHalfWay()
      done(error)
    })
  },
})
syncBuiltinESMExports()

const { undoEffects } = await import("../../src/undo/restore/undo-effects.js")
await undoEffects(JSON.parse(fs.readFileSync(effects, "utf8")), { historyFolder, roots: [root] })
