import type { WidthRecorder } from "./character-map.js"
import { type LegacyEncoding, longestCharacterBytes } from "./encoding.js"

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
