// One build at a time: tests of the built command may start one each.
import { mkdirSync, rmSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../node_modules/.cache/haft-build.lock")
// A build takes seconds; a lock this old belongs to one that was killed.
const staleMs = 180_000

/** Runs the work when no other build runs. */
export async function withBuildLock(work) {
  mkdirSync(dirname(folder), { recursive: true })
  while (!take()) await setTimeout(100)
  // Also when the work ends the process.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  await work()
}

function take() {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    if (ageMs() > staleMs) rmSync(folder, { recursive: true, force: true })
    return false
  }
}

function ageMs() {
  try {
    return Date.now() - statSync(folder).mtimeMs
  } catch {
    return 0
  }
}
