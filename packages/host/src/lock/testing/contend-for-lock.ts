import { mkdirSync, rmdirSync, symlinkSync } from "node:fs"
import { withLock } from "../lock.js"

// A program that takes a lock again and again, and leaves every third time one behind as a killed process would. Arguments:
// the lock, a folder that two holders cannot both make.
const [lock, inside] = process.argv.slice(2)
const options = { action: "contend", patienceMs: 20_000, pauseMs: 2 }
let overlaps = 0
for (let round = 0; round < 300; round += 1) {
  await withLock(lock!, options, () => {
    try {
      mkdirSync(inside!)
    } catch {
      overlaps += 1
      return
    }
    rmdirSync(inside!)
  })
  if (round % 3 === 0) leaveDead()
}
console.log(overlaps)

function leaveDead(): void {
  try {
    symlinkSync("4194304-1", lock!)
  } catch {
    // Somebody holds it.
  }
}
