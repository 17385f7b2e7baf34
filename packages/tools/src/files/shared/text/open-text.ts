import { ToolError } from "@haft/contract"
import { type CharacterMap, evenMap, recordWidths } from "./character-map.js"
import { legacyCodec } from "./codec.js"
import { type DetectedEncoding, detectEncoding, isLegacy, type LegacyEncoding } from "./encoding.js"
import { characterSize } from "./utf8.js"

/** A decoded file that knows which bytes each character came from. */
export interface Text extends DetectedEncoding, CharacterMap {
  /** All characters after the byte order mark; a byte that belongs to none is U+FFFD. */
  readonly content: string
}

/** Opens the bytes of a text file, in a known encoding or in the one that they seem to have. Binary is `unsupported`. */
export async function openText(bytes: Uint8Array, known?: DetectedEncoding): Promise<Text> {
  const detected = known ?? (await detectEncoding(bytes))
  if (detected === "binary") {
    throw new ToolError("unsupported", "Cannot open the file as text: its bytes are binary")
  }
  const { content, map } = await decode(bytes, detected)
  return { ...detected, content, ...map }
}

interface Decoded {
  readonly content: string
  readonly map: CharacterMap
}

async function decode(bytes: Uint8Array, { encoding, bomBytes }: DetectedEncoding): Promise<Decoded> {
  if (isLegacy(encoding)) return decodeLegacy(bytes, encoding)
  if (encoding === "utf-16le" || encoding === "utf-16be") return decodeUtf16(bytes, encoding, bomBytes)
  return decodeUtf8(bytes, bomBytes)
}

function decodeUtf8(bytes: Uint8Array, bomBytes: number): Decoded {
  const body = bytes.subarray(bomBytes)
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const content = decoder.decode(body)
  // One code unit a byte: all ASCII (a stray byte may be alone too, then a U+FFFD is there).
  if (content.length === body.length && !content.includes("\ufffd")) {
    return { content, map: evenMap(content, 1, bomBytes, bytes.length) }
  }
  const widths = recordWidths(body.length)
  const pieces: string[] = []
  let pieceStart = 0
  let at = 0
  while (at < body.length) {
    const size = body[at]! < 0x80 ? 1 : characterSize(body, at)
    if (size > 0) {
      widths.add(size === 4 ? 2 : 1, size)
      at += size
      continue
    }
    // TextDecoder makes one U+FFFD of several stray bytes; here each has its own, so that the map is exact.
    pieces.push(decoder.decode(body.subarray(pieceStart, at)), "\ufffd")
    widths.addUndecodable()
    at += 1
    pieceStart = at
  }
  const map = widths.finish(bomBytes)
  return pieceStart === 0
    ? { content, map }
    : { content: pieces.join("") + decoder.decode(body.subarray(pieceStart)), map }
}

function decodeUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be", bomBytes: number): Decoded {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const unitCount = (bytes.length - bomBytes) >> 1
  const pieces: string[] = []
  // Code units one by one: TextDecoder would replace unpaired surrogates.
  const chunk = new Uint16Array(Math.min(unitCount, 8_192))
  for (let from = 0; from < unitCount; from += chunk.length) {
    const count = Math.min(chunk.length, unitCount - from)
    for (let index = 0; index < count; index += 1) {
      chunk[index] = view.getUint16(bomBytes + 2 * (from + index), encoding === "utf-16le")
    }
    pieces.push(String.fromCharCode(...chunk.subarray(0, count)))
  }
  const oddByte = (bytes.length - bomBytes) % 2 === 1
  const content = pieces.join("") + (oddByte ? "\ufffd" : "")
  return { content, map: evenMap(content, 2, bomBytes, bytes.length) }
}

async function decodeLegacy(bytes: Uint8Array, encoding: LegacyEncoding): Promise<Decoded> {
  const codec = await legacyCodec(encoding)
  const widths = recordWidths(bytes.length * 2)
  codec.measure(bytes, widths)
  return { content: codec.decode(bytes), map: widths.finish(0) }
}

/** The largest text file that read, write, edit and patch take: one bound for all of them. */
export const maxTextBytes = 16 * 1024 * 1024

/** Bytes that take the place of a span. */
export interface ByteEdit {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/** A copy of the bytes with spans replaced; edits are in order and do not overlap. All other bytes are the same. */
export function splice(bytes: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  let length = bytes.length
  for (const edit of edits) length += edit.bytes.length - (edit.end - edit.start)
  const result = new Uint8Array(length)
  let from = 0
  let to = 0
  for (const edit of edits) {
    if (edit.start < from || edit.end < edit.start || edit.end > bytes.length) {
      throw new RangeError(`Cannot replace bytes ${edit.start} to ${edit.end}: the span overlaps another or the end`)
    }
    result.set(bytes.subarray(from, edit.start), to)
    to += edit.start - from
    result.set(edit.bytes, to)
    to += edit.bytes.length
    from = edit.end
  }
  result.set(bytes.subarray(from), to)
  return result
}
