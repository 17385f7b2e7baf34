import { createReadStream } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { createInflateRaw } from "node:zlib"
import type { TarEntry } from "./tar-entries.js"

// Signatures and lengths of the records, as APPNOTE.TXT of PKWARE has them.
const endSignature = 0x06054b50
const endLength = 22
const entrySignature = 0x02014b50
const entryLength = 46
const localSignature = 0x04034b50
const localLength = 30
const maxComment = 65_535
// Ten times what any build of git has.
const maxDirectory = 64 * 1024 * 1024

/** The entries of a .zip, by its central directory. Encrypted ones, and archives of more than 4 GiB, are refused. */
export async function* zipEntries(file: string): AsyncGenerator<TarEntry> {
  const handle = await open(file, "r")
  try {
    const directory = await readDirectory(handle)
    for (let at = 0; at + entryLength <= directory.length; ) {
      if (directory.readUInt32LE(at) !== entrySignature) throw new Error("its directory is damaged")
      const nameLength = directory.readUInt16LE(at + 28)
      const end = at + entryLength + nameLength
      yield await readEntry(handle, file, directory.subarray(at, end))
      at = end + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    }
  } finally {
    await handle.close()
  }
}

async function readDirectory(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat()
  const tail = await readAt(handle, Math.max(0, size - endLength - maxComment), Math.min(size, endLength + maxComment))
  for (let at = tail.length - endLength; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endSignature) continue
    const length = tail.readUInt32LE(at + 12)
    const offset = tail.readUInt32LE(at + 16)
    if (offset + length > size || length > maxDirectory) throw new Error("its directory is damaged or too large")
    return readAt(handle, offset, length)
  }
  throw new Error("it is no .zip, or it breaks off")
}

async function readEntry(handle: FileHandle, file: string, record: Buffer): Promise<TarEntry> {
  const name = record.toString("utf8", entryLength)
  const method = record.readUInt16LE(10)
  const packed = record.readUInt32LE(20)
  const size = record.readUInt32LE(24)
  const mode = record.readUInt32LE(38) >>> 16
  if ((record.readUInt16LE(8) & 1) !== 0) throw new Error(`"${name}" is encrypted`)
  if (method !== 0 && method !== 8) throw new Error(`"${name}" is packed in a way that is not known`)
  const local = await readAt(handle, record.readUInt32LE(42), localLength)
  if (local.readUInt32LE(0) !== localSignature) throw new Error(`"${name}" is damaged`)
  const start = record.readUInt32LE(42) + localLength + local.readUInt16LE(26) + local.readUInt16LE(28)
  const isFolder = name.endsWith("/")
  const type = mode & 0o170000
  // A link that an archive for Windows holds is none of git's.
  const isPlain = type === 0 || type === 0o100000 || type === 0o040000
  return {
    name,
    kind: isFolder ? "directory" : isPlain ? "file" : "other",
    mode: mode & 0o777 || 0o644,
    size,
    target: "",
    content: contentOf(file, { start, packed, size, isPacked: method === 8, name }),
  }
}

interface Content {
  readonly start: number
  readonly packed: number
  readonly size: number
  readonly isPacked: boolean
  readonly name: string
}

async function* contentOf(file: string, { start, packed, size, isPacked, name }: Content): AsyncGenerator<Buffer> {
  if (packed === 0) return
  const raw = createReadStream(file, { start, end: start + packed - 1 })
  const stream = isPacked ? raw.pipe(createInflateRaw()) : raw
  raw.on("error", (error) => stream.destroy(error))
  let seen = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    seen += piece.length
    // What it says of itself was counted; more is a bomb.
    if (seen > size) throw new Error(`"${name}" is larger than it says`)
    yield piece
  }
  if (seen !== size) throw new Error(`"${name}" breaks off`)
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead !== length) throw new Error("it breaks off")
  return buffer
}
