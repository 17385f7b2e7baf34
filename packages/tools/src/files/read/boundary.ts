import { decodeWindow, type EncodingName } from "../shared/text/index.js"

/** The most bytes that a character takes in any encoding. */
export const longestCharacterBytes = 4

/**
 * The last place at or before `position` where a character begins or ends. `bytes` must begin at a character, or reach
 * far enough back that a byte which can only be alone comes before `position`; for UTF-16 they begin at an even offset.
 */
export async function boundaryBefore(bytes: Uint8Array, position: number, encoding: EncodingName): Promise<number> {
  if (encoding === "utf-8" || encoding === "utf-8-bom") return utf8Boundary(bytes, position)
  if (encoding === "utf-16le" || encoding === "utf-16be") return utf16Boundary(bytes, position, encoding)
  let at = aloneBefore(bytes, position)
  for (;;) {
    const next = at + (await characterBytes(bytes, at, encoding))
    if (next > position || next === at) return at
    at = next
  }
}

function utf8Boundary(bytes: Uint8Array, position: number): number {
  for (let back = 1; back < longestCharacterBytes && back <= position; back += 1) {
    const byte = bytes[position - back]!
    if ((byte & 0xc0) === 0x80) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return size > back ? position - back : position
  }
  return position
}

function utf16Boundary(bytes: Uint8Array, position: number, encoding: "utf-16le" | "utf-16be"): number {
  const even = position - (position % 2)
  const before = bytes[even - (encoding === "utf-16le" ? 1 : 2)] ?? 0
  // Not between the two halves of a pair.
  return before >= 0xd8 && before <= 0xdb ? even - 2 : even
}

/** The end of the last byte that no encoding uses inside a character of several bytes: all those below the digits. */
export function aloneBefore(bytes: Uint8Array, position: number): number {
  let at = position
  while (at > 0 && bytes[at - 1]! >= 0x30) at -= 1
  return at
}

/** No code is the beginning of another, so the shortest piece that decodes is the character; a stray byte is alone. */
async function characterBytes(bytes: Uint8Array, at: number, encoding: EncodingName): Promise<number> {
  const longest = Math.min(longestCharacterBytes, bytes.length - at)
  if (longest === 0 || bytes[at]! < 0x80) return Math.min(longest, 1)
  for (let size = 1; size <= longest; size += 1) {
    const text = await decodeWindow(bytes.subarray(at, at + size), encoding)
    if (!text.includes("\ufffd")) return size
  }
  // Possibly a character that the bytes cut short.
  return bytes.length - at < longestCharacterBytes ? longestCharacterBytes : 1
}
