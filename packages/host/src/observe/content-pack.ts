import { randomBytes } from "node:crypto"
import { closeSync, fstatSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Turns } from "./create-turns.js"
import { openPlainly } from "./open-plainly.js"
import { type Entry, sameContent } from "./scan-workspace.js"

/** Copies of files from before a command, in one file without a name that vanishes with this process. */
export interface ContentPack {
  readonly liveBytes: number
  /** Another number whenever it started over, and so lost all that it held. */
  readonly generation: number
  /** The next file that is kept makes it start over. */
  readonly isFull: boolean
  holds(path: string, entry: Entry): boolean
  /** Copies a file that is still as it was seen; false when it is not, or cannot be read. */
  keep(path: string, entry: Entry, turns: Turns): Promise<boolean>
  /** The content that a file had when it was seen like this. */
  read(path: string, entry: Entry): Buffer | undefined
  forget(path: string): void
  /** What it holds. */
  paths(): readonly string[]
  close(): void
}

interface Piece {
  readonly entry: Entry
  readonly offset: number
}

// Files are read right behind each other into this and written together: most of them are small.
const bufferBytes = 1024 * 1024

/** An empty pack; its file lies in the folder for a moment only. Above `maxBytes` it starts over. */
export function createContentPack(folder: string, maxBytes: number): ContentPack {
  const pieces = new Map<string, Piece>()
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  let descriptor: number | undefined
  /** Bytes in the file, and bytes in the buffer that are still to be written behind them. */
  let written = 0
  let waiting = 0
  let liveBytes = 0
  let generation = 0

  const flush = () => {
    descriptor ??= openNameless(folder)
    for (let done = 0; done < waiting; ) done += writeSync(descriptor, buffer, done, waiting - done, written + done)
    written += waiting
    waiting = 0
  }
  const forget = (path: string) => {
    const piece = pieces.get(path)
    if (!piece) return
    pieces.delete(path)
    liveBytes -= piece.entry.size
  }
  const startOver = () => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
    pieces.clear()
    written = 0
    waiting = 0
    liveBytes = 0
    generation += 1
  }
  /** Copies so many bytes of an open file behind the others; false when it has fewer. */
  const copy = async (from: number, size: number, turns: Turns): Promise<boolean> => {
    for (let copied = 0; copied < size; ) {
      if (waiting === bufferBytes) {
        flush()
        await turns.breathe()
      }
      const count = readSync(from, buffer, waiting, Math.min(bufferBytes - waiting, size - copied), copied)
      if (count === 0) return false
      waiting += count
      copied += count
    }
    return true
  }

  return {
    get liveBytes() {
      return liveBytes
    },
    get generation() {
      return generation
    },
    get isFull() {
      return written > maxBytes
    },
    holds(path, entry) {
      const piece = pieces.get(path)
      return piece !== undefined && sameContent(piece.entry, entry)
    },
    async keep(path, entry, turns) {
      forget(path)
      if (written > maxBytes) startOver()
      const file = openPlainly(path)
      if (!file) return false
      try {
        const offset = written + waiting
        if (!sameContent(entry, file.facts) || !(await copy(file.descriptor, entry.size, turns))) return false
        // Written to while it was copied: the copy may be of two minds.
        if (!sameContent(entry, fstatSync(file.descriptor))) return false
        pieces.set(path, { entry, offset })
        liveBytes += entry.size
        return true
      } finally {
        closeSync(file.descriptor)
      }
    },
    read(path, entry) {
      const piece = pieces.get(path)
      if (!piece || !sameContent(piece.entry, entry)) return undefined
      flush()
      const bytes = Buffer.allocUnsafe(entry.size)
      for (let done = 0; done < entry.size; ) {
        const count = readSync(descriptor!, bytes, done, entry.size - done, piece.offset + done)
        if (count === 0) return undefined
        done += count
      }
      return bytes
    },
    forget,
    paths: () => [...pieces.keys()],
    close: startOver,
  }
}

function openNameless(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `before-${randomBytes(6).toString("hex")}`)
  const descriptor = openSync(path, "wx+", 0o600)
  unlinkSync(path)
  return descriptor
}
