import { readlinkSync, symlinkSync, unlinkSync } from "node:fs"
import { bestEffort, ToolError } from "@haft/contract"
import { pause, unlessAborted } from "../wait.js"
import { isRunning, processToken } from "./process-identity.js"

/** How a lock is waited for. */
export interface LockOptions {
  /** What cannot be done while another process holds it, as messages say it. */
  readonly action: string
  readonly patienceMs: number
  /** The longest pause between two looks at the lock of another process. */
  readonly pauseMs: number
  /** Ends the wait; work that has begun goes on. */
  readonly signal?: AbortSignal
}

// Work of this process that waits for its turn, by lock: it needs no polling.
const turns = new Map<string, Promise<unknown>>()

/** Runs a piece of work while nobody else with the same lock does; a dead holder is passed over. */
export function withLock<Result>(
  lock: string,
  options: LockOptions,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const before = turns.get(lock) ?? Promise.resolve()
  const turn = unlessAborted(before, options.signal).then(() => whileLocked(lock, options, work))
  // A caller that gives up does not let the next one in early.
  const settled = Promise.allSettled([before, turn])
  turns.set(lock, settled)
  void settled.then(() => {
    if (turns.get(lock) === settled) turns.delete(lock)
  })
  return turn
}

async function whileLocked<Result>(
  lock: string,
  { action, patienceMs, pauseMs, signal }: LockOptions,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  // Links need a privilege on Windows; there only this process keeps itself from doing the work twice.
  if (process.platform === "win32") return work()
  const giveUpAt = Date.now() + patienceMs
  for (let waitMs = 1; !tryLock(lock); waitMs = Math.min(waitMs * 2, pauseMs)) {
    if (Date.now() > giveUpAt) {
      throw new ToolError("unavailable", `Cannot ${action}: "${lock}" is held by another process; try again`)
    }
    await pause(waitMs * (0.5 + Math.random()), { signal })
  }
  try {
    return await work()
  } finally {
    giveLockBack(lock)
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
  const holder = lockHolder(lock)
  if (holder !== undefined && !isRunning(holder)) removeDeadLock(lock, holder)
  return false
}

/** The holder that the text of a lock names; undefined where there is no lock. */
export function lockHolder(lock: string): string | undefined {
  return bestEffort("a lock that cannot be read counts as held", () => readlinkSync(lock))
}

/**
 * Removes a lock whose holder is dead. One process at a time does that: between a look at the lock and its removal
 * another one could have removed the dead lock and a third taken a fresh one, which would be lost.
 */
export function removeDeadLock(lock: string, holder: string): void {
  const guard = `${lock}.dead`
  try {
    symlinkSync(processToken(), guard)
  } catch {
    const remover = lockHolder(guard)
    if (remover !== undefined && !isRunning(remover)) giveLockBack(guard)
    return
  }
  if (lockHolder(lock) === holder) giveLockBack(lock)
  giveLockBack(guard)
}

/** Removes a lock of this process; another one may have done so already, when it took this one for dead. */
export function giveLockBack(lock: string): void {
  bestEffort("a lock that stays is passed over when its holder is dead", () => unlinkSync(lock))
}
