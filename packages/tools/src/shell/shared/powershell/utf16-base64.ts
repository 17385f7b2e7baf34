// Small enough that a chunk's characters fit on the call stack, and a multiple of three so that chunks join without padding.
const chunkBytes = 24_576

/** The text as PowerShell takes encoded commands: UTF-16, little end first, in base64. */
export function utf16Base64(text: string): string {
  const bytes = new Uint8Array(text.length * 2)
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    bytes[2 * index] = unit & 0xff
    bytes[2 * index + 1] = unit >> 8
  }
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))))
  }
  return parts.join("")
}
