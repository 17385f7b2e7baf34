import type { NewlineUnit } from "@haft/contract"

/** How many bytes a line break takes. */
export function newlineBytes(unit: NewlineUnit): 1 | 2 {
  return unit === "byte" ? 1 : 2
}

/** Where the line after the next line break begins; -1 when no further line break is in the bytes. */
function nextLineStart(bytes: Buffer, from: number, unit: NewlineUnit): number {
  if (unit === "byte") return bytes.indexOf(10, from) + 1 || -1
  const low = unit === "utf16le" ? 0 : 1
  for (let at = from; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === 10 && bytes[at + 1 - low] === 0) return at + 2
  }
  return -1
}

/** Where the line after `count` line breaks begins; with the number of breaks passed when there are fewer. */
export function skipLines(
  bytes: Buffer,
  count: number,
  { from, unit }: { readonly from: number; readonly unit: NewlineUnit },
): { readonly position: number; readonly passed: number } {
  let position = from
  for (let passed = 0; passed < count; passed++) {
    const next = nextLineStart(bytes, position, unit)
    if (next === -1) return { position, passed }
    position = next
  }
  return { position, passed: count }
}

/** Whether the bytes end with a line break. */
export function endsWithNewline(bytes: Buffer, unit: NewlineUnit): boolean {
  return bytes.length > 0 && nextLineStart(bytes, bytes.length - newlineBytes(unit), unit) === bytes.length
}

/** Counts line breaks. */
export function countNewlines(bytes: Buffer, unit: NewlineUnit): number {
  if (unit !== "byte") return skipLines(bytes, Number.POSITIVE_INFINITY, { from: 0, unit }).passed
  // indexOf costs per line, a look at every word costs per byte: a sample of the text tells which is cheaper.
  const sample = bytes.subarray(0, 1024)
  if (bytes.length === sample.length) return countOneByOne(bytes)
  return countOneByOne(sample) * bytesPerCheapLine > sample.length ? countByWords(bytes) : countOneByOne(bytes)
}

// Measured on x64 with Node.js 20: 23 ns per call of indexOf, 0.6 ns per byte by words.
const bytesPerCheapLine = 36

function countOneByOne(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++
  return count
}

/** Four bytes at a time: a zero byte of `word ^ 0x0a0a0a0a` is a line break and becomes a one in its lane. */
function countByWords(bytes: Buffer): number {
  const head = Math.min(bytes.length, (4 - (bytes.byteOffset & 3)) & 3)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2)
  let count = countOneByOne(bytes.subarray(0, head)) + countOneByOne(bytes.subarray(head + words.length * 4))
  for (let index = 0; index < words.length; ) {
    // A lane holds a byte, so it is emptied before it can overflow.
    const end = Math.min(words.length, index + 255)
    let lanes = 0
    for (; index < end; index++) {
      const zeroed = words[index]! ^ 0x0a0a0a0a
      lanes = (lanes + (~(((zeroed & 0x7f7f7f7f) + 0x7f7f7f7f) | zeroed | 0x7f7f7f7f) >>> 7)) | 0
    }
    count += (lanes & 255) + ((lanes >>> 8) & 255) + ((lanes >>> 16) & 255) + (lanes >>> 24)
  }
  return count
}
