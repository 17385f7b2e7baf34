import type { CallScope } from "@haft/contract"
import { assertActive } from "../file-session.js"
import type { Target } from "../walk/walk.js"
import { oneAtATime } from "./path-queue.js"
import { acquireWriteLock } from "./write-lock.js"

/** Paths that no other writer may touch meanwhile. */
export interface LockedPaths {
  readonly historyFolder: string
  /** Absolute. */
  readonly paths: readonly string[]
  readonly target: Target
  readonly call: Pick<CallScope, "signal">
}

/** Does work while no other writer, of this process or another, touches the paths. */
export function withWriteLocks<Result>(locked: LockedPaths, work: () => Promise<Result>): Promise<Result> {
  // Everybody takes them in the same order, so nobody waits for somebody who waits for him.
  const paths = [...new Set(locked.paths)].sort()
  const queued = paths.reduceRight(
    (inner, path) => () => oneAtATime(path, inner),
    () => {
      assertActive(locked.call, locked.target)
      return lockNext(paths)
    },
  )
  return queued()

  async function lockNext([path, ...rest]: readonly string[]): Promise<Result> {
    if (path === undefined) return work()
    const release = await acquireWriteLock({ ...locked, path })
    try {
      return await lockNext(rest)
    } finally {
      release()
    }
  }
}
