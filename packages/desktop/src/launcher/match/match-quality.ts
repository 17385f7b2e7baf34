import type { PackedTexts } from "./item-table.js"
import type { PreparedQuery, QueryWord } from "./prepare.js"

/**
 * How well a query fits a text: 1 for the same name, 0 for no match. In falling order: the end of the path with the whole
 * name, the beginning of the name, the beginning of a word in it, any place in it, a place in the folders before it, its
 * letters in order with others between. Below `floor` the answer may be 0: what cannot count is not worked out.
 */
export function matchQuality(texts: PackedTexts, text: number, query: PreparedQuery, floor: number): number {
  if ((texts.masks[text]! & query.mask) !== query.mask) return 0
  const { whole, words } = query
  if (words.length === 0) return wordQuality(texts, text, whole, floor)
  return wholeQuality(texts, text, whole, floor) || wordsQuality(texts, text, words, floor)
}

/** The same for the words of a query, each wherever it may be. They never beat the same words as they were written. */
export function wordsQuality(texts: PackedTexts, text: number, words: readonly QueryWord[], floor: number): number {
  if (floor > apart) return 0
  let sum = 0
  for (let index = 0; index < words.length; index++) {
    const quality = wordQuality(texts, text, words[index]!, 0)
    sum += quality
    // The words that follow can add 1 each.
    if (quality === 0 || (apart * (sum + words.length - 1 - index)) / words.length < floor) return 0
  }
  return (apart * sum) / words.length
}

const apart = 0.9

function wordQuality(texts: PackedTexts, text: number, word: QueryWord, floor: number): number {
  const inName = nameQuality(texts, text, word, floor)
  if (inName > 0) return inName
  // Most texts end here: without its letters in order a word is nowhere, neither whole nor scattered.
  if (endInOrder(texts, text, word.codes, texts.begins[text]!) < 0) return 0
  return pathQuality(texts, text, word, floor) || scatteredQuality(texts, text, word, floor)
}

/** The same for a word, or for words as they were written, all in one place. */
export function wholeQuality(texts: PackedTexts, text: number, word: QueryWord, floor: number): number {
  return nameQuality(texts, text, word, floor) || pathQuality(texts, text, word, floor)
}

function nameQuality(texts: PackedTexts, text: number, { codes: word, mask }: QueryWord, floor: number): number {
  if ((texts.nameMasks[text]! & mask) !== mask) return 0
  const name = texts.names[text]!
  const end = texts.ends[text]!
  // Where only the beginning can count there is one place to look at.
  let at = indexOf(texts.codes, word, name, floor > bestInName ? Math.min(end, name + word.length) : end)
  if (at < 0) return 0
  const share = word.length / (end - name)
  if (at === name) return share === 1 ? 1 : 0.85 + 0.1 * share
  while (at >= 0 && texts.wordStarts[at] === 0) at = indexOf(texts.codes, word, at + 1, end)
  return (at >= 0 ? 0.7 : 0.55) + 0.1 * share
}

const bestInName = 0.8

function pathQuality(texts: PackedTexts, text: number, { codes: word }: QueryWord, floor: number): number {
  const begin = texts.begins[text]!
  const name = texts.names[text]!
  const end = texts.ends[text]!
  if (begin === name) return 0
  // Only what is longer than the name can be the end of the path.
  const coversName = word.length > end - name
  if (!coversName && floor > bestInFolders) return 0
  const at = indexOf(texts.codes, word, begin, end)
  if (at < 0) return 0
  const share = word.length / (end - begin)
  const startsWord = texts.wordStarts[at] === 1
  if (coversName && at + word.length === end && startsWord) return share === 1 ? 1 : 0.95 + 0.04 * share
  return (startsWord ? 0.42 : 0.37) + 0.05 * share
}

const bestInFolders = 0.47

/** The same for letters in order with others between them: in the name if they are all there, otherwise in the path. */
export function scatteredQuality(texts: PackedTexts, text: number, word: QueryWord, floor: number): number {
  const { codes, mask } = word
  if (codes.length < 2 || floor > bestScattered) return 0
  const name = texts.names[text]!
  const inName = (texts.nameMasks[text]! & mask) === mask ? scatteredFrom(texts, text, codes, name) : 0
  if (inName > 0 || texts.begins[text] === name || floor > inPath * bestScattered) return inName
  return inPath * scatteredFrom(texts, text, codes, texts.begins[text]!)
}

/** No match of scattered letters is better. */
export const bestScattered = 0.35
const inPath = 0.6

function scatteredFrom(texts: PackedTexts, text: number, word: Uint16Array, from: number): number {
  const { codes, wordStarts } = texts
  const last = endInOrder(texts, text, word, from)
  if (last < 0) return 0
  // Back from the end: the letters that are closest together.
  let good = 0
  let at = last + 1
  for (let index = word.length - 1; index >= 0; index--) {
    const after = at--
    while (codes[at] !== word[index]) at--
    if (wordStarts[at] === 1 || (index < word.length - 1 && at === after - 1)) good += 1
  }
  const density = word.length / (last - at + 1)
  const order = good / word.length
  // Letters that are spread thinly over a long text say nothing.
  return order + density < 0.8 ? 0 : 0.05 + 0.15 * (order + density)
}

/** Where the last letter is when the letters are taken in order, each as early as can be; -1 when one is missing. */
function endInOrder({ codes, ends }: PackedTexts, text: number, word: Uint16Array, from: number): number {
  const end = ends[text]!
  let next = 0
  for (let at = from; at < end; at++) if (codes[at] === word[next] && ++next === word.length) return at
  return -1
}

function indexOf(codes: Uint16Array, word: Uint16Array, from: number, end: number): number {
  const first = word[0]!
  const length = word.length
  const last = end - length
  for (let at = from; at <= last; at++) {
    if (codes[at] !== first) continue
    let same = 1
    while (same < length && codes[at + same] === word[same]) same++
    if (same === length) return at
  }
  return -1
}
