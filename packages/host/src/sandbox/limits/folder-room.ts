import { lstatSync, readdirSync, type Stats } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { ToolError } from "@haft/contract"

/** Keeps a private folder, which commands fill and nobody else needs, below a size. */
export interface FolderRoom {
  /** Before a command: what to tell about the folder. An overfull one is emptied, or refused while others use it. */
  enter(): Promise<readonly string[]>
  /** After a command: what it left is measured, and nobody waits for that. */
  leave(): void
}

/** Which folder, and how much it may hold. */
export interface RoomOptions {
  readonly folder: string
  readonly maxBytes: number
}

/** Measures between commands, so that a command only ever waits for a measurement that is still under way. */
export function createFolderRoom({ folder, maxBytes }: RoomOptions): FolderRoom {
  let users = 0
  let measured: Promise<number> = Promise.resolve(0)
  let isQueued = false
  let turn: Promise<unknown> = Promise.resolve()

  return {
    enter() {
      const entered = turn.then(enter)
      turn = entered.catch(() => undefined)
      return entered
    },
    leave() {
      users -= 1
      if (isQueued) return
      isQueued = true
      measured = measured.then(() => {
        isQueued = false
        return measure(folder, maxBytes)
      })
    },
  }

  async function enter(): Promise<readonly string[]> {
    const isOverfull = (await measured) > maxBytes
    if (isOverfull && users > 0) throw overfull(maxBytes)
    if (isOverfull) await empty()
    users += 1
    return isOverfull ? [`the private home directory held more than ${inWords(maxBytes)} and was emptied`] : []
  }

  async function empty(): Promise<void> {
    const names = readdirSync(folder)
    await Promise.allSettled(names.map((name) => rm(join(folder, name), { recursive: true, force: true })))
    measured = measure(folder, maxBytes)
    await measured
  }
}

function overfull(maxBytes: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot run the command: the private home directory holds more than ${inWords(maxBytes)} and is in use; end the jobs and interpreters of this session, then it is emptied`,
  )
}

function inWords(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${Math.round(bytes / 1024 ** 3)} GB` : `${bytes} bytes`
}

// Looking at the clock for every file would cost as much as looking at the file.
const filesBetweenLooks = 64
const sliceMs = 4

/** Bytes on the disk below a folder; stops when there are more than enough. Lets others have their turn meanwhile. */
async function measure(folder: string, enough: number): Promise<number> {
  let bytes = 0
  let files = 0
  let sliceEnd = performance.now() + sliceMs
  const folders = [folder]
  for (let current = folders.pop(); current !== undefined && bytes <= enough; current = folders.pop()) {
    for (const name of namesIn(current)) {
      const path = join(current, name)
      const facts = factsOf(path)
      bytes += (facts?.blocks ?? 0) * 512
      if (facts?.isDirectory()) folders.push(path)
      files += 1
      if (files % filesBetweenLooks > 0 || performance.now() < sliceEnd) continue
      await nextTurn()
      sliceEnd = performance.now() + sliceMs
    }
  }
  return bytes
}

function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Gone meanwhile, or closed by the command to everybody.
    return []
  }
}
