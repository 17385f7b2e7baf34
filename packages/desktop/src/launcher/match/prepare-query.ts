import { classBit, foldText } from "./prepare-text.js"

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
