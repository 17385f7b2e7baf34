import { type FileHandle, mkdir, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { ByteRing } from "./capture.js"

/** How much of an output goes to its file. */
export interface SidecarLimits {
  /** Bytes from the beginning; Infinity keeps everything. */
  readonly headBytes: number
  /** Bytes from the end, when the beginning did not hold all. */
  readonly tailBytes: number
}

/** Where the file is made, and what is called when there is room again. */
export interface SidecarOptions {
  readonly folder: string
  readonly name: string
  /** 64 MiB from the beginning and 1 MiB from the end by default. */
  readonly limits?: SidecarLimits
  readonly onRoom: () => void
}

const defaultLimits: SidecarLimits = { headBytes: 64 * 1024 * 1024, tailBytes: 1024 * 1024 }

// So much may wait for the disk before the command is made to wait (backpressure).
const waitingBytes = 4 * 1024 * 1024

/** The whole output of a call in the order in which it came, in a file that is made only when it is needed. */
export class OutputSidecar {
  private readonly limits: SidecarLimits
  private readonly waiting = new ChunkList()
  private readonly last: ByteRing
  private taken = 0
  private opened: Promise<OpenedFile> | undefined
  private writing: Promise<void> | undefined
  private failed = false

  constructor(private readonly options: SidecarOptions) {
    this.limits = options.limits ?? defaultLimits
    this.last = new ByteRing(this.limits.tailBytes)
  }

  /** Takes a piece; false asks to pause until `onRoom` is called. */
  take(chunk: Buffer): boolean {
    const room = Math.max(0, Math.min(this.limits.headBytes - this.taken, chunk.length))
    this.taken += chunk.length
    if (this.failed) return true
    if (room > 0) this.waiting.add(chunk.subarray(0, room))
    this.last.add(chunk.subarray(room))
    this.flush()
    return !this.opened || this.waiting.bytes <= waitingBytes
  }

  /** From now on the file is needed: what came so far is written. */
  open(): void {
    this.opened ??= createFile(this.options.folder, this.options.name)
    this.flush()
  }

  /** Bytes from a place near the beginning; empty where the file does not have them. */
  async readBack(place: number, length: number): Promise<Buffer> {
    const count = Math.min(length, Math.min(this.taken, this.limits.headBytes) - place)
    if (!this.opened || this.failed || count <= 0) return Buffer.alloc(0)
    await this.writing
    const { path } = await this.opened
    const reader = await open(path, "r")
    try {
      const { buffer, bytesRead } = await reader.read(Buffer.alloc(count), 0, count, place)
      return buffer.subarray(0, bytesRead)
    } finally {
      await reader.close()
    }
  }

  /** Ends the file and gives its path; undefined when none was needed or it could not be written. */
  async finish(): Promise<string | undefined> {
    if (!this.opened) return undefined
    await this.writing
    const file = await bestEffort("an output without its file is still shown", this.opened)
    if (!file) return undefined
    try {
      if (!this.failed) await writeAll(file.handle, this.ending())
    } catch {
      this.failed = true
    }
    await file.handle.close()
    if (!this.failed) return file.path
    // Half an output would pass for the whole.
    await bestEffort("the session's folder is swept as a whole", unlink(file.path))
    return undefined
  }

  private flush(): void {
    if (this.opened && !this.writing && !this.failed && this.waiting.bytes > 0) this.writing = this.write(this.opened)
  }

  private async write(opened: Promise<OpenedFile>): Promise<void> {
    try {
      const { handle } = await opened
      while (this.waiting.bytes > 0) {
        const wasFull = this.waiting.bytes > waitingBytes
        await writeAll(handle, this.waiting.drain())
        if (wasFull) this.options.onRoom()
      }
    } catch {
      this.failed = true
      this.waiting.drain()
      this.options.onRoom()
    } finally {
      this.writing = undefined
    }
  }

  private ending(): readonly Buffer[] {
    if (this.taken <= this.limits.headBytes) return []
    const end = this.last.joined()
    const left = this.taken - this.limits.headBytes - end.length
    return left === 0 ? [end] : [Buffer.from(`\n[... ${left} bytes left out ...]\n`), end]
  }
}

interface OpenedFile {
  readonly handle: FileHandle
  readonly path: string
}

async function createFile(folder: string, name: string): Promise<OpenedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // An id comes from a caller: it must not be able to name another place.
  const safe = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80) || "call"
  for (let attempt = 1; ; attempt++) {
    const path = join(folder, attempt === 1 ? `${safe}.txt` : `${safe}-${attempt}.txt`)
    try {
      return { handle: await open(path, "wx", 0o600), path }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    }
  }
}

// The kernel takes at most so many pieces at once.
const piecesAtOnce = 1024

async function writeAll(handle: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  for (let start = 0; start < chunks.length; start += piecesAtOnce) {
    let rest = chunks.slice(start, start + piecesAtOnce)
    while (rest.length > 0) {
      const { bytesWritten } = await handle.writev(rest)
      rest = without(rest, bytesWritten)
    }
  }
}

function without(chunks: readonly Buffer[], bytes: number): Buffer[] {
  let left = bytes
  let index = 0
  while (index < chunks.length && left >= chunks[index]!.length) left -= chunks[index++]!.length
  const rest = chunks.slice(index)
  if (left > 0) rest[0] = rest[0]!.subarray(left)
  return rest
}

// Smaller pieces are gathered: thousands of them would cost more in bookkeeping than in bytes.
const smallBytes = 4 * 1024
const gatherBytes = 32 * 1024

/** Bytes in the order in which they came; large pieces are held and never copied. */
class ChunkList {
  private readonly chunks: Buffer[] = []
  private gathering: Buffer | undefined
  private gathered = 0
  bytes = 0

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    if (chunk.length > smallBytes) {
      this.seal()
      this.chunks.push(chunk)
      return
    }
    if (this.gathering && this.gathered + chunk.length > gatherBytes) this.seal()
    this.gathering ??= Buffer.allocUnsafeSlow(gatherBytes)
    chunk.copy(this.gathering, this.gathered)
    this.gathered += chunk.length
  }

  /** All pieces; the list is empty afterwards. */
  drain(): Buffer[] {
    this.seal()
    this.bytes = 0
    return this.chunks.splice(0)
  }

  private seal(): void {
    if (this.gathering && this.gathered > 0) this.chunks.push(this.gathering.subarray(0, this.gathered))
    this.gathering = undefined
    this.gathered = 0
  }
}
