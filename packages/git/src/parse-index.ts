/** Names in an index, sorted: the bytes from `starts[i]` to `ends[i]`. */
export interface IndexNames {
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** False when more names are elsewhere: in the base of a split index, below collapsed directories of a sparse one. */
  readonly complete: boolean
}

/** Bytes of an entry before its object name (gitformat-index: ten 32-bit fields). */
const statBytes = 40
const extendedFlag = 0x4000

/**
 * Reads the names of a git index of version 2, 3 or 4; undefined for anything else. Only offsets are stored, so that
 * even an index of hundreds of thousands of files takes a few milliseconds.
 */
export function parseIndex(bytes: Buffer, hashBytes: 20 | 32): IndexNames | undefined {
  if (bytes.length < 12 + hashBytes || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  const end = bytes.length - hashBytes
  // Every entry has at least its fixed part: a false count must not make a huge table.
  if (count > end / (statBytes + hashBytes)) return undefined
  const table = { starts: new Uint32Array(count), ends: new Uint32Array(count) }
  if (version === 2 || version === 3) return readPlain(bytes, { ...table, hashBytes, end })
  return version === 4 ? readCompressed(bytes, { ...table, hashBytes, end }) : undefined
}

interface Reading {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly hashBytes: number
  readonly end: number
}

/** Versions 2 and 3: whole names, entries padded to multiples of eight bytes. */
function readPlain(bytes: Buffer, { starts, ends, hashBytes, end }: Reading): IndexNames | undefined {
  let at = 12
  for (let index = 0; index < starts.length; index++) {
    const start = nameStart(bytes, at, hashBytes)
    const stop = bytes.indexOf(0, start)
    if (stop === -1 || stop >= end) return undefined
    starts[index] = start
    ends[index] = stop
    at += (stop - at + 8) & ~7
  }
  return { bytes, starts, ends, complete: isComplete(bytes, at, end) }
}

/** Version 4: each name says how much of the end of the one before it replaces. */
function readCompressed(bytes: Buffer, { starts, ends, hashBytes, end }: Reading): IndexNames | undefined {
  const names: Buffer[] = []
  let name = Buffer.alloc(0)
  let at = 12
  let length = 0
  for (let index = 0; index < starts.length; index++) {
    const { value: dropped, next } = readOffset(bytes, nameStart(bytes, at, hashBytes))
    const stop = bytes.indexOf(0, next)
    if (stop === -1 || stop >= end || dropped > name.length) return undefined
    name = Buffer.concat([name.subarray(0, name.length - dropped), bytes.subarray(next, stop)])
    names.push(name)
    starts[index] = length
    length += name.length
    ends[index] = length
    at = stop + 1
  }
  return { bytes: Buffer.concat(names), starts, ends, complete: isComplete(bytes, at, end) }
}

/** Looks through the extensions behind the entries: a name and a length each. */
function isComplete(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (["link", "sdir"].includes(bytes.toString("latin1", at, at + 4))) return false
  }
  return true
}

function nameStart(bytes: Buffer, entry: number, hashBytes: number): number {
  const flagsAt = entry + statBytes + hashBytes
  return flagsAt + (bytes.readUInt16BE(flagsAt) & extendedFlag ? 4 : 2)
}

/** The variable-width number of pack offsets: every continuation adds one. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let next = from
  let byte = bytes.readUInt8(next++)
  let value = byte & 127
  while (byte & 128) {
    byte = bytes.readUInt8(next++)
    value = (value + 1) * 128 + (byte & 127)
  }
  return { value, next }
}
