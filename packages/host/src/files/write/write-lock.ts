import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, symlinkSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { type CallScope, ToolError } from "@haft/contract"
import { giveLockBack, lockHolder, removeDeadLock } from "../../lock/lock.js"
import { isAlive as isProcess, isSameProcess, startOf } from "../../lock/process-identity.js"
import { pause } from "../../wait.js"
import { assertActive } from "../file-session.js"
import { errnoOf } from "../system/errno.js"
import type { Target } from "../walk/walk.js"

/** How long to wait for another process before giving up. */
const patienceMs = 10_000
/** After this long a lock of another machine counts as left behind; whether its process lives cannot be seen. */
const foreignLockMs = 60_000

export interface LockRequest {
  readonly historyFolder: string
  /** Absolute, links followed. */
  readonly path: string
  readonly target: Target
  readonly call: Pick<CallScope, "signal">
}

/**
 * Keeps other processes with the same history folder from writing the path until the returned function is called.
 * The lock is a symbolic link whose text names the holder: made and filled in one step, so that it is never empty.
 */
export async function acquireWriteLock({ historyFolder, path, target, call }: LockRequest): Promise<() => void> {
  // Links need a privilege on Windows; there the check before the rename is the only guard between processes.
  if (process.platform === "win32") return () => undefined
  const lock = join(historyFolder, "locks", createHash("sha256").update(path).digest("hex").slice(0, 40))
  const giveUpAt = Date.now() + patienceMs
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 16)) {
    const outcome = tryLock(lock)
    // Without a place for locks the write is still atomic and checked; only the last instant before it is unguarded.
    if (outcome === "impossible") return () => undefined
    if (outcome === "locked") return () => giveLockBack(lock)
    if (outcome === "retry") continue
    assertActive(call, target)
    if (Date.now() > giveUpAt) {
      const reason = "another process is writing it"
      throw new ToolError("unavailable", `Cannot ${target.action} "${target.shown}": ${reason}; try again later`)
    }
    await pause(waitMs * (0.5 + Math.random()))
  }
}

function tryLock(lock: string): "locked" | "held" | "retry" | "impossible" {
  try {
    symlinkSync(ownToken(), lock)
    return "locked"
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return makeFolder(lock) ? "retry" : "impossible"
    if (errnoOf(error) !== "EEXIST") return "impossible"
  }
  const holder = lockHolder(lock)
  if (holder === undefined) return "retry"
  if (isAlive(holder, lock)) return "held"
  removeDeadLock(lock, holder)
  return "retry"
}

function makeFolder(lock: string): boolean {
  try {
    mkdirSync(join(lock, ".."), { recursive: true, mode: 0o700 })
    return true
  } catch {
    return false
  }
}

function isAlive(holder: string, lock: string): boolean {
  const [, id, start, host] = /^(\d+):(\d*)@(.*)$/.exec(holder) ?? []
  if (host !== hostname()) return !isOlderThan(lock, foreignLockMs)
  return start === "" ? isProcess(Number(id)) : isSameProcess({ pid: Number(id), startedAt: start! })
}

function isOlderThan(path: string, ageMs: number): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  return facts !== undefined && Date.now() - facts.mtimeMs > ageMs
}

// Fixed for the life of this process.
let token: string | undefined

function ownToken(): string {
  token ??= `${process.pid}:${startOf(process.pid)}@${hostname()}`
  return token
}
