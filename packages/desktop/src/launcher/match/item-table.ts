import type { IndexedType } from "@haft/contract"
import { createYield } from "@haft/host"
import { classBit, type PreparedText } from "./prepare.js"

/** A thing that the launcher knows. */
export interface IndexedItem {
  readonly id: string
  readonly name: string
  readonly type: IndexedType
  /** The name as it is compared with others of the same score. */
  readonly order: string
  /** Everything it can be found by; the best counts. */
  readonly texts: readonly PreparedText[]
  /** Where it is, for files: judged before it is shown. */
  readonly path?: string
}

/** Things in the form in which they are searched. */
export interface ItemTable {
  readonly items: readonly IndexedItem[]
  /** Place of each id in `items`. */
  readonly places: ReadonlyMap<string, number>
  readonly texts: PackedTexts
  /** For each text, the place of its item; the texts of one item follow each other. */
  readonly owners: Int32Array
}

/** Makes a table, in small steps between which other work can go on; of several items with one id the first counts. */
export async function createItemTable(items: Iterable<IndexedItem>): Promise<ItemTable> {
  const yieldToLoop = createYield()
  const places = new Map<string, number>()
  const kept: IndexedItem[] = []
  const prepared: PreparedText[] = []
  const owners: number[] = []
  for (const item of items) {
    if (places.has(item.id)) continue
    for (const text of item.texts) {
      owners.push(kept.length)
      prepared.push(text)
    }
    places.set(item.id, kept.length)
    kept.push(item)
    if (kept.length % stepLength === 0) await yieldToLoop()
  }
  const texts = emptyTexts(prepared)
  for (const [index, text] of prepared.entries()) {
    packText(texts, index, text)
    if (index % stepLength === 0) await yieldToLoop()
  }
  return { items: kept, places, texts, owners: Int32Array.from(owners) }
}

const stepLength = 100

/** Many texts side by side in memory, so that all of them can be looked through in milliseconds. */
export interface PackedTexts {
  /** All texts, a line each. */
  readonly lines: string
  /** The same as character codes, at the same places. */
  readonly codes: Uint16Array
  /** 1 where a word begins. */
  readonly wordStarts: Uint8Array
  /** For each text, where it begins, where its name begins, and where it ends. */
  readonly begins: Int32Array
  readonly names: Int32Array
  readonly ends: Int32Array
  /** For each text, the classes of its characters, and those of its name. */
  readonly masks: Int32Array
  readonly nameMasks: Int32Array
  /** 1 for each three characters in a row that occur somewhere: a word with others occurs nowhere. */
  readonly threes: Uint8Array
}

/** Makes room for texts; each is then put into its place. */
function emptyTexts(texts: readonly PreparedText[]): PackedTexts {
  const count = texts.length
  const lines = texts.map(({ folded }) => folded).join("\n")
  const { length } = lines
  return {
    lines,
    codes: new Uint16Array(length),
    wordStarts: new Uint8Array(length),
    begins: new Int32Array(count),
    names: new Int32Array(count),
    ends: new Int32Array(count),
    masks: new Int32Array(count),
    nameMasks: new Int32Array(count),
    threes: new Uint8Array(1 << threeBits),
  }
}

/** Whether a word may occur in some text; false is certain. */
export function mayOccur({ threes }: PackedTexts, word: Uint16Array): boolean {
  for (let at = 2; at < word.length; at++) {
    if (threes[threeAt(word, at)] === 0) return false
  }
  return true
}

const threeBits = 16

function threeAt(codes: Uint16Array, last: number): number {
  const three = (codes[last - 2]! << 10) ^ (codes[last - 1]! << 5) ^ codes[last]!
  return Math.imul(three, 0x9e3779b1) >>> (32 - threeBits)
}

/** Puts a text behind the one before it. */
function packText(texts: PackedTexts, index: number, { written, folded, start }: PreparedText): void {
  const { codes, wordStarts, threes } = texts
  const begin = index === 0 ? 0 : texts.ends[index - 1]! + 1
  let mask = 0
  let nameMask = 0
  let before = separator
  for (let offset = 0; offset < folded.length; offset++) {
    const code = folded.charCodeAt(offset)
    codes[begin + offset] = code
    mask |= classBit(code)
    if (offset >= start) nameMask |= classBit(code)
    if (offset >= 2) threes[threeAt(codes, begin + offset)] = 1
    const here = kindOf(written.charCodeAt(offset))
    const startsWord = here !== separator && (before === separator || (here === capital && before !== capital))
    wordStarts[begin + offset] = startsWord ? 1 : 0
    before = here
  }
  texts.begins[index] = begin
  texts.names[index] = begin + start
  texts.ends[index] = begin + folded.length
  texts.masks[index] = mask
  texts.nameMasks[index] = nameMask
}

const separator = 0
const capital = 1
const letter = 2

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return letter
  if (code >= 65 && code <= 90) return capital
  // Digits and everything beyond ASCII count as letters; the rest of ASCII separates words.
  return (code >= 48 && code <= 57) || code > 127 ? letter : separator
}
