/** The beginning of a text within so many bytes of UTF-8, whole characters only, with a line that says what is missing. */
export function cutText(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1
  const left = bytes.length - end
  return `${new TextDecoder().decode(bytes.subarray(0, end))}\n[... ${left} bytes left out ...]`
}
