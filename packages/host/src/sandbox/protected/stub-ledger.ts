import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withLock } from "../../lock/lock.js"
import { isRunning, processToken } from "../../lock/process-identity.js"
import { stubPool } from "./stub-pool.js"

/**
 * The empty directories that hold absent names, counted over every command of every process with the same state folder:
 * the kernel drops the mount of a running command when its directory is removed, so the last one out removes it.
 */
export interface StubLedger {
  /**
   * Decides under the lock which names to hold, enters them in the list, then makes their directories. A name whose
   * directory cannot be made is left out: the command, which has no more rights, cannot make it either.
   */
  hold<Plan extends { readonly absent: readonly string[] }>(plan: PlanNames<Plan>): Promise<Plan>
  /** Gives names back and removes the directories that nobody holds any more. */
  release(paths: readonly string[]): Promise<void>
  /** The names that are held now, by this process and by others. */
  held(): ReadonlySet<string>
  /** Removes what processes left behind that ended without cleaning up. */
  sweep(): Promise<void>
}

/** Decides which names to hold, and is told whether others hold names at this moment. */
export type PlanNames<Plan> = (isStub: IsStub, shared: boolean) => Plan

/** Whether an empty directory is only there to hold its name. */
export type IsStub = (path: string) => boolean

// The work takes milliseconds.
const waiting = { action: "prepare the sandbox", patienceMs: 10_000, pauseMs: 16 }

const ledgers = new Map<string, StubLedger>()

/** The ledger of a state folder; one in this process, however many sessions use it. */
export function stubLedger(folder: string): StubLedger {
  const known = ledgers.get(folder)
  if (known) return known
  const made = createStubLedger(folder)
  ledgers.set(folder, made)
  return made
}

function createStubLedger(folder: string): StubLedger {
  const lists = join(folder, "stubs")
  const lock = join(folder, "stubs.lock")
  const ownList = join(lists, processToken())
  const counts = new Map<string, number>()
  mkdirSync(lists, { recursive: true, mode: 0o700 })
  const pool = stubPool(join(folder, "stubs-ready"))

  return {
    hold: (plan) =>
      withLock(lock, waiting, () => {
        const foreign = heldByOthers()
        const planned = plan((path) => counts.has(path) || foreign.has(path), counts.size > 0 || foreign.size > 0)
        const fresh = planned.absent.filter((path) => !counts.has(path))
        for (const path of planned.absent) counts.set(path, (counts.get(path) ?? 0) + 1)
        if (fresh.length > 0) writeOwnList()
        const failed = new Set(pool.place(fresh))
        for (const path of failed) counts.delete(path)
        return failed.size === 0 ? planned : { ...planned, absent: planned.absent.filter((path) => !failed.has(path)) }
      }),
    release: (paths) =>
      withLock(lock, waiting, async () => {
        const done = paths.filter((path) => countDown(path) === 0)
        if (done.length === 0) return
        const foreign = heldByOthers()
        await pool.remove(done.filter((path) => !foreign.has(path)))
        writeOwnList()
      }),
    held: allHeld,
    async sweep() {
      if (deadTokens().length === 0) return
      await withLock(lock, waiting, async () => {
        const held = allHeld()
        for (const token of deadTokens()) {
          await pool.remove(listOf(join(lists, token)).filter((path) => !held.has(path)))
          rmSync(join(lists, token), { force: true })
        }
      })
    },
  }

  function deadTokens(): readonly string[] {
    return readdirSync(lists).filter((name) => !isRunning(name))
  }

  function countDown(path: string): number {
    const left = (counts.get(path) ?? 1) - 1
    if (left === 0) counts.delete(path)
    else counts.set(path, left)
    return left
  }

  function heldByOthers(): ReadonlySet<string> {
    const others = readdirSync(lists).filter((name) => name !== processToken() && isRunning(name))
    return new Set(others.flatMap((name) => listOf(join(lists, name))))
  }

  function allHeld(): ReadonlySet<string> {
    return new Set([...heldByOthers(), ...counts.keys()])
  }

  function writeOwnList(): void {
    if (counts.size === 0) rmSync(ownList, { force: true })
    else writeFileSync(ownList, [...counts.keys()].join("\0"), { mode: 0o600 })
  }
}

function listOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\0").filter(Boolean)
  } catch {
    return []
  }
}
