import { readUsageFile, takeNotedUses, usageFileVersion, writeUsageFile } from "./usage-file.js"
import { withLock } from "./with-lock.js"

/** How often a thing was used, and when last. */
export interface Use {
  readonly count: number
  /** Milliseconds since 1970; absent when it is not known. */
  readonly lastUsed?: number | undefined
}

/** What was used how often, shared by all processes that name the same file. */
export interface Usage {
  readonly uses: ReadonlyMap<string, Use>
  /** Counts one use now; it reaches the file a little later, together with others. */
  record(id: string): void
  /** Takes in what other processes have stored. */
  refresh(): Promise<void>
  /** Stores what is not stored yet. */
  close(): Promise<void>
}

/**
 * Opens the uses in a file. Keeping them never fails a call: where the file cannot be written they last as long as the
 * process.
 */
export function openUsage(file: string, now: () => number): Usage {
  let uses = new Map<string, Use>()
  /** What is not in the file yet. */
  let pending = new Map<string, Use>()
  let version: string | undefined
  let timer: NodeJS.Timeout | undefined
  let storing = Promise.resolve()

  async function storePending(): Promise<void> {
    if (pending.size === 0) return
    const added = pending
    pending = new Map()
    const stored = await withLock(`${file}.lock`, async () => {
      const all = bounded(sum((await readUsageFile(file)).uses, added), now())
      await writeUsageFile(file, all)
      version = await usageFileVersion(file)
      uses = sum(all, pending)
    }).catch(() => false)
    if (!stored) pending = sum(added, pending)
  }

  function store(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    storing = storing.then(storePending)
    return storing
  }

  return {
    get uses() {
      return uses
    },
    record(id) {
      const use = { count: 1, lastUsed: now() }
      add(pending, id, use)
      add(uses, id, use)
      timer ??= setTimeout(store, storeAfterMs).unref()
    },
    async refresh() {
      await storing
      const noted = await takeNotedUses(file)
      if (noted.size > 0) {
        pending = sum(noted, pending)
        await store()
      }
      if ((await usageFileVersion(file)) === version) return
      const read = await readUsageFile(file)
      version = read.version
      uses = sum(read.uses, pending)
    },
    close: store,
  }
}

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
