import type { Say } from "./say.js"
import { filledIn } from "./say.js"

/** Texts in another language by the English ones; both have the same holes, as `{name}`, and `{{` for a brace. */
export type Catalogue = Readonly<Record<string, string>>

/** Holes that hold a word of ours, for instance a verb. In others one word may be a value that happens to be such a word. */
export const wordHoles: ReadonlySet<string> = new Set(["action", "what"])

/** Holes that hold names, joined by words of ours. */
const listHoles: ReadonlySet<string> = new Set(
  "choices key keys known names near others programs runtimeNames shown tool tools value".split(" "),
)

/** Holes that hold what a call says: it is shown as it is, also where it looks like a text of ours. */
const valueHoles: ReadonlySet<string> = new Set(
  "command describeSubject differs formatRule host matches named nameOf path pattern ruleText shorten".split(" "),
)

/** Speaks with the words of a catalogue. */
export function sayFrom(catalogue: Catalogue): Say {
  const translated = Object.entries(catalogue).filter(([, text]) => text !== "")
  const entries = translated.map(([english, text]) => entryOf(english, text))
  const byWords = new Map(entries.map((entry) => [keyOf(entry.words), entry]))
  // The one with most words of its own wins: it says more exactly what was meant.
  const patterns = entries.filter(({ words }) => words.length > 1).sort((a, b) => b.length - a.length)
  return (words: TemplateStringsArray | string, ...values: readonly unknown[]) => {
    if (typeof words === "string") return translate(words, { byWords, patterns }, 0) ?? words
    const entry = byWords.get(keyOf(words))
    return entry ? fill(entry, values.map(String)) : filledIn(words, values)
  }
}

interface Entry {
  /** The English words around the holes. */
  readonly words: readonly string[]
  /** How many characters they have. */
  readonly length: number
  /** The translated words around its holes, and which hole of the English text each is. */
  readonly translated: readonly string[]
  readonly order: readonly number[]
  readonly holds: readonly Held[]
}

/** What is in a hole: quoted ones hold values, others may hold a sentence, a word of ours or names that are joined by words. */
type Held = "value" | "sentence" | "word" | "names"

interface Known {
  readonly byWords: ReadonlyMap<string, Entry>
  readonly patterns: readonly Entry[]
}

function entryOf(english: string, translated: string): Entry {
  const { words, names } = partsOf(english)
  const other = partsOf(translated)
  return {
    words,
    length: words.join("").length,
    translated: other.words,
    order: other.names.map((name) => names.indexOf(name)),
    holds: names.map((numbered, index) => {
      const name = numbered.replace(/\d+$/, "")
      const isQuoted = words[index]!.endsWith('"') && words[index + 1]!.startsWith('"')
      if (isQuoted || valueHoles.has(name)) return "value"
      return wordHoles.has(name) ? "word" : listHoles.has(name) ? "names" : "sentence"
    }),
  }
}

/** A text taken apart: the words, and the names of the holes between them. */
export function partsOf(text: string): { readonly words: readonly string[]; readonly names: readonly string[] } {
  const words = [""]
  const names: string[] = []
  for (const [piece, name] of text.matchAll(/\{\{|\}\}|\{(\w+)\}|[^{}]+/g)) {
    if (name === undefined) words[names.length] += piece.length === 2 && /[{}]/.test(piece) ? piece[0]! : piece
    else words[names.push(name)] = ""
  }
  return { words, names }
}

function keyOf(words: readonly string[]): string {
  return words.join("\0")
}

// A text with more is no message. Sentences in sentences go this deep.
const maxLength = 10_000
const maxDepth = 4

/** A finished text in the other language; undefined where it is not known. */
function translate(text: string, known: Known, depth: number): string | undefined {
  if (text.length > maxLength || depth > maxDepth) return undefined
  const whole = known.byWords.get(text)
  if (whole?.words.length === 1 && (depth === 0 || isSentence(whole))) return fill(whole, [])
  const steps = parted(text, known, depth, { at: ". ", joined: "。", isWhole: true })
  if (steps !== undefined) return steps
  for (const entry of known.patterns) {
    if (!isSentence(entry) && (depth > 0 || !beginsSentence(entry))) continue
    const values = match(text, entry)
    if (values) return fill(entry, inHoles(values, entry, known, depth))
  }
  return (
    parted(text, known, depth, { at: "\n", joined: "\n" }) ?? parted(text, known, depth, { at: "; ", joined: "；" })
  )
}

