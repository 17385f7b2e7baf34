// Small enough that a chunk's characters fit on the call stack, and a multiple of three so that chunks join without padding.
const chunkBytes = 24_576

/** The bytes in base64. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))))
  }
  return parts.join("")
}
