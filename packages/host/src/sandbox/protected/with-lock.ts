import { readlinkSync, renameSync, symlinkSync, unlinkSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { ToolError } from "@haft/contract"
import { isRunning, processToken } from "./process-token.js"

const patienceMs = 10_000
/** Work of this process that waits for its turn, by lock: among ourselves nobody needs to poll. */
const turns = new Map<string, Promise<unknown>>()

/** Runs a short piece of work while nobody else with the same lock does; a dead holder is passed over. */
export function withLock<Result>(lock: string, work: () => Result | Promise<Result>): Promise<Result> {
  const turn = (turns.get(lock) ?? Promise.resolve()).then(() => whileLocked(lock, work))
  const settled = turn.catch(() => undefined)
  turns.set(lock, settled)
  void settled.then(() => {
    if (turns.get(lock) === settled) turns.delete(lock)
  })
  return turn
}

async function whileLocked<Result>(lock: string, work: () => Result | Promise<Result>): Promise<Result> {
  const giveUpAt = Date.now() + patienceMs
  for (let waitMs = 1; !tryLock(lock); waitMs = Math.min(waitMs * 2, 16)) {
    if (Date.now() > giveUpAt) {
      throw new ToolError("unavailable", `Cannot prepare the sandbox: "${lock}" is held by another process; try again`)
    }
    await delay(waitMs * (0.5 + Math.random()))
  }
  try {
    return await work()
  } finally {
    unlinkSync(lock)
  }
}

/** The lock is a link whose text names the holder: made and filled in one step. */
function tryLock(lock: string): boolean {
  try {
    symlinkSync(processToken(), lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  const holder = holderOf(lock)
  if (holder !== undefined && !isRunning(holder)) removeDead(lock, holder)
  return false
}

/** Moves the lock aside first: if a third process was quicker, its fresh lock is recognised and put back. */
function removeDead(lock: string, holder: string): void {
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    if (holderOf(aside) === holder) unlinkSync(aside)
    else renameSync(aside, lock)
  } catch {
    // Somebody else removed it.
  }
}

function holderOf(lock: string): string | undefined {
  try {
    return readlinkSync(lock)
  } catch {
    return undefined
  }
}
