/** How many of the first `end` bytes are whole UTF-8 characters; anything that is not UTF-8 counts as whole. */
export function wholeEnd(bytes: Uint8Array, end = bytes.length): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back]!
    if (isContinuation(byte)) continue
    return byte >= 0xc0 && lengthOf(byte) > back ? end - back : end
  }
  return end
}

/** The first place at or after `start` where a UTF-8 character can begin, at most three bytes on. */
export function wholeStart(bytes: Uint8Array, start = 0): number {
  for (let place = start; place < start + 4 && place < bytes.length; place++) {
    if (!isContinuation(bytes[place]!)) return place
  }
  return start
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
