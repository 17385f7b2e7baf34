import { type Hunk, ToolError } from "@haft/contract"
import { changeHunks, type TextChange } from "../shared/change-hunks.js"
import { encodeText } from "../shared/text/codec.js"
import { detectEncoding, type EncodingName } from "../shared/text/encoding.js"
import {
  bytesAsLines,
  type LineSource,
  lineEndingsOf,
  nearestLineEnding,
  stringAsLines,
  withLineEndings,
} from "../shared/text/lines.js"
import { type ByteEdit, maxTextBytes, openText, splice } from "../shared/text/open-text.js"
import { ambiguous, notFound, notFoundInBinary } from "./conflict.js"
import { type Found, findMatches, type Match, type Wanted } from "./find-matches.js"
import { countedOccurrences } from "./find-occurrences.js"

/** What an edit made of the bytes of a file. */
export interface EditOutcome {
  readonly bytes: Uint8Array
  readonly replacements: number
  readonly firstLine: number
  readonly normalised?: string
  /** The encoding of new text that is not ASCII, when the file does not prove it. */
  readonly guessedEncoding?: EncodingName
  readonly hunks: readonly Hunk[]
}

/** Replaces text in the bytes of a file; all other bytes stay the same. `path` is how messages call the file. */
export async function applyEdit(bytes: Uint8Array, wanted: Wanted, path: string): Promise<EditOutcome> {
  const detected = await detectEncoding(bytes)
  if (detected === "binary") return editBinary(bytes, wanted, path)
  const { encoding, bomBytes } = detected
  const isUtf8 = encoding === "utf-8" || encoding === "utf-8-bom"
  const exact = isUtf8 ? findInBytes(bytes, bomBytes, wanted) : undefined
  if (exact !== undefined) {
    const utf8Span = (start: number, end: number) => ({ start, end })
    return replace(bytes, { source: bytesAsLines(bytes), spanOf: utf8Span, found: exact, wanted, path, ...detected })
  }
  const text = await openText(bytes, detected)
  const found = findMatches(text.content, wanted)
  if (found === undefined) throw notFound(path, text, wanted)
  return replace(bytes, { source: stringAsLines(text.content), spanOf: text.spanOf, found, wanted, path, ...detected })
}

interface Replacing {
  readonly source: LineSource
  /** From places of the source to bytes. */
  readonly spanOf: (start: number, end: number) => { readonly start: number; readonly end: number }
  readonly found: Found
  readonly wanted: Wanted
  readonly path: string
  readonly encoding: EncodingName
  readonly guessed: boolean
}

async function replace(bytes: Uint8Array, replacing: Replacing): Promise<EditOutcome> {
  const { source, found, wanted, path, encoding } = replacing
  if (found.matches.length > 1 && !wanted.replaceAll) throw ambiguous(path, source, found)
  const literal = found.normalised === undefined && differOnlyInLineEndings(wanted)
  const changes = fitToPlace(source, found.matches, { literal })
  const edits: ByteEdit[] = []
  let encoded = { text: "", bytes: new Uint8Array() as Uint8Array }
  for (const { start, end, text } of changes) {
    if (text !== encoded.text) encoded = { text, bytes: await encodeText(text, encoding) }
    edits.push({ ...replacing.spanOf(start, end), bytes: encoded.bytes })
  }
  const result = splice(bytes, edits)
  if (result.length > maxTextBytes) throw tooLarge(path, result.length)
  return {
    bytes: result,
    replacements: changes.length,
    firstLine: source.lineFeedsBefore(changes[0]!.start) + 1,
    ...(found.normalised !== undefined && { normalised: found.normalised }),
    ...(replacing.guessed && !isAscii(wanted.newString) && { guessedEncoding: encoding }),
    hunks: changeHunks(source, changes),
  }
}

