import { wholeEnd, wholeStart } from "../run/process/whole-characters.js"

/** Lines with more bytes are shown in part. */
export const maxLineBytes = 2000
// What is shown before a match that is far into its line.
const bytesBefore = 500
const carriageReturn = 0x0d

/** A line that is shown in part: around its match, or from its beginning. Holds no more than it shows. */
export class LongLine {
  private readonly column: number
  private readonly from: number
  private readonly kept: Buffer[] = []
  private length = 0
  private last: number | undefined

  /** The column is where the match begins, counted in bytes from 1. */
  constructor(column: number) {
    this.column = column
    this.from = column <= maxLineBytes - bytesBefore ? 0 : column - 1 - bytesBefore
  }

  /** Takes the next piece of the line. */
  take(piece: Buffer): this {
    const start = Math.max(0, this.from - this.length)
    const end = Math.min(piece.length, this.from + maxLineBytes - this.length)
    // The piece belongs to a buffer that is used again or holds much more.
    if (start < end) this.kept.push(Buffer.from(piece.subarray(start, end)))
    this.length += piece.length
    this.last = piece.at(-1) ?? this.last
    return this
  }

  /** What is shown of the line, cut between characters, with what is left out before and after. */
  text(): string {
    const length = this.last === carriageReturn ? this.length - 1 : this.length
    const shown = Buffer.concat(this.kept).subarray(0, Math.max(0, length - this.from))
    const start = this.from === 0 ? 0 : wholeStart(shown)
    const end = this.from + shown.length < length ? wholeEnd(shown) : shown.length
    const after = length - this.from - end
    const before = `[... ${this.from + start} bytes; the match is at column ${this.column} ...] `
    const note = after > 0 ? ` [... ${after} more bytes]` : ""
    return `${this.from === 0 ? "" : before}${shown.toString("utf8", start, end)}${note}`
  }
}
