/** Bytes that take the place of a span. */
export interface ByteEdit {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/** A copy of the bytes with spans replaced; edits are in order and do not overlap. All other bytes are the same. */
export function splice(bytes: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  let length = bytes.length
  for (const edit of edits) length += edit.bytes.length - (edit.end - edit.start)
  const result = new Uint8Array(length)
  let from = 0
  let to = 0
  for (const edit of edits) {
    if (edit.start < from || edit.end < edit.start || edit.end > bytes.length) {
      throw new RangeError(`Cannot replace bytes ${edit.start} to ${edit.end}: the span overlaps another or the end`)
    }
    result.set(bytes.subarray(from, edit.start), to)
    to += edit.start - from
    result.set(edit.bytes, to)
    to += edit.bytes.length
    from = edit.end
  }
  result.set(bytes.subarray(from), to)
  return result
}
