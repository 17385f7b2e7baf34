import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, symlinkSync, unlinkSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { type CallScope, ToolError } from "@haft/contract"
import { assertActive } from "../file-session.js"
import { errnoOf } from "../system/errno.js"
import type { Target } from "../walk/walk.js"

/** How long to wait for another process before giving up. */
const patienceMs = 10_000
/** After this long a lock of another machine counts as left behind; whether its process lives cannot be seen. */
const foreignLockMs = 60_000

/** What the lock is for. */
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
    if (outcome === "locked") return () => removeQuietly(lock)
    if (outcome === "retry") continue
    assertActive(call, target)
    if (Date.now() > giveUpAt) {
      const reason = "another process is writing it"
      throw new ToolError("unavailable", `Cannot ${target.action} "${target.shown}": ${reason}; try again later`)
    }
    await delay(waitMs * (0.5 + Math.random()))
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
  const holder = readHolder(lock)
  if (holder === undefined) return "retry"
  if (isAlive(holder, lock)) return "held"
  removeDead(lock, holder)
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

function readHolder(lock: string): string | undefined {
  try {
    return readlinkSync(lock)
  } catch {
    return undefined
  }
}

/** Moves the lock aside first: if a third process was quicker, its fresh lock is recognised and put back. */
function removeDead(lock: string, holder: string): void {
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    if (readHolder(aside) === holder) unlinkSync(aside)
    else renameSync(aside, lock)
  } catch {
    // Somebody else removed it.
  }
}

function isAlive(holder: string, lock: string): boolean {
  const [, id, start, host] = /^(\d+):(\d*)@(.*)$/.exec(holder) ?? []
  if (host !== hostname()) return !isOlderThan(lock, foreignLockMs)
  try {
    process.kill(Number(id), 0)
  } catch (error) {
    return errnoOf(error) === "EPERM"
  }
  return start === "" || startOf(Number(id)) === start
}

function isOlderThan(path: string, ageMs: number): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  return facts !== undefined && Date.now() - facts.mtimeMs > ageMs
}

let token: string | undefined

function ownToken(): string {
  token ??= `${process.pid}:${startOf(process.pid)}@${hostname()}`
  return token
}

/** When a process started, in ticks since boot: tells it from a later one with the same id. Empty where unknown. */
function startOf(id: number): string {
  try {
    const line = readFileSync(`/proc/${id}/stat`, "latin1")
    // The name in parentheses may contain anything; the 22nd field is the 20th behind it.
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Removed by somebody who took this process for dead; the check before the rename still holds.
  }
}