function inHoles(values: readonly string[], { holds }: Entry, known: Known, depth: number): readonly string[] {
  return values.map((value, index) => {
    if (holds[index] === "value") return value
    const word = holds[index] === "word" ? known.byWords.get(value) : undefined
    if (word?.words.length === 1) return fill(word, [])
    return translate(value, known, depth + 1) ?? (holds[index] === "names" ? listed(value) : value)
  })
}

/** Names that are joined by words; what is inside of quotes is a part of a name. */
function listed(value: string): string {
  if (!/^(?:"(?:[^"\\]|\\.)*"|[^\s"]+)(?:(?:, | or | and )(?:"(?:[^"\\]|\\.)*"|[^\s"]+))+$/.test(value)) return value
  return value.replace(/("(?:[^"\\]|\\.)*")| (or|and) /g, (_all, quoted: string | undefined, word: string) =>
    quoted === undefined ? (word === "or" ? " 或 " : " 和 ") : quoted,
  )
}

/** Whether these words distinguish a finished text from others. */
export function isRecognizable(english: string): boolean {
  const entry = entryOf(english, english)
  return entry.words.length === 1 || isSentence(entry) || beginsSentence(entry)
}

/** Whether a text has several words. One word may be a value that happens to be a word of ours. */
function isSentence({ words }: Entry): boolean {
  return /\S \S/.test(words.join(" ").trim())
}

/** `Use {tool}` and `note: {text}` are whole texts, `{name} in {file}` is in the middle of many others. */
function beginsSentence({ words }: Entry): boolean {
  return /^(?:[A-Z]\w|\w+:)/.test(words[0]!)
}

interface Parting {
  readonly at: string
  readonly joined: string
  /** Whether every part must be known: a stop may be inside of a value. */
  readonly isWhole?: true
}

// More are no steps, and each is looked up.
const maxParts = 12

/** A text of several, each by itself: steps are joined by stops, details by line breaks. */
function parted(text: string, known: Known, depth: number, { at, joined, isWhole }: Parting): string | undefined {
  const parts = text.split(at, maxParts + 1)
  if (parts.length === 1 || parts.length > maxParts) return undefined
  const translated = parts.map((part) => translate(part, known, depth))
  const isKnown = (part: string | undefined) => part !== undefined
  const isTranslated = isWhole ? translated.every(isKnown) : translated.some(isKnown)
  return isTranslated ? translated.map((part, index) => part ?? parts[index]).join(joined) : undefined
}

/** What is in the holes when a text has these words. Words are looked for one after the other, so time is linear. */
function match(text: string, { words, order }: Entry): readonly string[] | undefined {
  const first = words[0]!
  const last = words.at(-1)!
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined
  const end = text.length - last.length
  const inner = words.slice(1, -1)
  const starts: number[] = []
  let at = first.length
  for (const word of inner) {
    const found = text.indexOf(word, at)
    if (found < 0 || found + word.length > end) return undefined
    starts.push(found)
    at = found + word.length
  }
  // Where a value has the same words, it is not certain what is in which hole: they must not change places then.
  const keepsOrder = order.length === words.length - 1 && order.every((hole, index) => hole === index)
  if (!keepsOrder && !isOnlyWay(text, inner, starts, end)) return undefined
  const froms = [first.length, ...starts.map((start, index) => start + inner[index]!.length)]
  return froms.map((from, index) => text.slice(from, starts[index] ?? end))
}

/** Whether the words are at the same places when they are looked for from the end. */
function isOnlyWay(text: string, words: readonly string[], starts: readonly number[], end: number): boolean {
  let before = end
  for (const [index, word] of [...words.entries()].reverse()) {
    if (text.lastIndexOf(word, before - word.length) !== starts[index]) return false
    before = starts[index]!
  }
  return true
}

function fill({ translated, order }: Entry, values: readonly string[]): string {
  return filledIn(
    translated,
    order.map((hole) => values[hole] ?? ""),
  )
}
