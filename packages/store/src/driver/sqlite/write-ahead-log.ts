import { closeSync, fdatasyncSync, openSync } from "node:fs"

/**
 * The write-ahead log of an open database. `synchronous = NORMAL` and a sync of the log after a commit is what FULL does, and
 * the writer chooses which commits need it: to switch the setting around a commit takes as long as the commit (bench: durable-turn).
 */
export class WriteAheadLog {
  private readonly file: string
  private descriptor: number | undefined

  /** `database` is the real path of the file: SQLite puts the log beside it, wherever links lead from. */
  constructor(database: string) {
    this.file = `${database}-wal`
  }

  /** Returns when every commit so far is on the disk. */
  sync(): void {
    // The log exists from the first commit on until the last connection closes, and is the same file all the time.
    this.descriptor ??= openSync(this.file, "r+")
    fdatasyncSync(this.descriptor)
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor)
    this.descriptor = undefined
  }
}
