import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { withLock } from "@haft/host"
import { readUsageFile, takeNotedUses, usageFileVersion, writeUsageFile } from "./usage-file.js"

/** How often a thing was used, and when last. */
export interface Use {
  readonly count: number
  /** Milliseconds since 1970; absent when it is not known. */
  readonly lastUsed?: number | undefined
}

/**
 * What was used how often, shared by all processes that name the same file. Keeping it never fails a call: where the file
 * cannot be written the counts last as long as the process.
 */
export class Usage {
  private readonly file: string
  private readonly now: () => number
  private known = new Map<string, Use>()
  /** What is not in the file yet. */
  private pending = new Map<string, Use>()
  private version: string | undefined
  private timer: NodeJS.Timeout | undefined
  private storing = Promise.resolve()

  constructor(file: string, now: () => number) {
    this.file = file
    this.now = now
  }

  get uses(): ReadonlyMap<string, Use> {
    return this.known
  }

  /** Counts one use now; it reaches the file a little later, together with others. */
  record(id: string): void {
    const use = { count: 1, lastUsed: this.now() }
    add(this.pending, id, use)
    add(this.known, id, use)
    this.timer ??= setTimeout(() => this.store(), storeAfterMs).unref()
  }

  /** Takes in what other processes have stored. */
  async refresh(): Promise<void> {
    await this.storing
    const noted = await takeNotedUses(this.file)
    if (noted.size > 0) {
      this.pending = sum(noted, this.pending)
      await this.store()
    }
    if ((await usageFileVersion(this.file)) === this.version) return
    const read = await readUsageFile(this.file)
    this.version = read.version
    this.known = sum(read.uses, this.pending)
  }

  /** Stores what is not stored yet. */
  store(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.storing = this.storing.then(() => this.storePending())
    return this.storing
  }

  private async storePending(): Promise<void> {
    if (this.pending.size === 0) return
    const added = this.pending
    this.pending = new Map()
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 })
      await withLock(`${this.file}.writer`, lockOptions, async () => {
        const all = bounded(sum((await readUsageFile(this.file)).uses, added), this.now())
        await writeUsageFile(this.file, all)
        this.version = await usageFileVersion(this.file)
        this.known = sum(all, this.pending)
      })
    } catch {
      // The next try, or the next process that can write, takes them along.
      this.pending = sum(added, this.pending)
    }
  }
}

const lockOptions = { action: "count what was used", patienceMs: 2_000, pauseMs: 20 }
const storeAfterMs = 1_000
// Thousands of things that were used once, long ago, rank no differently from things that never were.
const maxThings = 2_000

function sum(one: ReadonlyMap<string, Use>, other: ReadonlyMap<string, Use>): Map<string, Use> {
  const both = new Map(one)
  for (const [id, use] of other) add(both, id, use)
  return both
}

function add(uses: Map<string, Use>, id: string, use: Use): void {
  const known = uses.get(id)
  uses.set(id, known === undefined ? use : { count: known.count + use.count, lastUsed: later(known, use) })
}

function later(one: Use, other: Use): number | undefined {
  if (one.lastUsed === undefined || other.lastUsed === undefined) return one.lastUsed ?? other.lastUsed
  return Math.max(one.lastUsed, other.lastUsed)
}

function bounded(uses: Map<string, Use>, now: number): Map<string, Use> {
  if (uses.size <= maxThings) return uses
  const ranked = [...uses].sort(([, one], [, other]) => frecency(other, now) - frecency(one, now))
  return new Map(ranked.slice(0, maxThings))
}

/** Uses that fade by a tenth each day: twenty of two months ago weigh less than three of today. */
export function frecency({ count, lastUsed }: Use, now: number): number {
  if (lastUsed === undefined) return count
  // A clock that was set back must not make old uses weigh more.
  const days = Math.max(0, now - lastUsed) / dayMs
  return count * Math.exp(-0.1 * days)
}

const dayMs = 24 * 60 * 60 * 1000
