/** How much is looked at and kept to know what a command changed. */
export interface ObserveLimits {
  /** Files and folders that are compared. */
  readonly entries: number
  /** Working time of one scan of the workspace, where every look is one. */
  readonly scanMs: number
  /** How long the first look of an index may take; later ones go on where it stopped. */
  readonly indexMs: number
  /** Files up to this size are kept before any command that may write. */
  readonly fileBytes: number
  /** Files up to this size are kept before a command that was judged to write them. */
  readonly judgedFileBytes: number
  /** All that is kept at a time. */
  readonly totalBytes: number
  /** Working time of keeping before one command; the next one goes on where this one stopped. */
  readonly keepMs: number
  /** Changes that are recorded one by one. */
  readonly changes: number
  /** Content that is read after a command to know what it wrote. */
  readonly hashBytes: number
}

const mebibyte = 1024 * 1024

/** Enough for most projects at a cost that nobody notices. */
export const defaultObserveLimits: ObserveLimits = {
  entries: 200_000,
  scanMs: 500,
  indexMs: 3000,
  fileBytes: mebibyte,
  judgedFileBytes: 64 * mebibyte,
  totalBytes: 64 * mebibyte,
  keepMs: 200,
  changes: 2000,
  hashBytes: 512 * mebibyte,
}
