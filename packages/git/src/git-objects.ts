import { createHash } from "node:crypto"
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs"
import { join } from "node:path"
import { inflateSync } from "node:zlib"
import { bestEffort } from "@haft/contract"

/** An object as git stores it. */
export interface GitObject {
  readonly kind: "commit" | "tree" | "blob" | "tag"
  readonly bytes: Buffer
}

/** The name that git gives an object: the hash of its content. */
export function objectId({ kind, bytes }: GitObject, hashBytes: 20 | 32): string {
  const hash = createHash(hashBytes === 20 ? "sha1" : "sha256")
  return hash.update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex")
}

/** Trees and commits are far smaller; a larger one is not read. */
const maxBytes = 32 * 1024 * 1024
/** More than git itself ever makes. */
const maxDeltas = 4_096
/** Deltas that name their base by its id are rare on a disk. */
const maxReferences = 100

/**
 * Reads commits and trees of a repository without running git: nothing of its configuration is obeyed. Objects that
 * another repository lends (alternates) are not found. Damage makes an object undefined or throws RangeError.
 */
export class GitObjects {
  private packs: readonly Pack[] | undefined

  constructor(
    private readonly folder: string,
    private readonly hashBytes: 20 | 32,
  ) {}

  /** A user who may write to the repository can put another object in the place of one, which then is not read. */
  read(id: string): GitObject | undefined {
    const found = this.readAny(id, 0)
    return found && objectId(found, this.hashBytes) === id ? found : undefined
  }

  private readAny(id: string, depth: number): GitObject | undefined {
    return this.readLoose(id) ?? (depth < maxReferences ? this.readPacked(id, depth) : undefined)
  }

  private readLoose(id: string): GitObject | undefined {
    const packed = bestEffort("an object that is no file of its own may be in a pack", () =>
      readFileSync(join(this.folder, id.slice(0, 2), id.slice(2))),
    )
    if (packed === undefined) return undefined
    const whole = inflateSync(packed, { maxOutputLength: maxBytes })
    const end = whole.indexOf(0)
    const kind = /^(commit|tree|blob|tag) \d+$/.exec(whole.toString("latin1", 0, end))?.[1]
    return kind === undefined ? undefined : { kind: kind as GitObject["kind"], bytes: whole.subarray(end + 1) }
  }

  private readPacked(id: string, depth: number): GitObject | undefined {
    const wanted = Buffer.from(id, "hex")
    this.packs ??= packsIn(join(this.folder, "pack"))
    for (const pack of this.packs) {
      const offset = findInIndex(pack.index, wanted)
      if (offset !== undefined) return this.readAt(pack.file, offset, depth)
    }
    return undefined
  }

  private readAt(file: string, offset: number, depth: number): GitObject | undefined {
    const descriptor = openSync(file, "r")
    try {
      return this.unpack((from, length) => slice(descriptor, from, length), offset, depth)
    } finally {
      closeSync(descriptor)
    }
  }

  /** Follows deltas down to a whole object, then applies them on the way back. */
  private unpack(read: ReadSlice, start: number, depth: number): GitObject | undefined {
    const deltas: Buffer[] = []
    for (let offset = start; deltas.length < maxDeltas; ) {
      const entry = readEntry(read, offset, this.hashBytes)
      if (entry.kind === "offset") {
        deltas.push(entry.content)
        offset -= entry.distance
        continue
      }
      if (entry.kind === "reference") deltas.push(entry.content)
      const base =
        entry.kind === "reference" ? this.readAny(entry.base, depth + 1) : { kind: entry.kind, bytes: entry.content }
      if (!base) return undefined
      return { kind: base.kind, bytes: deltas.reduceRight((bytes, delta) => applyDelta(bytes, delta), base.bytes) }
    }
    return undefined
  }
}

interface Pack {
  readonly file: string
  readonly index: Buffer
}

function packsIn(folder: string): readonly Pack[] {
  const names = bestEffort("a repository without readable packs has none", () => readdirSync(folder)) ?? []
  return names
    .filter((name) => name.endsWith(".idx"))
    .map((name) => ({ file: join(folder, `${name.slice(0, -4)}.pack`), index: readFileSync(join(folder, name)) }))
}

