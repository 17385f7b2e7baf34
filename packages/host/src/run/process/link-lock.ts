import { readlinkSync, symlinkSync, unlinkSync } from "node:fs"
import { isRunning, processToken } from "./process-token.js"

/** The text of a lock that is a symbolic link: who holds it. Undefined where there is none. */
export function lockHolder(lock: string): string | undefined {
  try {
    return readlinkSync(lock)
  } catch {
    return undefined
  }
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

/** Removes a lock of this process; that somebody took the process for dead meanwhile is nobody's error. */
export function giveLockBack(lock: string): void {
  try {
    unlinkSync(lock)
  } catch {
    // Removed by somebody else.
  }
}
