/**
 * The text of bytes that are UTF-8 beyond doubt, as most are: well-formed, without NUL and without byte order mark.
 * Undefined for all others. One look of the platform instead of one to check and one to decode.
 */
export function plainUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.indexOf(0) !== -1 || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) return undefined
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
