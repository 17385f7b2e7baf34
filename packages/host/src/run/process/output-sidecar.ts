import { type FileHandle, mkdir, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import { ByteRing } from "./byte-ring.js"
import { ChunkList } from "./chunk-list.js"

/** How much of an output goes to its file. */
export interface SidecarLimits {
  /** Bytes from the beginning; Infinity keeps everything. */
  readonly headBytes: number
  /** Bytes from the end, when the beginning did not hold all. */
  readonly tailBytes: number
}

/** 64 MiB from the beginning and 1 MiB from the end. */
export const defaultSidecarLimits: SidecarLimits = { headBytes: 64 * 1024 * 1024, tailBytes: 1024 * 1024 }

/** The whole output of a call in the order in which it came, in a file that is made only when it is needed. */
export interface OutputSidecar {
  /** Takes a piece; false asks to pause until `onRoom` is called. */
  take(chunk: Buffer): boolean
  /** From now on the file is needed: what came so far is written. */
  open(): void
  /** Bytes from a place near the beginning; empty where the file does not have them. */
  readBack(place: number, length: number): Promise<Buffer>
  /** Ends the file and gives its path; undefined when none was needed or it could not be written. */
  finish(): Promise<string | undefined>
}

/** Where the file goes and who is told when there is room again. */
export interface SidecarOptions {
  readonly folder: string
  readonly name: string
  readonly limits: SidecarLimits
  readonly onRoom: () => void
}

// So much may wait for the disk before the command is made to wait.
const waitingBytes = 4 * 1024 * 1024

/** Collects in memory until it is opened, then writes along. */
export function outputSidecar({ folder, name, limits, onRoom }: SidecarOptions): OutputSidecar {
  const waiting = new ChunkList()
  const last = new ByteRing(limits.tailBytes)
  let taken = 0
  let opened: Promise<OpenedFile> | undefined
  let writing: Promise<void> | undefined
  let failed = false

  const write = async () => {
    try {
      const { handle } = await opened!
      while (waiting.bytes > 0) {
        const wasFull = waiting.bytes > waitingBytes
        await writeAll(handle, waiting.drain())
        if (wasFull) onRoom()
      }
    } catch {
      failed = true
      waiting.drain()
      onRoom()
    } finally {
      writing = undefined
    }
  }
  const flush = () => {
    if (opened && !writing && !failed && waiting.bytes > 0) writing = write()
  }

  return {
    take(chunk) {
      const room = Math.min(limits.headBytes - taken, chunk.length)
      taken += chunk.length
      if (failed) return true
      if (room > 0) waiting.add(room < chunk.length ? chunk.subarray(0, room) : chunk)
      if (room < chunk.length) last.add(room > 0 ? chunk.subarray(room) : chunk)
      flush()
      return !opened || waiting.bytes <= waitingBytes
    },
    open() {
      opened ??= createFile(folder, name)
      flush()
    },
    async readBack(place, length) {
      const count = Math.min(length, Math.min(taken, limits.headBytes) - place)
      if (!opened || failed || count <= 0) return Buffer.alloc(0)
      await writing
      const { path } = await opened
      const reader = await open(path, "r")
      try {
        const { buffer, bytesRead } = await reader.read(Buffer.alloc(count), 0, count, place)
        return buffer.subarray(0, bytesRead)
      } finally {
        await reader.close()
      }
    },
    async finish() {
      if (!opened) return undefined
      await writing
      const file = await opened.catch(() => undefined)
      if (!file) return undefined
      try {
        if (!failed) await writeAll(file.handle, ending())
      } catch {
        failed = true
      }
      await file.handle.close()
      if (!failed) return file.path
      // Half an output would pass for the whole.
      await unlink(file.path).catch(() => undefined)
      return undefined
    },
  }

  function ending(): readonly Buffer[] {
    if (taken <= limits.headBytes) return []
    const end = last.joined()
    const left = taken - limits.headBytes - end.length
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
