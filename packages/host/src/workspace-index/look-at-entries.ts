import { lstatSync, readlinkSync, type Stats } from "node:fs"
import { errnoOf } from "../files/system/errno.js"

/** Numbers of an entry: mode (0: nothing is there), inode, size, both times; names of a file, or device of a directory. */
export const width = 6
export const [modeAt, inoAt, sizeAt, mtimeAt, ctimeAt, otherAt] = [0, 1, 2, 3, 4, 5]
export const [typeBits, fileBits, directoryBits, linkBits] = [0o170000, 0o100000, 0o040000, 0o120000]

/** What a look at the entries of one directory found besides their numbers. */
export interface SeenEntries {
  /** Names of files that have further names. */
  readonly linked: readonly string[]
  /** Where links lead, by name. */
  readonly texts: ReadonlyMap<string, string> | undefined
  /** Some entry could not be looked at. */
  readonly isUnseen: boolean
}

/** Directories to look at. The first look at any of them sets `claim`: another thread then leaves them alone. */
export interface LookRequest {
  /** Place and names of each directory in turn, with NUL between them; the names have slashes between them. */
  readonly text: string
  /** Their numbers go into one row, in this order. */
  readonly numbers: Float64Array
  readonly claim: Int32Array
}

/** What is not in the numbers, by position of the directory; those of which there is no more to say are left out. */
export type LookAnswer = ReadonlyMap<number, SeenEntries>

/** Looks at the entries of directories; undefined where another thread has begun to. */
export function lookAtDirectories({ text, numbers, claim }: LookRequest): LookAnswer | undefined {
  if (Atomics.exchange(claim, 0, 1) !== 0) return undefined
  const parts = text.split("\0")
  const answer = new Map<number, SeenEntries>()
  let offset = 0
  for (let at = 0; at < parts.length; at += 2) {
    const names = parts[at + 1]!.split("/")
    const seen = lookAtEntries(parts[at]!, names, { numbers, offset })
    if (seen.linked.length > 0 || seen.texts || seen.isUnseen) answer.set(at / 2, seen)
    offset += names.length * width
  }
  return answer
}

/** Looks at entries of a directory without opening any. Their numbers are written into a row, from an offset on. */
export function lookAtEntries(
  place: string,
  names: readonly string[],
  row: { readonly numbers: Float64Array; readonly offset: number },
): SeenEntries {
  const linked: string[] = []
  let texts: Map<string, string> | undefined
  let isUnseen = false
  for (let position = 0; position < names.length; position += 1) {
    const name = names[position]!
    try {
      const facts = lstatSync(`${place}/${name}`, { throwIfNoEntry: false })
      if (!facts) continue
      if ((facts.mode & typeBits) === linkBits) {
        texts ??= new Map()
        texts.set(name, readlinkSync(`${place}/${name}`))
      }
      put(row.numbers, row.offset + position * width, facts)
      if (facts.nlink > 1 && (facts.mode & typeBits) === fileBits) linked.push(name)
    } catch (error) {
      if (errnoOf(error) === "EACCES") isUnseen = true
    }
  }
  return { linked, texts, isUnseen }
}

function put(numbers: Float64Array, at: number, { mode, ino, size, mtimeMs, ctimeMs, nlink, dev }: Stats): void {
  numbers[at + modeAt] = mode
  numbers[at + inoAt] = ino
  numbers[at + sizeAt] = size
  numbers[at + mtimeAt] = mtimeMs
  numbers[at + ctimeAt] = ctimeMs
  numbers[at + otherAt] = (mode & typeBits) === directoryBits ? dev : nlink
}
