import { conceals } from "@haft/contract"
import { allow, type Detector, type DetectorVerdict, type WatchdogRequest } from "../run-watchdog.js"

/** Asks when arguments hold characters that make a person see something else than what runs. */
export const hiddenCharacters: Detector = {
  id: "hidden-characters",
  about:
    "Invisible or direction-changing characters and letters that only look Latin in paths, commands, addresses and names; direction overrides and hidden text in content",
  inspect,
}

// Text that is stored or searched may hold nearly anything; what it replaces may even be the bad character itself.
const contentKeys = new Set([
  "content",
  "new_string",
  "body",
  "text",
  "patch",
  "diff",
  "message",
  "prompt",
  "pattern",
  "query",
])
const replacedKeys = new Set(["old_string"])

const maxDepth = 8

function inspect({ arguments: values }: WatchdogRequest): DetectorVerdict {
  const found = findIn(values, "", 0)
  if (!found) return allow
  return { verdict: "ask", reason: `the argument "${found.key}" holds ${found.what}` }
}

interface Found {
  readonly key: string
  readonly what: string
}

function findIn(value: unknown, key: string, depth: number): Found | undefined {
  if (typeof value === "string") return findInText(value, key)
  if (typeof value !== "object" || value === null) return undefined
  if (depth >= maxDepth) return { key, what: "a structure too deep to look through" }
  if (Array.isArray(value)) {
    for (const entry of value) {
      const found = findIn(entry, key, depth + 1)
      if (found) return found
    }
    return undefined
  }
  for (const name in value) {
    const found = findIn((value as Record<string, unknown>)[name], name, depth + 1)
    if (found) return found
  }
  return undefined
}

function findInText(text: string, key: string): Found | undefined {
  if (replacedKeys.has(key)) return undefined
  const isContent = contentKeys.has(key)
  const code = isContent ? misleadingIn(text) : firstHidden(text)
  if (code !== undefined) return { key, what: `${codeWords(code)}, which a person does not see` }
  if (isContent) return isConcealed(text) ? { key, what: "ESC[8m, which hides text on a terminal" } : undefined
  const found = firstLookalike(text)
  return (
    found && { key, what: `"${found.word}", in which ${found.letter} is ${codeWords(found.code)} and no Latin letter` }
  )
}

function isConcealed(text: string): boolean {
  for (const [, parameters] of text.matchAll(/(?:\x1b\[|\x9b)([0-9;]*)m/g)) {
    if (conceals(parameters!)) return true
  }
  return false
}

const directions = /[\u202a-\u202e\u2066-\u2069\n]/g
const anyDirection = /[\u202a-\u202e\u2066-\u2069]/

/** Overrides reverse what is read; embeddings and isolates do harm only when their line ends before they do. */
function misleadingIn(text: string): number | undefined {
  if (!anyDirection.test(text)) return undefined
  const open: number[] = []
  for (const [character] of text.matchAll(directions)) {
    const code = character.charCodeAt(0)
    if (code === 0x202d || code === 0x202e) return code
    if (code === 0x0a) {
      if (open.length > 0) return open[0]
    } else if (code === 0x202c || code === 0x2069) {
      open.pop()
    } else {
      open.push(code)
    }
  }
  return open[0]
}

// Controls but tab and line feed, what Unicode lets a program not draw (zero width, direction, fillers, tags, variation
// selectors), line separators, marks of annotations, and a blank that counts as a sign.
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu

/** The first character of a text that a person does not see; undefined when all of it can be seen. */
function firstHidden(text: string): number | undefined {
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (!belongsToScript(text, index, character)) return character.codePointAt(0)
  }
  return undefined
}

/** How often each character that a person does not see is in a text, by its code. */
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

/** A word that looks Latin and is not. */
export interface Lookalike {
  readonly word: string
  /** The first letter in it that is of another script. */
  readonly letter: string
  readonly code: number
}

// Letters of Cyrillic, Greek and Armenian, and numerals, that most typefaces draw like a Latin one. Small Greek letters are
// left out but for one: they are beside Latin letters in many formulas.
const alike = new Set("аеорсухѕіјһԁԛԝѵӏкАВЕКМНОРСТУХЅІЈ" + "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օոսհցզ" + "ⅰⅴⅹⅼⅽⅾⅿ")
const anyAlike = new RegExp(`[${[...alike].join("")}]`, "u")

/**
 * The first word in which Latin letters are beside letters of another script that only look Latin, such as `curl` with a
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
