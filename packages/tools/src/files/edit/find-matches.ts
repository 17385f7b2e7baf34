import { findOccurrences } from "./find-occurrences.js"
import { type Folding, fold, hasPunctuation } from "./fold.js"
import { findReindented } from "./reindent.js"

/** A place to replace, in code units of the content, and what to put there. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The places that the first successful step found. */
export interface Found {
  readonly matches: readonly Match[]
  /** What the step disregarded; undefined when the text was there exactly. */
  readonly normalised?: string
}

/** What to look for. */
export interface Wanted {
  readonly oldString: string
  readonly newString: string
  readonly replaceAll: boolean
}

interface NamedFolding extends Folding {
  readonly name: string
  /** Whether it would change the text more than the step before; a quick look that spares most files the folding. */
  readonly matters: (text: string) => boolean
}

const foldings: readonly NamedFolding[] = [
  { name: "line endings", trailingBlanks: false, punctuation: false, matters: (text) => text.includes("\r") },
  {
    name: "trailing blanks",
    trailingBlanks: true,
    punctuation: false,
    matters: (text) => /[ \t](?:[\r\n]|$)/.test(text),
  },
  { name: "Unicode punctuation and spaces", trailingBlanks: true, punctuation: true, matters: hasPunctuation },
]

/**
 * Finds a text by steps that each disregard a little more, and stops at the first step that finds it.
 * Every step is a normalisation: equal after it or not found. Nothing is ever taken because it is similar.
 */
export function findMatches(content: string, wanted: Wanted): Found | undefined {
  // No step changes letters, so a file without the longest word of the text is done with at once.
  if (!content.includes(longestWord(wanted.oldString))) return undefined
  const found = findExactly(content, wanted) ?? findFolded(content, wanted) ?? findIndented(content, wanted)
  if (found !== undefined) return found
  const stripped = stripLineNumbers(wanted.oldString, wanted.newString)
  if (stripped === undefined) return undefined
  const bare = { oldString: stripped.wanted, newString: stripped.replacement, replaceAll: wanted.replaceAll }
  const inner = findExactly(content, bare) ?? findFolded(content, bare) ?? findIndented(content, bare)
  if (inner === undefined) return undefined
  const names = ["line numbers", ...(inner.normalised === undefined ? [] : [inner.normalised])]
  return { matches: inner.matches, normalised: names.join(" and ") }
}

function findExactly(content: string, { oldString, newString, replaceAll }: Wanted): Found | undefined {
  const places = findOccurrences(content, oldString, { overlapping: !replaceAll })
  if (places.length === 0) return undefined
  return { matches: places.map((start) => ({ start, end: start + oldString.length, text: newString })) }
}

function findFolded(content: string, { oldString, newString, replaceAll }: Wanted): Found | undefined {
  for (const folding of foldings) {
    if (!folding.matters(content) && !folding.matters(oldString)) continue
    const asked = fold(oldString, folding)
    if (asked.text === "") continue
    const file = fold(content, folding)
    // Blanks at the end of the asked text were the end of a line, so the match must end one.
    const accepts = (end: number) => !asked.endedInBlanks || end === file.text.length || file.text[end] === "\n"
    const places = findOccurrences(file.text, asked.text, { overlapping: !replaceAll, accepts })
    if (places.length === 0) continue
    const matches = places.map((place) => ({
      start: file.startOf(place),
      end: file.endOf(place + asked.text.length, asked.endedInBlanks),
      text: newString,
    }))
    return { matches, normalised: folding.name }
  }
  return undefined
}

function findIndented(content: string, { oldString, newString, replaceAll }: Wanted): Found | undefined {
  const matches = findReindented(content, oldString, { replacement: newString, overlapping: !replaceAll })
  return matches.length === 0 ? undefined : { matches, normalised: "indentation" }
}

function longestWord(text: string): string {
  let longest = ""
  for (const [word] of text.matchAll(/[A-Za-z_]+/g)) if (word.length > longest.length) longest = word
  return longest
}

/** The same two texts without the line numbers that a reader prints before each line. */
interface Stripped {
  readonly wanted: string
  readonly replacement: string
}

/** What readers and searches put between a line number and the line. */
const separators = ["\t", "→", " | ", "|", ": ", ":"]

/**
 * Takes away line numbers when every line of `wanted` begins with one and they count up by one.
 * The replacement loses them too; one that is numbered only in part is not understood.
 */
function stripLineNumbers(wanted: string, replacement: string): Stripped | undefined {
  for (const separator of separators) {
    const lines = wanted.split("\n")
    if (lines.length > 1 && lines.at(-1) === "") lines.pop()
    const numbered = lines.map((line) => splitNumber(line, separator))
    if (!numbered.every((line, index) => line !== undefined && line.number === numbered[0]!.number + index)) continue
    const stripped =
      numbered.map((line) => line!.text).join("\n") + (wanted.endsWith("\n") && lines.length > 0 ? "\n" : "")
    const replaced = stripReplacement(replacement, separator)
    if (replaced === undefined || stripped === "") return undefined
    return { wanted: stripped, replacement: replaced }
  }
  return undefined
}

function stripReplacement(replacement: string, separator: string): string | undefined {
  const lines = replacement.split("\n")
  const numbered = lines.map((line) => splitNumber(line, separator))
  const filled = lines.filter((line) => line.trim() !== "").length
  const hits = numbered.filter((line) => line !== undefined).length
  if (hits === 0) return replacement
  if (hits < filled) return undefined
  return lines.map((line, index) => numbered[index]?.text ?? line).join("\n")
}

function splitNumber(line: string, separator: string): { readonly number: number; readonly text: string } | undefined {
  const digits = /^[ \t]*(\d{1,9})/.exec(line)
  if (digits === null) return undefined
  const rest = line.slice(digits[0].length)
  const number = Number(digits[1])
  if (rest.startsWith(separator)) return { number, text: rest.slice(separator.length) }
  // The blank line of a listing loses its separator when blanks are trimmed.
  return rest.trim() === "" && separator.trim() === "" ? { number, text: "" } : undefined
}