/** Looks an object up in a pack index of version 2 (gitformat-pack). */
function findInIndex(index: Buffer, wanted: Buffer): number | undefined {
  if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2) return undefined
  const fan = (byte: number) => (byte < 0 ? 0 : index.readUInt32BE(8 + 4 * byte))
  const count = fan(255)
  const names = 8 + 1024
  const offsets = names + count * (wanted.length + 4)
  let low = fan(wanted[0]! - 1)
  let high = fan(wanted[0]!) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = names + middle * wanted.length
    const order = wanted.compare(index, at, at + wanted.length)
    if (order === 0) return offsetOf(index, offsets, { middle, count })
    if (order > 0) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

function offsetOf(index: Buffer, offsets: number, { middle, count }: { middle: number; count: number }): number {
  const offset = index.readUInt32BE(offsets + 4 * middle)
  // The highest bit points into a table of offsets beyond 2 GiB.
  if (offset < 0x80000000) return offset
  return Number(index.readBigUInt64BE(offsets + 4 * count + 8 * (offset - 0x80000000)))
}

type Entry =
  | { readonly kind: GitObject["kind"]; readonly content: Buffer }
  | { readonly kind: "offset"; readonly distance: number; readonly content: Buffer }
  | { readonly kind: "reference"; readonly base: string; readonly content: Buffer }

const kinds: Readonly<Record<number, GitObject["kind"]>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" }

type ReadSlice = (from: number, length: number) => Buffer

function readEntry(read: ReadSlice, offset: number, hashBytes: number): Entry {
  const head = read(offset, 64)
  let at = 0
  let byte = head.readUInt8(at++)
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let scale = 16; byte & 128; scale *= 128) {
    byte = head.readUInt8(at++)
    size += (byte & 127) * scale
  }
  if (size > maxBytes) throw new RangeError("the object is too large")
  // Deflate never makes more of its input than this; what follows belongs to the next entry.
  const content = () => inflateSync(read(offset + at, size + (size >> 8) + 64), { maxOutputLength: maxBytes })
  const kind = kinds[type]
  if (kind) return { kind, content: content() }
  if (type === 7) {
    const base = head.toString("hex", at, at + hashBytes)
    at += hashBytes
    return { kind: "reference", base, content: content() }
  }
  if (type !== 6) throw new RangeError("the pack is damaged")
  byte = head.readUInt8(at++)
  let distance = byte & 127
  while (byte & 128) {
    byte = head.readUInt8(at++)
    distance = (distance + 1) * 128 + (byte & 127)
  }
  if (distance <= 0) throw new RangeError("the pack is damaged")
  return { kind: "offset", distance, content: content() }
}

function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0
  const number = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = delta.readUInt8(at++)
      value += (byte & 127) * shift
      if (!(byte & 128)) return value
    }
  }
  const sourceSize = number()
  const size = number()
  if (sourceSize !== base.length || size > maxBytes) throw new RangeError("the delta does not fit")
  const result = Buffer.alloc(size)
  let filled = 0
  while (at < delta.length) {
    const code = delta.readUInt8(at++)
    if (code & 128) {
      const field = (bits: number, first: number) => {
        let value = 0
        for (let bit = 0; bit < bits; bit++) if (code & (first << bit)) value += delta.readUInt8(at++) * 256 ** bit
        return value
      }
      const from = field(4, 1)
      const length = field(3, 16) || 0x10000
      if (from + length > base.length || filled + length > size) throw new RangeError("the delta does not fit")
      filled += base.copy(result, filled, from, from + length)
    } else {
      if (code === 0 || filled + code > size) throw new RangeError("the delta does not fit")
      filled += delta.copy(result, filled, at, at + code)
      at += code
    }
  }
  if (filled !== size) throw new RangeError("the delta does not fit")
  return result
}

function slice(descriptor: number, from: number, length: number): Buffer {
  if (from < 0) throw new RangeError("the pack is damaged")
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from))
}
