import { type EncodingName, isLegacy } from "./encoding.js"
import { legacyCodec } from "./legacy-codec.js"

/** The text of a piece of a file that begins at a character; a byte order mark at its beginning is left out, an undecodable byte is U+FFFD. */
export async function decodeWindow(bytes: Uint8Array, encoding: EncodingName): Promise<string> {
  if (isLegacy(encoding)) return (await legacyCodec(encoding)).decode(bytes)
  if (encoding === "utf-8" || encoding === "utf-8-bom") return utf8.decode(bytes)
  return new TextDecoder(encoding).decode(bytes)
}

// One for all: whole pieces leave nothing behind in a decoder.
const utf8 = new TextDecoder("utf-8")
