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
