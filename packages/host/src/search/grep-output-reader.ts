import { LongLine, maxLineBytes } from "./long-line.js"

/** A line of a file as ripgrep printed it; of a long one the part around the match. */
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
 * Reads ripgrep's output with `--heading --null --column --crlf`: the path, NUL, lines "12:7:match" and "11-context", "--" between
 * groups, and an empty line before the next path. Text cannot be mistaken for structure, since every line of a file begins with its
 * number. A line of any length takes little memory.
 */
export class GrepOutputReader {
  private readonly options: GrepOutputOptions
  private rest: Buffer = Buffer.alloc(0)
  private file: { path: string; lines: FoundLine[]; bytes: number; cut: boolean; binary: boolean } | undefined
  private skipping = false
  private long: { readonly begun: Beginning; readonly line: LongLine } | undefined

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
    // A note about a binary file whose own name has empty lines may be before the path.
    const path = header.startsWith("./") ? header.slice(2) : header.replace(/^.*\n\r?\n\.\//s, "")
    if (this.options.wants(path)) this.file = { path, lines: [], bytes: path.length, cut: false, binary: false }
    else this.skipping = true
    return end + 1
  }

  private readLine(buffer: Buffer, at: number): number {
    const end = buffer.indexOf(newline, at)
    if (this.long) return this.goOn(buffer, at, end)
    if (end < 0) return buffer.length - at > maxWaitingBytes ? this.beginLong(buffer, at) : -1
    const stop = end > at && buffer[end - 1] === carriageReturn ? end - 1 : end
    if (stop === at) this.finishFile()
    else this.readWhole(buffer, at, stop)
    return end + 1
  }

  private readWhole(buffer: Buffer, at: number, end: number): void {
    const begun = beginningOf(buffer, at)
    if (begun === undefined) this.file!.binary ||= binaryNote.test(buffer.toString("latin1", at, end))
    else if (end - begun.at <= maxLineBytes) this.keep(begun, buffer.toString("utf8", begun.at, end))
    else this.keep(begun, new LongLine(begun.column).take(buffer.subarray(begun.at, end)).text())
  }

  private beginLong(buffer: Buffer, at: number): number {
    const begun = beginningOf(buffer, at)
    // No note of ripgrep's is that long.
    if (begun === undefined) return buffer.length
    this.long = { begun, line: new LongLine(begun.column) }
    return begun.at
  }

  /** Takes a piece of a long line, up to its end when that is there. */
  private goOn(buffer: Buffer, at: number, end: number): number {
    const { begun, line } = this.long!
    line.take(buffer.subarray(at, end < 0 ? buffer.length : end))
    if (end < 0) return buffer.length
    this.long = undefined
    this.keep(begun, line.text())
    return end + 1
  }

  private keep({ line, isMatch }: Beginning, text: string): void {
    const file = this.file!
    if (file.bytes > this.options.maxFileBytes) {
      file.cut = true
      return
    }
    file.lines.push({ line, text, isMatch })
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

/** What comes before the text of a line. */
interface Beginning {
  readonly line: number
  readonly isMatch: boolean
  /** Where the match begins, counted in bytes from 1; 1 for a line of context. */
  readonly column: number
  /** Where the text begins in the buffer. */
  readonly at: number
}

function beginningOf(buffer: Buffer, at: number): Beginning | undefined {
  const line = readNumber(buffer, at)
  const separator = buffer[line.end]
  if (line.end === at || (separator !== colon && separator !== hyphen)) return undefined
  if (separator === hyphen) return { line: line.value, isMatch: false, column: 1, at: line.end + 1 }
  const column = readNumber(buffer, line.end + 1)
  return { line: line.value, isMatch: true, column: column.value, at: column.end + 1 }
}

function readNumber(buffer: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0
  let end = at
  for (; buffer[end]! >= zero && buffer[end]! <= nine; end += 1) value = value * 10 + (buffer[end]! - zero)
  return { value, end }
}

// More than any note of ripgrep's, which may name a path.
const maxWaitingBytes = 16 * 1024
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

/** Reads ripgrep's list of files with `--null`; paths are handed on as latin1 strings without their leading "./". */
export class PathListReader {
  private readonly take: (path: string) => void
  private rest = ""

  constructor(take: (path: string) => void) {
    this.take = take
  }

  /** Takes a piece of the output. Decoded at once: path by path takes twice as long (row "glob of 1000 out of 30,000 hits"). */
  push(chunk: Buffer): void {
    const paths = (this.rest + chunk.toString("latin1")).split("\0")
    this.rest = paths.pop() ?? ""
    for (const path of paths) this.take(path.slice(2))
  }
}

/** The path as text; bytes that are not UTF-8 become the replacement character. */
export function decodePath(path: string): string {
  return /[\x80-\xff]/.test(path) ? Buffer.from(path, "latin1").toString("utf8") : path
}
