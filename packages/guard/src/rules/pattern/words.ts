import { patternError } from "./pattern-problem.js"

/** A word of a command pattern; a quoted star means itself. */
export interface Word {
  readonly text: string
  readonly quoted: boolean
}

/** Splits a command pattern at white space; quotes and backslashes keep words together. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = []
  const pattern = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|([^\s'"\\]+)/y
  let current: { text: string; quoted: boolean } | undefined
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const found = pattern.exec(text)
    if (!found) {
      throw patternError(text, {
        reason: `the quote at character ${at + 1} is not closed`,
        fix: "close it or escape it with a backslash",
      })
    }
    const [, single, double, escaped, plain] = found
    const piece = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain
    if (piece === undefined) {
      if (current) words.push(current)
      current = undefined
    } else {
      current = { text: (current?.text ?? "") + piece, quoted: (current?.quoted ?? false) || plain === undefined }
    }
  }
  if (current) words.push(current)
  return words
}

/** Writes words so that `splitWords` gives them back, as exact words. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ")
}
