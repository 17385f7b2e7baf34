import type { NewlineUnit } from "@haft/contract"
import { type FileIdentity, sameIdentity } from "../ledger.js"

/** The smallest distance between two marks: what a deep read looks through at most. */
const smallestStride = 64 * 1024
/** Marks a file may have: above it the marks are further apart, so that memory stays bounded. */
const maxMarks = 16 * 1024

/** How many line breaks are before certain places of one file, learnt while reading. */
export interface LineIndex {
  readonly unit: NewlineUnit
  /** Distance between two marks, a power of two. */
  readonly stride: number
  /** The mark from which to look for the beginning of a line. */
  before(line: number): Mark
  /** Remembers a mark; ignored unless it is the next one. */
  learn(mark: Mark): void
  /** The furthest mark. */
  last(): Mark
}

/** A place in a file and the line breaks before it. */
interface Mark {
  readonly offset: number
  readonly newlines: number
}

/** An index that knows nothing yet. */
export function createLineIndex(size: number, unit: NewlineUnit): LineIndex {
  let stride = smallestStride
  while (size / stride > maxMarks) stride *= 2
  const counts = [0]
  const markAt = (index: number): Mark => ({ offset: index * stride, newlines: counts[index]! })
  return {
    unit,
    stride,
    before(line) {
      // The wanted line begins behind its line break, which is behind the last mark with fewer breaks.
      let low = 0
      let high = counts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (counts[middle]! < line) low = middle
        else high = middle - 1
      }
      return markAt(low)
    },
    learn({ offset, newlines }) {
      if (offset === counts.length * stride) counts.push(newlines)
    },
    last: () => markAt(counts.length - 1),
  }
}

/** Files whose index is kept at a time. */
const maxFiles = 64
/** How many bytes at the beginning and before the last mark tell whether a file was only appended to. */
const sampleBytes = 1024

/** Reads bytes of the file that an index is wanted for. */
type ReadBytes = (offset: number, length: number) => Promise<Buffer>

interface Entry {
  readonly identity: FileIdentity
  readonly index: LineIndex
  readonly samples?: Samples
}

interface Samples {
  readonly head: Buffer
  readonly tail: Buffer
  readonly tailOffset: number
}

/** The line indexes of a session; the least recently used files leave it first. */
export class LineIndexCache {
  private readonly entries = new Map<string, Entry>()

  /** The index for this very state of a file; of a file that was only appended to, the old one. */
  async find(identity: FileIdentity, unit: NewlineUnit, read: ReadBytes): Promise<LineIndex> {
    const key = keyOf(identity, unit)
    const known = this.entries.get(key)
    const usable = known && (sameIdentity(known.identity, identity) || (await wasAppended(known, identity, read)))
    const index = usable ? known.index : createLineIndex(identity.size, unit)
    this.keep(key, usable ? { ...known, identity } : { identity, index })
    return index
  }

  /** Takes the samples by which an appended file is recognised later. */
  async sample(identity: FileIdentity, index: LineIndex, read: ReadBytes): Promise<void> {
    const key = keyOf(identity, index.unit)
    const known = this.entries.get(key)
    const { offset } = index.last()
    const tailOffset = Math.max(0, offset - sampleBytes)
    if (known?.index !== index || offset === 0 || known.samples?.tailOffset === tailOffset) return
    const samples = {
      head: await read(0, sampleBytes),
      tail: await read(tailOffset, offset - tailOffset),
      tailOffset,
    }
    if (this.entries.get(key)?.index === index) this.keep(key, { identity, index, samples })
  }

  private keep(key: string, entry: Entry): void {
    this.entries.delete(key)
    this.entries.set(key, entry)
    if (this.entries.size > maxFiles) this.entries.delete(this.entries.keys().next().value!)
  }
}

async function wasAppended({ identity: old, samples }: Entry, now: FileIdentity, read: ReadBytes): Promise<boolean> {
  if (!samples || now.size < old.size) return false
  const head = await read(0, samples.head.length)
  const tail = await read(samples.tailOffset, samples.tail.length)
  return head.equals(samples.head) && tail.equals(samples.tail)
}

function keyOf({ device, inode }: FileIdentity, unit: NewlineUnit): string {
  return `${device}:${inode}:${unit}`
}
