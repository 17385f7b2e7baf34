import { randomBytes } from "node:crypto"
import { closeSync, fstatSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Turns } from "../../workspace-index/create-turns.js"
import { type Entry, sameContent } from "../record/scan-workspace.js"
import { openPlainly } from "./copy-files.js"

interface Piece {
  readonly entry: Entry
  readonly offset: number
}

// Files are read right behind each other into this and written together: most of them are small.
const bufferBytes = 1024 * 1024

/**
 * Copies of files from before a command, in one file without a name that vanishes with this process. Above `maxBytes` it
 * starts over.
 */
export class ContentPack {
  private readonly folder: string
  private readonly maxBytes: number
  private readonly pieces = new Map<string, Piece>()
  private readonly buffer = Buffer.allocUnsafeSlow(bufferBytes)
  private descriptor: number | undefined
  /** Bytes in the file, and bytes in the buffer that are still to be written behind them. */
  private written = 0
  private waiting = 0
  private live = 0
  private starts = 0

  /** The folder has the file of the pack for a moment only. */
  constructor(folder: string, maxBytes: number) {
    this.folder = folder
    this.maxBytes = maxBytes
  }

  get liveBytes(): number {
    return this.live
  }

  /** Another number whenever the pack started over, and so lost all that it held. */
  get generation(): number {
    return this.starts
  }

  /** The next file that is kept makes the pack start over. */
  get isFull(): boolean {
    return this.written > this.maxBytes
  }

  holds(path: string, entry: Entry): boolean {
    const piece = this.pieces.get(path)
    return piece !== undefined && sameContent(piece.entry, entry)
  }

  /** Copies a file that is still as it was seen; false when it is not, or cannot be read. */
  async keep(path: string, entry: Entry, turns: Turns): Promise<boolean> {
    this.forget(path)
    if (this.isFull) this.close()
    const file = openPlainly(path)
    if (!file) return false
    try {
      const offset = this.written + this.waiting
      if (!sameContent(entry, file.facts) || !(await this.copy(file.descriptor, entry.size, turns))) return false
      // Written to while it was copied: the copy may mix two states.
      if (!sameContent(entry, fstatSync(file.descriptor))) return false
      this.pieces.set(path, { entry, offset })
      this.live += entry.size
      return true
    } finally {
      closeSync(file.descriptor)
    }
  }

  /** Adds a copy that another thread made, of a file that was as it was seen before and after that. */
  add(path: string, entry: Entry, bytes: Uint8Array): void {
    this.forget(path)
    if (this.isFull) this.close()
    if (this.waiting + bytes.length > bufferBytes) this.flush()
    this.pieces.set(path, { entry, offset: this.written + this.waiting })
    this.buffer.set(bytes, this.waiting)
    this.waiting += bytes.length
    this.live += bytes.length
  }

  /** The content that a file had when it was seen like this. */
  read(path: string, entry: Entry): Buffer | undefined {
    const piece = this.pieces.get(path)
    if (!piece || !sameContent(piece.entry, entry)) return undefined
    const descriptor = this.flush()
    const bytes = Buffer.allocUnsafe(entry.size)
    for (let done = 0; done < entry.size; ) {
      const count = readSync(descriptor, bytes, done, entry.size - done, piece.offset + done)
      if (count === 0) return undefined
      done += count
    }
    return bytes
  }

  forget(path: string): void {
    const piece = this.pieces.get(path)
    if (!piece) return
    this.pieces.delete(path)
    this.live -= piece.entry.size
  }

  paths(): readonly string[] {
    return [...this.pieces.keys()]
  }

  /** Drops all that the pack holds; the next file that is kept opens it again. */
  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor)
    this.descriptor = undefined
    this.pieces.clear()
    this.written = 0
    this.waiting = 0
    this.live = 0
    this.starts += 1
  }

  /** Copies so many bytes of an open file behind the others; false when it has fewer. */
  private async copy(from: number, size: number, turns: Turns): Promise<boolean> {
    for (let copied = 0; copied < size; ) {
      if (this.waiting === bufferBytes) {
        this.flush()
        await turns.breathe()
      }
      const room = Math.min(bufferBytes - this.waiting, size - copied)
      const count = readSync(from, this.buffer, this.waiting, room, copied)
      if (count === 0) return false
      this.waiting += count
      copied += count
    }
    return true
  }

  private flush(): number {
    this.descriptor ??= openNameless(this.folder)
    const { descriptor, buffer, waiting, written } = this
    for (let done = 0; done < waiting; ) done += writeSync(descriptor, buffer, done, waiting - done, written + done)
    this.written += waiting
    this.waiting = 0
    return descriptor
  }
}

function openNameless(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `before-${randomBytes(6).toString("hex")}`)
  const descriptor = openSync(path, "wx+", 0o600)
  unlinkSync(path)
  return descriptor
}
