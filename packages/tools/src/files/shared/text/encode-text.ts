import { ToolError } from "@haft/contract"
import { type EncodingName, isLegacy, type LegacyEncoding } from "./encoding.js"
import { legacyCodec } from "./legacy-codec.js"

const utf8 = new TextEncoder()
const loneSurrogate = /\p{Surrogate}/u

/** The bytes of a text, without a byte order mark. A character that the encoding lacks is `unsupported`, by name. */
export async function encodeText(text: string, encoding: EncodingName): Promise<Uint8Array> {
  if (isLegacy(encoding)) return encodeLegacy(text, encoding)
  if (encoding === "utf-16le" || encoding === "utf-16be") return encodeUtf16(text, encoding === "utf-16le")
  const lone = loneSurrogate.exec(text)
  if (lone !== null) throw lacking(lone[0], "UTF-8")
  return utf8.encode(text)
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
