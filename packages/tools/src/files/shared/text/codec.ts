import { ToolError } from "@haft/contract"
import type { WidthRecorder } from "./character-map.js"
import { type EncodingName, isLegacy, type LegacyEncoding, longestCharacterBytes } from "./encoding.js"

/** The text of a piece of a file that begins at a character; a byte order mark at its beginning is left out, an undecodable byte is U+FFFD. */
export async function decodeWindow(bytes: Uint8Array, encoding: EncodingName): Promise<string> {
  if (isLegacy(encoding)) return (await legacyCodec(encoding)).decode(bytes)
  if (encoding === "utf-8" || encoding === "utf-8-bom") return utf8.decode(bytes)
  return new TextDecoder(encoding).decode(bytes)
}

// One for all: whole pieces leave nothing behind in a decoder.
const utf8 = new TextDecoder("utf-8")

const utf8Encoder = new TextEncoder()
const loneSurrogate = /\p{Surrogate}/u

/** The bytes of a text, without a byte order mark. A character that the encoding lacks is `unsupported`, by name. */
export async function encodeText(text: string, encoding: EncodingName): Promise<Uint8Array> {
  if (isLegacy(encoding)) return encodeLegacy(text, encoding)
  if (encoding === "utf-16le" || encoding === "utf-16be") return encodeUtf16(text, encoding === "utf-16le")
  const lone = loneSurrogate.exec(text)
  if (lone !== null) throw lacking(lone[0], "UTF-8")
  return utf8Encoder.encode(text)
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < text.length; index += 1) view.setUint16(2 * index, text.charCodeAt(index), littleEndian)
  return bytes
}

async function encodeLegacy(text: string, encoding: LegacyEncoding): Promise<Uint8Array> {
  const codec = await legacyCodec(encoding)
  const bytes = codec.encode(text)
  // Converters write a question mark, or a look-alike, for what an encoding lacks: only a round trip shows it.
  if (codec.decode(bytes) === text && !text.includes("\ufffd")) return bytes
  for (const character of text) {
    if (character === "\ufffd" || codec.decode(codec.encode(character)) !== character)
      throw lacking(character, encoding)
  }
  throw new ToolError("unsupported", `Cannot encode the text as ${encoding}: its characters do not survive together`)
}

function lacking(character: string, encoding: string): ToolError {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
  const shown = loneSurrogate.test(character) ? `U+${code}, half of a pair,` : `"${character}" (U+${code})`
  return new ToolError("unsupported", `Cannot encode ${shown} as ${encoding}: the encoding has no such character`, {
    hint: ["Use other characters", { say: "Convert the file to UTF-8 by writing it anew with {tool:write}" }],
    details: { character: `U+${code}`, encoding },
  })
}

/** Converts between bytes and characters of one encoding that is not Unicode. */
export interface LegacyCodec {
  /** A byte that belongs to no character becomes U+FFFD. */
  decode(bytes: Uint8Array): string
  /** Characters that the encoding lacks come out as something else. */
  encode(text: string): Uint8Array
  /** Records the width of every character that `decode` makes of the bytes. */
  measure(bytes: Uint8Array, widths: WidthRecorder): void
}

const codecs = new Map<LegacyEncoding, LegacyCodec>()

/** Loads the tables of an encoding, once. */
export async function legacyCodec(encoding: LegacyEncoding): Promise<LegacyCodec> {
  const known = codecs.get(encoding)
  if (known !== undefined) return known
  const { default: iconv } = await import("iconv-lite")
  const decode = (bytes: Uint8Array): string => iconv.decode(bytes, encoding, { stripBOM: false })
  const characterUnits = rememberCharacters(decode)
  const codec: LegacyCodec = {
    decode,
    encode: (text) => iconv.encode(text, encoding),
    measure: (bytes, widths) => measureCharacters(bytes, characterUnits, widths),
  }
  codecs.set(encoding, codec)
  return codec
}

/** Code units of the character that is exactly these bytes; 0 when they are none. */
type CharacterUnits = (bytes: Uint8Array, at: number, byteCount: number) => number

/** No code is the beginning of another, so the shortest piece that decodes is the character. */
function measureCharacters(bytes: Uint8Array, characterUnits: CharacterUnits, widths: WidthRecorder): void {
  let at = 0
  while (at < bytes.length) {
    let byteCount = 1
    let units = bytes[at]! < 0x80 ? 1 : characterUnits(bytes, at, 1)
    const longest = Math.min(longestCharacterBytes, bytes.length - at)
    while (units === 0 && byteCount < longest) {
      byteCount += 1
      units = characterUnits(bytes, at, byteCount)
    }
    if (units > 0) {
      widths.add(units, byteCount)
      at += byteCount
    } else {
      widths.addUndecodable()
      at += 1
    }
  }
}

function rememberCharacters(decode: (bytes: Uint8Array) => string): CharacterUnits {
  const known = new Map<number, number>()
  return (bytes, at, byteCount) => {
    let key = byteCount
    for (let offset = 0; offset < byteCount; offset += 1) key = key * 256 + bytes[at + offset]!
    const units = known.get(key)
    if (units !== undefined) return units
    const decoded = decode(bytes.subarray(at, at + byteCount))
    const found = decoded.includes("\ufffd") ? 0 : decoded.length
    known.set(key, found)
    return found
  }
}
