/** One member of a tar archive. Its content must be read before the next one is asked for. */
export interface TarEntry {
  readonly name: string
  readonly kind: "file" | "directory" | "link" | "hard-link" | "other"
  readonly mode: number
  readonly size: number
  /** What a link points to. */
  readonly target: string
  readonly content: AsyncIterable<Buffer>
}

const blockBytes = 512
// Long names and such; more is an attack.
const maxHeaderBytes = 1024 * 1024

/** Reads a tar archive (ustar, pax and GNU long names) piece by piece; damage is an Error. */
export async function* tarEntries(stream: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = new ByteSource(stream)
  let further: Record<string, string> = {}
  for (;;) {
    const block = await source.take(blockBytes)
    if (block === undefined || block.every((byte) => byte === 0)) return
    const header = parseHeader(block)
    const content = source.limited(header.size)
    const metadata = await readMetadata(header, content)
    if (metadata) further = { ...further, ...metadata }
    else {
      const size = further.size === undefined ? header.size : Number(further.size)
      if (size !== header.size) throw new Error("a member gives two sizes")
      yield {
        name: further.path ?? header.name,
        kind: kinds[header.type] ?? "other",
        mode: header.mode,
        size,
        target: further.linkpath ?? header.target,
        content,
      }
      further = {}
    }
    await source.finish(content)
    await source.skip((blockBytes - (header.size % blockBytes)) % blockBytes)
  }
}

const kinds: Readonly<Record<string, TarEntry["kind"]>> = {
  "0": "file",
  "\0": "file",
  "1": "hard-link",
  "2": "link",
  "5": "directory",
}

interface Header {
  readonly name: string
  readonly mode: number
  readonly size: number
  readonly type: string
  readonly target: string
}

function parseHeader(block: Buffer): Header {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (sum !== numberAt(block, 148, 8)) throw new Error("a header is damaged")
  const prefix = block.toString("latin1", 257, 262) === "ustar" ? textAt(block, 345, 155) : ""
  const name = textAt(block, 0, 100)
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    mode: numberAt(block, 100, 8),
    size: numberAt(block, 124, 12),
    type: String.fromCharCode(block[156]!),
    target: textAt(block, 157, 100),
  }
}

/** Names that do not fit a header are in members before it; undefined for an ordinary member. */
async function readMetadata(
  header: Header,
  content: AsyncIterable<Buffer>,
): Promise<Record<string, string> | undefined> {
  if (!"xgLK".includes(header.type)) return undefined
  if (header.size > maxHeaderBytes) throw new Error("a header is too long")
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  const whole = Buffer.concat(pieces)
  if (header.type === "g") return {}
  if (header.type === "L") return { path: textAt(whole, 0, whole.length) }
  if (header.type === "K") return { linkpath: textAt(whole, 0, whole.length) }
  return parseRecords(whole)
}

/** Records of pax: the length of the record in digits, a space, `key=value`, a line feed. */
function parseRecords(whole: Buffer): Record<string, string> {
  const records: Record<string, string> = {}
  for (let start = 0; start < whole.length; ) {
    const space = whole.indexOf(32, start)
    const length = Number(whole.toString("latin1", start, space))
    if (space < 0 || !Number.isInteger(length) || length <= space - start) throw new Error("a header is damaged")
    const record = whole.toString("utf8", space + 1, start + length - 1)
    const equals = record.indexOf("=")
    const key = record.slice(0, equals)
    if (key === "path" || key === "linkpath" || key === "size") records[key] = record.slice(equals + 1)
    start += length
  }
  return records
}

function textAt(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start)
  return bytes.toString("utf8", start, end < 0 || end > start + length ? start + length : end)
}

function numberAt(block: Buffer, start: number, length: number): number {
  const digits = textAt(block, start, length).trim()
  if (!/^[0-7]*$/.test(digits)) throw new Error("a header is damaged")
  return digits === "" ? 0 : Number.parseInt(digits, 8)
}

type Limited = AsyncIterable<Buffer>

/** Hands out the bytes of a stream in the amounts that are asked for. */
class ByteSource {
  private readonly chunks: AsyncIterator<Buffer>
  private readonly left = new WeakMap<Limited, { bytes: number }>()
  private rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes; undefined at the end. */
  async take(count: number): Promise<Buffer | undefined> {
    if (count === 0) return Buffer.alloc(0)
    const first = await this.some(count)
    if (first === undefined) return undefined
    const pieces = [first]
    for await (const piece of this.pieces({ bytes: count - first.length })) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async skip(count: number): Promise<void> {
    for await (const _ of this.pieces({ bytes: count }));
  }

  /** The next so many bytes, piece by piece. */
  limited(count: number): Limited {
    const state = { bytes: count }
    const content = { [Symbol.asyncIterator]: () => this.pieces(state) }
    this.left.set(content, state)
    return content
  }

  /** Passes over what nobody read of a content. */
  async finish(content: Limited): Promise<void> {
    await this.skip(this.left.get(content)?.bytes ?? 0)
  }

  private async *pieces(state: { bytes: number }): AsyncGenerator<Buffer> {
    while (state.bytes > 0) {
      const piece = await this.some(state.bytes)
      if (piece === undefined) throw new Error("it ends too early")
      state.bytes -= piece.length
      yield piece
    }
  }

  /** Up to `most` bytes; undefined at the end. */
  private async some(most: number): Promise<Buffer | undefined> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next()
      if (next.done) return undefined
      this.rest = next.value
    }
    const piece = this.rest.subarray(0, most)
    this.rest = this.rest.subarray(piece.length)
    return piece
  }
}
