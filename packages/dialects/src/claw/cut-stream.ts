/** Bytes of each stream that a result keeps. */
const maxStreamBytes = 16_384

const encoder = new TextEncoder()

/** The beginning of a stream, cut between characters, with a notice when there was more. */
export function cutStream(stream: string): string {
  if (stream.length * 3 <= maxStreamBytes) return stream
  const bytes = encoder.encode(stream)
  if (bytes.length <= maxStreamBytes) return stream
  let end = maxStreamBytes
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1
  const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end))
  return `${head}\n\n[output truncated — exceeded ${maxStreamBytes} bytes]`
}
