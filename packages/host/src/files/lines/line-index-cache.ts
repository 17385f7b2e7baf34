import type { NewlineUnit } from "@haft/contract"
import { type FileIdentity, sameIdentity } from "../system/file-identity.js"
import { createLineIndex, type LineIndex } from "./line-index.js"

/** Files whose index is kept at a time. */
const maxFiles = 64
/** How many bytes at the beginning and before the last mark tell whether a file was only appended to. */
const sampleBytes = 1024

/** Reads bytes of the file that an index is wanted for. */
type ReadBytes = (offset: number, length: number) => Promise<Buffer>

/** The line indexes of a session. */
export interface LineIndexCache {
  /** The index for this very state of a file; of a file that was only appended to, the old one. */
  find(identity: FileIdentity, unit: NewlineUnit, read: ReadBytes): Promise<LineIndex>
  /** Takes the samples by which an appended file is recognised later. */
  sample(identity: FileIdentity, index: LineIndex, read: ReadBytes): Promise<void>
}

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

/** An empty cache; the least recently used files leave it first. */
export function createLineIndexCache(): LineIndexCache {
  const entries = new Map<string, Entry>()
  return { find, sample }

  async function find(identity: FileIdentity, unit: NewlineUnit, read: ReadBytes): Promise<LineIndex> {
    const key = keyOf(identity, unit)
    const known = entries.get(key)
    const usable = known && (sameIdentity(known.identity, identity) || (await wasAppended(known, identity, read)))
    const index = usable ? known.index : createLineIndex(identity.size, unit)
    keep(key, usable ? { ...known, identity } : { identity, index })
    return index
  }

  async function sample(identity: FileIdentity, index: LineIndex, read: ReadBytes): Promise<void> {
    const key = keyOf(identity, index.unit)
    const known = entries.get(key)
    const { offset } = index.last()
    const tailOffset = Math.max(0, offset - sampleBytes)
    if (known?.index !== index || offset === 0 || known.samples?.tailOffset === tailOffset) return
    const samples = {
      head: await read(0, sampleBytes),
      tail: await read(tailOffset, offset - tailOffset),
      tailOffset,
    }
    if (entries.get(key)?.index === index) keep(key, { identity, index, samples })
  }

  function keep(key: string, entry: Entry): void {
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > maxFiles) entries.delete(entries.keys().next().value!)
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
