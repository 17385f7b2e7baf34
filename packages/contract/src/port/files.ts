import type { Located } from "../effect.js"

/** Facts about a file or directory. */
export interface FileFacts {
  /** Absolute, links followed. */
  readonly path: string
  readonly kind: "file" | "directory"
  readonly size: number
  readonly mtimeMs: number
  readonly mode: number
}

/** How line breaks look in the bytes of a file. */
export type NewlineUnit = "byte" | "utf16le" | "utf16be"

/** Which lines to read; the first line is 0. */
export interface LineRequest {
  readonly startLine: number
  readonly maxLines: number
  readonly maxBytes: number
  readonly unit: NewlineUnit
}

/** Lines of a file as raw bytes. */
export interface LineWindow {
  readonly bytes: Uint8Array
  /** Where the bytes begin in the file. */
  readonly byteOffset: number
  /** Lines that begin inside the window; a last line that was cut counts. */
  readonly lineCount: number
  /** True when the window reaches the end of the file. */
  readonly eof: boolean
  /** True when a single line was longer than `maxBytes` and was cut at a byte boundary. */
  readonly cut: boolean
  /** Known only when the end was reached. */
  readonly totalLines?: number
}

/** A regular file that was opened by the safe walk and stays the same file until it is closed. */
export interface OpenFile extends FileFacts {
  readonly kind: "file"
  /** The whole content, when the file is small enough to have been read on opening. */
  readonly whole: Uint8Array | undefined
  /** Up to `length` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>
  /** Lines by number. A sparse index is kept, so a second deep read costs little more than it returns. */
  lines(request: LineRequest): Promise<LineWindow>
  close(): Promise<void>
}

/** The whole content of a file with what identifies it. */
export interface FileContent extends FileFacts {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, hex. */
  readonly hash: string
}

export interface DirectoryEntry {
  readonly name: string
  readonly type: "file" | "directory" | "link" | "other"
  readonly size: number
  readonly mtimeMs: number
}

/** The entries of a directory that the call may see, sorted by name. */
export interface DirectoryListing {
  readonly path: string
  readonly entries: readonly DirectoryEntry[]
  readonly complete: boolean
  /** Entries left out because a rule denies reading them. */
  readonly denied: number
}

/** Reads inside the grant of one call. Every path is walked component by component; links out are refused. */
export interface FileReader {
  /** Opens a regular file. A directory, device, FIFO or socket is `unsupported`, a missing path `not_found`. */
  open(path: string): Promise<OpenFile>
  /** The whole file; `too_large` above `maxBytes`. Counts as having read it. */
  readAll(path: string, options: { readonly maxBytes: number }): Promise<FileContent>
  /** Facts about a file or directory; undefined when nothing is there. */
  stat(path: string): Promise<FileFacts | undefined>
  list(path: string, options: { readonly maxEntries: number }): Promise<DirectoryListing>
  locate(path: string): Promise<Located>
  /** The path as shown to people and models: relative to the working directory where it is inside it. */
  display(path: string): string
}

/** What a write did. */
export interface WriteReceipt {
  /** Absolute, links followed. */
  readonly path: string
  readonly created: boolean
  readonly bytesWritten: number
  readonly hash: string
  /** The content that was replaced; undefined for a new file. */
  readonly before: Uint8Array | undefined
}

/** Writes inside the grant of one call: temp file and rename in the held directory, one writer a path at a time. */
export interface FileWriter {
  /**
   * Replaces or creates a whole file, parents included. A file that changed since this session last read it
   * is a `conflict` that shows what changed; own writes do not count as a change. With `mustBeNew`, any file is.
   */
  write(path: string, bytes: Uint8Array, options?: { readonly mustBeNew?: boolean }): Promise<WriteReceipt>
  /**
   * Reads the current bytes and writes what `change` makes of them, with no other writer of Haft in between.
   * A change from outside between the two is a `conflict` and nothing is written.
   */
  update(
    path: string,
    options: { readonly maxBytes: number },
    change: (current: FileContent) => Uint8Array | Promise<Uint8Array>,
  ): Promise<WriteReceipt>
  /** Removes a regular file or a link; its content is kept for undo. With `expectHash`, other content is a `conflict`. */
  remove(path: string, options?: { readonly expectHash?: string }): Promise<RemoveReceipt>
  /**
   * Moves a file or a folder; parents of the new place are made. Something at the new place is a `conflict`:
   * nothing is overwritten.
   */
  move(from: string, to: string): Promise<MoveReceipt>
}

/** What a removal did. */
export interface RemoveReceipt {
  /** Absolute. */
  readonly path: string
  /** The content that was removed; undefined for a link. */
  readonly before: Uint8Array | undefined
}

/** What a move did. */
export interface MoveReceipt {
  /** Absolute. */
  readonly from: string
  readonly to: string
  readonly kind: "file" | "directory"
}
