// Controls but tab and line feed, what Unicode lets a program not draw (zero width, direction, fillers, tags, variation
// selectors), line separators, marks of annotations, and a blank that counts as a sign.
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu

/** The first character of a text that a person does not see; undefined when all of it can be seen. */
export function firstHidden(text: string): number | undefined {
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (!belongsToScript(text, index, character)) return character.codePointAt(0)
  }
  return undefined
}

/** How often each character that a person does not see stands in a text, by its code. */
export function hiddenIn(text: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (belongsToScript(text, index, character)) continue
    const code = character.codePointAt(0)!
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return counts
}

/** How a code is written: U+200B. */
export function codeWords(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
}

/** The text with every character that a person would not see written in another way. */
export function replaceHidden(text: string, write: (codePoint: number) => string): string {
  return text.replace(hidden, (character, index: number) =>
    belongsToScript(text, index, character) ? character : write(character.codePointAt(0)!),
  )
}

/** Persian, Indic scripts, ideographs and emoji need joiners and variants of their signs; among Latin letters they only deceive. */
function belongsToScript(text: string, index: number, character: string): boolean {
  const before = text.charCodeAt(index - 1)
  if (/[\u200c\u200d]/.test(character))
    return before > lastLatin && text.charCodeAt(index + character.length) > lastLatin
  if (!variants.test(character)) return false
  const isKeycap = character === "\ufe0f" && text[index + 1] === "\u20e3"
  return (
    isKeycap || /[\u00a9\u00ae]/.test(text[index - 1] ?? "") || (before > lastLatin && !followsVariant(text, index))
  )
}

const lastLatin = 0x2ff
const variants = /[\u180b-\u180d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u

/** One sign has one variant: a row of them is a text that nobody sees. */
function followsVariant(text: string, index: number): boolean {
  return variants.test(text.slice(Math.max(0, index - 2), index))
}
