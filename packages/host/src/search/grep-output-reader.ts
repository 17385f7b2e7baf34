/** A line of a file as ripgrep printed it. */
export interface FoundLine {
  readonly line: number
  readonly text: string
  readonly isMatch: boolean
}

/** The lines of one file; only files with a match are printed. */
export interface FoundFile {
  /** The bytes of the relative path as a latin1 string. */
  readonly path: string
  readonly lines: readonly FoundLine[]
  readonly bytes: number
  /** True when the file has more lines than were kept. */
  readonly cut: boolean
}

/** What to do with the files of the output. */
export interface GrepOutputOptions {
  readonly maxFileBytes: number
  /** Whether the lines of this file are wanted; the others are passed over without decoding. */
  wants(path: string): boolean
  take(file: FoundFile): void
}

/**
 * Reads ripgrep's output with `--heading --null --crlf`: the path, NUL, lines "12:match" and "11-context", "--" between groups, and an
 * empty line before the next path. Text cannot be mistaken for structure, since every line of a file begins with its number.
 */
export class GrepOutputReader {
  private readonly options: GrepOutputOptions
  private rest: Buffer = Buffer.alloc(0)
  private file: { path: string; lines: FoundLine[]; bytes: number; cut: boolean; binary: boolean } | undefined
  private skipping = false

  constructor(options: GrepOutputOptions) {
    this.options = options
  }

  /** Takes a piece of the output. */
  push(chunk: Buffer): void {
    const buffer = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    let at = 0
    while (at < buffer.length) {
      const next = this.skipping
        ? this.skip(buffer, at)
        : this.file
          ? this.readLine(buffer, at)
          : this.readPath(buffer, at)
      // Nothing more can be read before the next piece comes.
      if (next <= at) break
      at = next
    }
    this.rest = buffer.subarray(at)
  }

  /** Takes the end of the output. */
  end(): void {
    this.finishFile()
  }

  private readPath(buffer: Buffer, at: number): number {
    const end = buffer.indexOf(0, at)
    if (end < 0) return -1
    const header = buffer.toString("latin1", at, end)
    // A note about a binary file whose own name has empty lines may stand before the path.
    const path = header.startsWith("./") ? header.slice(2) : header.replace(/^.*\n\r?\n\.\//s, "")
    if (this.options.wants(path)) this.file = { path, lines: [], bytes: path.length, cut: false, binary: false }
    else this.skipping = true
    return end + 1
  }

  private readLine(buffer: Buffer, at: number): number {
    const end = buffer.indexOf(newline, at)
    if (end < 0) return -1
    const stop = end > at && buffer[end - 1] === carriageReturn ? end - 1 : end
    if (stop === at) this.finishFile()
    else this.keepLine(buffer, at, stop)
    return end + 1
  }

  private keepLine(buffer: Buffer, at: number, end: number): void {
    const file = this.file!
    let line = 0
    let index = at
    for (; buffer[index]! >= zero && buffer[index]! <= nine; index += 1) line = line * 10 + (buffer[index]! - zero)
    const separator = buffer[index]
    if (index === at || (separator !== colon && separator !== hyphen)) {
      file.binary ||= binaryNote.test(buffer.toString("latin1", at, end))
      return
    }
    if (file.bytes > this.options.maxFileBytes) {
      file.cut = true
      return
    }
    const text = buffer.toString("utf8", index + 1, end)
    file.lines.push({ line, text, isMatch: separator === colon })
    file.bytes += text.length + lineOverheadBytes
  }

  /** Passes over the lines of a file up to the empty line after it. */
  private skip(buffer: Buffer, at: number): number {
    const ends = fileBreaks.map((fileBreak) => endOf(buffer, fileBreak, at)).filter((end) => end >= 0)
    if (ends.length === 0) return buffer.length - longestBreak + 1
    this.skipping = false
    return Math.min(...ends)
  }

  private finishFile(): void {
    const { file } = this
    this.file = undefined
    // How far ripgrep comes in a file that turns out to be binary depends on its buffers, so such a file counts as skipped.
    if (file !== undefined && !file.binary) this.options.take(file)
  }
}

// With --crlf the empty line between files ends that way, but only where ripgrep does not search in parallel.
const fileBreaks = ["\n\n", "\n\r\n"] as const
const longestBreak = 3
const newline = 0x0a
const carriageReturn = 0x0d
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const hyphen = 0x2d
const lineOverheadBytes = 64
const binaryNote = /: (?:WARNING: stopped searching binary file|binary file matches)/

function endOf(buffer: Buffer, text: string, from: number): number {
  const start = buffer.indexOf(text, from, "latin1")
  return start < 0 ? -1 : start + text.length
}
