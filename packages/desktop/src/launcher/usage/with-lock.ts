import { randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { setTimeout } from "node:timers/promises"

/** Does the work while no other process does; false when the lock could not be had in time. */
export async function withLock(file: string, work: () => Promise<void>): Promise<boolean> {
  const token = randomUUID()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  for (let tries = 0; !(await take(file, token)); tries++) {
    if (tries === maxTries) return false
    await breakStale(file)
    await setTimeout(retryMs)
  }
  try {
    await work()
  } finally {
    // Somebody may have taken it for left behind, if the machine slept in between.
    if ((await readFile(file, "utf8").catch(() => "")) === token) await rm(file, { force: true })
  }
  return true
}

const retryMs = 20
const maxTries = 100
// The work takes milliseconds: a lock of this age belongs to a process that was killed.
const staleMs = 10_000

async function take(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600)
    try {
      await handle.writeFile(token)
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

/** Moves a lock of a dead process away: of several who try only one succeeds. */
async function breakStale(file: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs < staleMs) return
    const aside = `${file}.${randomUUID()}`
    await rename(file, aside)
    await rm(aside, { force: true })
  } catch {
    // It is gone already.
  }
}
