/** A text that can be found. */
export interface PreparedText {
  /** As it is written. */
  readonly written: string
  /** Small letters without accents, unit for unit as long as what is written. */
  readonly folded: string
  /** Where the name itself begins: after the folders of a path, otherwise 0. */
  readonly start: number
}

/** Prepares a name, or a path whose last part is the name. */
export function prepareText(written: string, start = 0): PreparedText {
  return { written, folded: foldText(written), start }
}

/** Small letters without accents; the length stays, so that places in both texts are the same. */
export function foldText(written: string): string {
  const small = written.toLowerCase()
  if (isAscii.test(small)) return small
  let folded = ""
  for (let at = 0; at < written.length; at++) folded += foldUnit(written[at]!)
  return folded
}

const isAscii = /^[\x00-\x7f]*$/

function foldUnit(unit: string): string {
  const plain = unit.normalize("NFD")[0]!.toLowerCase()
  return plain.length === 1 ? plain : unit
}

/** Which characters occur, one bit for each class: a text that lacks one of a query's classes cannot match it. */
export function classBit(code: number): number {
  return code < 128 ? asciiBits[code]! : 1 << (30 + (code & 1))
}

// A bit for each letter; digits and signs share what is left.
const asciiBits = Int32Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  return code >= 48 && code <= 57 ? 1 << (26 + (code & 1)) : 1 << (28 + (code & 1))
})

/** A word of a query as character codes. */
export interface QueryWord {
  readonly text: string
  readonly codes: Uint16Array
  readonly mask: number
}

/** A query in the form in which it is compared. */
export interface PreparedQuery {
  /** All of it, as it was written. */
  readonly whole: QueryWord
  /** Its words, where it has several: each must be found, in any order. Otherwise empty. */
  readonly words: readonly QueryWord[]
  /** Classes of the characters of all words. */
  readonly mask: number
}

/** Prepares a query; undefined when there is nothing in it to look for. */
export function prepareQuery(query: string): PreparedQuery | undefined {
  const folded = foldText(query.trim())
  if (folded === "") return undefined
  // The longest first: it is the one that most texts lack.
  const words = [...new Set(folded.split(/\s+/))].sort((one, other) => other.length - one.length).map(wordOf)
  const mask = words.reduce((bits, word) => bits | word.mask, 0)
  return { whole: wordOf(folded), words: words.length > 1 ? words : [], mask }
}

function wordOf(folded: string): QueryWord {
  const codes = Uint16Array.from(folded, (_, at) => folded.charCodeAt(at))
  return { text: folded, codes, mask: codes.reduce((bits, code) => bits | classBit(code), 0) }
}
