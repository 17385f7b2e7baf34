import { ToolError } from "@haft/contract"
import { type ByteReader, createByteReader } from "./byte-reader.js"

/** One entry of a tar archive, with the bytes that say what it is. */
export interface TarPiece {
  /** From the root, without slashes at its ends; empty for the root itself. */
  readonly path: string
  readonly isFolder: boolean
  /** The blocks in front of the content, as they are in the archive. */
  readonly head: Buffer
  /** Hands the content on with what fills its last block. To be called before the next entry is asked for, or not at all. */
  content(to: (piece: Buffer) => Promise<void> | void): Promise<void>
}

const blockBytes = 512
// Names and links; anything longer is an attack.
const mostHeadBytes = 1024 * 1024

/** The entries of an archive in their order. Names that would lead out of it are an error. */
export async function* tarEntries(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarPiece> {
  const reader = createByteReader(archive)
  let before: Buffer[] = []
  let told: ToldFacts = {}
  for (;;) {
    const block = await reader.take(blockBytes)
    if (block.length < blockBytes || block.every((byte) => byte === 0)) return
    const type = String.fromCharCode(block[156]!)
    const size = sizeOf(block)
    if (type === "L" || type === "K" || type === "x" || type === "g") {
      const text = await headText(reader, size)
      // What holds for the rest of one archive must not hold for another.
      if (type === "g") continue
      before.push(block, text)
      if (type === "L") told = { ...told, path: untilNul(text.subarray(0, size)) }
      if (type === "x") told = { ...told, ...paxFacts(text.subarray(0, size)) }
      continue
    }
    let left = paddedSize(told.size ?? size)
    const pass = async (to: (piece: Buffer) => Promise<void> | void): Promise<void> => {
      const bytes = left
      left = 0
      await reader.pass(bytes, to)
    }
    yield {
      path: cleanPath(told.path ?? headerPath(block)),
      isFolder: type === "5",
      head: Buffer.concat([...before, block]),
      content: pass,
    }
    await pass(() => undefined)
    before = []
    told = {}
  }
}

/** What stands in front of an entry about it. */
interface ToldFacts {
  readonly path?: string
  readonly size?: number
}

async function headText(reader: ByteReader, size: number): Promise<Buffer> {
  if (size > mostHeadBytes) throw new ToolError("invalid_args", "Cannot read the archive: a name in it is too long")
  return reader.take(paddedSize(size))
}

/** Records of the form `length key=value\n`. */
function paxFacts(text: Buffer): ToldFacts {
  const facts: { path?: string; size?: number } = {}
  for (let at = 0; at < text.length; ) {
    const blank = text.indexOf(0x20, at)
    const length = Number(text.toString("latin1", at, blank))
    if (blank < 0 || !Number.isSafeInteger(length) || length <= 0) break
    const record = text.toString("utf8", blank + 1, at + length - 1)
    if (record.startsWith("path=")) facts.path = record.slice("path=".length)
    if (record.startsWith("size=")) facts.size = Number(record.slice("size=".length))
    at += length
  }
  return facts
}

function headerPath(block: Buffer): string {
  const name = untilNul(block.subarray(0, 100))
  // The older form uses the place of the prefix for something else.
  const prefix = block.toString("latin1", 257, 263) === "ustar\0" ? untilNul(block.subarray(345, 500)) : ""
  return prefix === "" ? name : `${prefix}/${name}`
}

function sizeOf(block: Buffer): number {
  const field = block.subarray(124, 136)
  // Sizes that do not fit in digits stand as a number.
  const size =
    (field[0]! & 0x80) === 0 ? Number.parseInt(untilNul(field).trim() || "0", 8) : Number(field.readBigUInt64BE(4))
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new ToolError("invalid_args", "Cannot read the archive: it is no tar archive")
  }
  return size
}

function paddedSize(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes
}

function untilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end)
}

function cleanPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".")
  if (parts.includes("..")) {
    throw new ToolError("invalid_args", `Cannot use the archive: "${path.slice(0, 200)}" leads out of it`)
  }
  return parts.join("/")
}
