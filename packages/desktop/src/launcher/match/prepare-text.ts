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
