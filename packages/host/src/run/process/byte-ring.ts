/**
 * The last bytes of a stream of any length, in a buffer of a fixed size. Bytes are copied: a piece that is held for a
 * while outlives the cheap collection of young objects, and for a long stream that costs several times the copy.
 */
export class ByteRing {
  private buffer: Buffer | undefined
  private end = 0
  /** How many bytes are in it. */
  bytes = 0

  constructor(private readonly capacity: number) {}

  add(piece: Buffer): void {
    if (this.capacity === 0 || piece.length === 0) return
    this.buffer ??= Buffer.allocUnsafeSlow(this.capacity)
    const from = Math.max(0, piece.length - this.capacity)
    const room = this.capacity - this.end
    piece.copy(this.buffer, this.end, from, Math.min(piece.length, from + room))
    const rest = piece.length - from - room
    if (rest >= 0) piece.copy(this.buffer, 0, from + room)
    this.end = rest >= 0 ? rest : this.end + piece.length - from
    this.bytes = Math.min(this.capacity, this.bytes + piece.length)
  }

  /** All bytes in the order in which they came. */
  joined(): Buffer {
    if (!this.buffer) return Buffer.alloc(0)
    if (this.bytes < this.capacity) return this.buffer.subarray(0, this.bytes)
    return Buffer.concat([this.buffer.subarray(this.end), this.buffer.subarray(0, this.end)])
  }
}
