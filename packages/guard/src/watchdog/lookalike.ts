/** A word that looks Latin and is not. */
export interface Lookalike {
  readonly word: string
  /** The first letter in it that is of another script. */
  readonly letter: string
  readonly code: number
}

// Letters of Cyrillic, Greek and Armenian, and numerals, that most typefaces draw like a Latin one. Small Greek letters are
// left out but for one: they stand beside Latin letters in many formulas.
const alike = new Set("аеорсухѕіјһԁԛԝѵӏкАВЕКМНОРСТУХЅІЈ" + "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օոսհցզ" + "ⅰⅴⅹⅼⅽⅾⅿ")
const anyAlike = new RegExp(`[${[...alike].join("")}]`, "u")

/**
 * The first word in which Latin letters stand beside letters of another script that only look Latin, such as `curl` with a
 * Cyrillic c. A word that also has letters of that script that look like nothing Latin is an ordinary word of its language.
 */
export function firstLookalike(text: string): Lookalike | undefined {
  if (!anyAlike.test(text)) return undefined
  // Word by word, so that a text of one endless word is looked at once.
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{Nl}]+/gu)) {
    if (!anyAlike.test(word) || !/[A-Za-z]/.test(word)) continue
    const foreign = [...word].filter((letter) => !/[\p{Script=Latin}\p{M}]/u.test(letter) || alike.has(letter))
    const [letter] = foreign
    if (letter !== undefined && foreign.every((each) => alike.has(each))) {
      return { word: word.slice(0, maxShown), letter, code: letter.codePointAt(0)! }
    }
  }
  return undefined
}

const maxShown = 60
