import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { withLock } from "../../lock/lock.js"
import { isRunning, processToken } from "../../lock/process-identity.js"
import { type PlaceholderPool, placeholderPool } from "./placeholder-pool.js"

/** Decides which names get placeholders; `shared` says whether other commands have some at this moment. */
export type PlanNames<Plan> = (isPlaceholder: IsPlaceholder, shared: boolean) => Plan

/** Whether an empty directory is only there to hold its name. */
export type IsPlaceholder = (path: string) => boolean

// The work takes milliseconds.
const waiting = { action: "prepare the sandbox", patienceMs: 10_000, pauseMs: 16 }

/**
 * Counts the placeholders, which are empty directories under absent protected names, over every command of every process
 * with the same state folder: the kernel drops the mount of a running command when its directory is removed, so the last
 * command that uses it removes it.
 */
export class PlaceholderLedger {
  private readonly lists: string
  private readonly lock: string
  private readonly ownList: string
  private readonly counts = new Map<string, number>()
  private readonly pool: PlaceholderPool

  // The names on disk are those of earlier versions, whose processes may share the folder.
  constructor(folder: string) {
    this.lists = join(folder, "stubs")
    this.lock = join(folder, "stubs.lock")
    this.ownList = join(this.lists, processToken())
    mkdirSync(this.lists, { recursive: true, mode: 0o700 })
    this.pool = placeholderPool(join(folder, "stubs-ready"))
  }

  /**
   * Decides under the lock which names to hold, enters them in the list, then makes their directories. A name whose
   * directory cannot be made is left out: the command, which has no more rights, cannot make it either.
   */
  hold<Plan extends { readonly absent: readonly string[] }>(plan: PlanNames<Plan>): Promise<Plan> {
    const { counts, pool } = this
    return withLock(this.lock, waiting, () => {
      const foreign = this.heldByOthers()
      const planned = plan((path) => counts.has(path) || foreign.has(path), counts.size > 0 || foreign.size > 0)
      const fresh = planned.absent.filter((path) => !counts.has(path))
      for (const path of planned.absent) counts.set(path, (counts.get(path) ?? 0) + 1)
      if (fresh.length > 0) this.writeOwnList()
      const failed = new Set(pool.place(fresh))
      for (const path of failed) counts.delete(path)
      return failed.size === 0 ? planned : { ...planned, absent: planned.absent.filter((path) => !failed.has(path)) }
    })
  }

  /** Gives names back and removes the directories that no command uses any more. */
  release(paths: readonly string[]): Promise<void> {
    return withLock(this.lock, waiting, async () => {
      const done = paths.filter((path) => this.countDown(path) === 0)
      if (done.length === 0) return
      const foreign = this.heldByOthers()
      await this.pool.remove(done.filter((path) => !foreign.has(path)))
      this.writeOwnList()
    })
  }

  /** The names that have placeholders now, of this process and of others. */
  held(): ReadonlySet<string> {
    return new Set([...this.heldByOthers(), ...this.counts.keys()])
  }

  /** Removes what processes left behind that ended without cleaning up. */
  async sweep(): Promise<void> {
    if (this.deadTokens().length === 0) return
    await withLock(this.lock, waiting, async () => {
      const held = this.held()
      for (const token of this.deadTokens()) {
        const list = join(this.lists, token)
        await this.pool.remove(listOf(list).filter((path) => !held.has(path)))
        rmSync(list, { force: true })
      }
    })
  }

  private deadTokens(): readonly string[] {
    return readdirSync(this.lists).filter((name) => !isRunning(name))
  }

  private countDown(path: string): number {
    const left = (this.counts.get(path) ?? 1) - 1
    if (left === 0) this.counts.delete(path)
    else this.counts.set(path, left)
    return left
  }

  private heldByOthers(): ReadonlySet<string> {
    const others = readdirSync(this.lists).filter((name) => name !== processToken() && isRunning(name))
    return new Set(others.flatMap((name) => listOf(join(this.lists, name))))
  }

  private writeOwnList(): void {
    if (this.counts.size === 0) rmSync(this.ownList, { force: true })
    else writeFileSync(this.ownList, [...this.counts.keys()].join("\0"), { mode: 0o600 })
  }
}

function listOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\0").filter(Boolean)
  } catch {
    return []
  }
}

const ledgers = new Map<string, PlaceholderLedger>()

/** The ledger in a folder; one in this process, however many sessions use it. */
export function placeholderLedger(folder: string): PlaceholderLedger {
  const known = ledgers.get(folder)
  if (known) return known
  const made = new PlaceholderLedger(folder)
  ledgers.set(folder, made)
  return made
}

/** The ledger of a state folder; undefined where sandboxes keep names absent in another way. */
export function ledgerOf(haftHome: string): PlaceholderLedger | undefined {
  return process.platform === "linux" ? placeholderLedger(join(haftHome, "sandbox")) : undefined
}

/** Absent protected names for which running commands of this state folder have placeholders. */
export function placeholdersOf(haftHome: string): ReadonlySet<string> {
  return ledgerOf(haftHome)?.held() ?? new Set()
}

/**
 * Removes the placeholders that killed processes left in workspaces. To be called when a session opens: a session that
 * runs no command would show them to its tools as if they were the project's.
 */
export async function sweepPlaceholders(haftHome: string): Promise<void> {
  if (!existsSync(join(haftHome, "sandbox"))) return
  const ledger = ledgerOf(haftHome)
  if (ledger) await bestEffort("what cannot be removed now is swept by the next session", ledger.sweep())
}
