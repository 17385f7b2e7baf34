const newline = 0x0a

/** A line that was longer than allowed, and was not kept. */
export class TooLong {
  constructor(readonly bytes: number) {}
}

/** Cuts a stream of bytes into lines, in bounded memory. A line that is too long costs itself and not the next one. */
export class BoundedLines {
  private readonly pieces: Uint8Array[] = []
  private bytes = 0

  constructor(private readonly maxBytes: number) {}

  /** Whether the line that has not ended yet is too long already. */
  get isTooLong(): boolean {
    return this.bytes > this.maxBytes
  }

  /** The lines that end in this chunk, without their ends. What a reader leaves of them is lost. */
  *take(chunk: Uint8Array): Generator<Buffer | TooLong, void> {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.keep(chunk.subarray(from, end))
      from = end + 1
      yield this.line()
    }
    if (from < chunk.length) this.keep(chunk.subarray(from))
  }

  /** What came after the last line, when no more will come. */
  rest(): Buffer | TooLong | undefined {
    return this.bytes === 0 ? undefined : this.line()
  }

  private keep(piece: Uint8Array): void {
    this.bytes += piece.length
    if (this.isTooLong) this.pieces.length = 0
    else this.pieces.push(piece)
  }

  private line(): Buffer | TooLong {
    const [only] = this.pieces
    const line = this.isTooLong
      ? new TooLong(this.bytes)
      : only && this.pieces.length === 1
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(this.pieces)
    this.pieces.length = 0
    this.bytes = 0
    return line
  }
}