/** The common case without decoding: the bytes of the text, searched in the bytes of the file. */
function findInBytes(bytes: Uint8Array, from: number, wanted: Wanted): Found | undefined {
  const { oldString, newString, replaceAll } = wanted
  // Half a surrogate pair has no bytes; the encoder would write a replacement character.
  if (/\p{Surrogate}/u.test(oldString)) return undefined
  const needle = new TextEncoder().encode(oldString)
  const matches = []
  let at = findBytes(bytes, needle, from)
  while (at !== -1 && (replaceAll || matches.length < countedOccurrences)) {
    matches.push({ start: at, end: at + needle.length, text: newString })
    at = findBytes(bytes, needle, at + (replaceAll ? needle.length : 1))
  }
  return matches.length === 0 ? undefined : { matches }
}

/** In a binary file ASCII is ASCII: an exact replacement is safe, anything else would be a guess. */
async function editBinary(bytes: Uint8Array, wanted: Wanted, path: string): Promise<EditOutcome> {
  if (!isAscii(wanted.oldString) || !isAscii(wanted.newString)) {
    throw new ToolError("unsupported", `Cannot edit "${path}": the file is binary and has no known encoding`, {
      hint: "Only ASCII text can be replaced in a binary file",
    })
  }
  const found = findInBytes(bytes, 0, wanted)
  if (found === undefined) throw notFoundInBinary(path)
  const spanOf = (start: number, end: number) => ({ start, end })
  return replace(bytes, {
    ...{ source: bytesAsLines(bytes), spanOf, found, wanted, path },
    ...{ encoding: "latin1", guessed: false },
  })
}

function differOnlyInLineEndings({ oldString, newString }: Wanted): boolean {
  return oldString.replace(/\r\n?/g, "\n") === newString.replace(/\r\n?/g, "\n")
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

function tooLarge(path: string, size: number): ToolError {
  return new ToolError("too_large", `Cannot edit "${path}": it would have ${size} bytes, ${maxTextBytes} are allowed`, {
    hint: "Split the file",
  })
}

/** Gives the line breaks of each new text the ending of the place that it goes to; `literal` keeps them as they are. */
function fitToPlace(
  source: LineSource,
  matches: readonly Match[],
  options: { readonly literal: boolean },
): readonly TextChange[] {
  let previousEnd = 0
  return matches.map((match) => {
    const start = splitsLineBreak(source, match.start) && match.start > previousEnd ? match.start - 1 : match.start
    previousEnd = match.end
    if (options.literal || !match.text.includes("\n")) return { start, end: match.end, text: match.text }
    const replaced = lineEndingsOf(source.slice(start, match.end))
    const nearest = replaced.length === 0 ? nearestLineEnding(source, start, match.end) : undefined
    const endings = nearest === undefined ? replaced : [nearest]
    return { start, end: match.end, text: withLineEndings(match.text, endings) }
  })
}

/** Whether the place is between the two characters of a CRLF: then the whole line break belongs to the match. */
function splitsLineBreak(source: LineSource, place: number): boolean {
  return place > 0 && place < source.length && source.codeAt(place) === 10 && source.codeAt(place - 1) === 13
}

/** Where `wanted`, which is not empty, first occurs at or after `from`; -1 when it does not. */
export function findBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  // Node's file bytes are Buffers, whose indexOf takes a sequence and is native; that of a plain array takes one byte.
  if (hasSequenceSearch(bytes)) return bytes.indexOf(wanted, from)
  return horspool(bytes, wanted, from)
}

interface SequenceSearch {
  indexOf(wanted: Uint8Array, from?: number): number
}

function hasSequenceSearch(bytes: object): bytes is SequenceSearch {
  return "readUInt8" in bytes
}

/** Boyer, Moore and Horspool: skips by the byte under the end of the window. */
function horspool(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const last = wanted.length - 1
  const skip = new Uint32Array(256).fill(wanted.length)
  for (let index = 0; index < last; index += 1) skip[wanted[index]!] = last - index
  let at = from
  while (at + last < bytes.length) {
    let index = last
    while (index >= 0 && bytes[at + index] === wanted[index]) index -= 1
    if (index < 0) return at
    at += skip[bytes[at + last]!]!
  }
  return -1
}
