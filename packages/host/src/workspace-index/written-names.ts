const maxNames = 20_000

/**
 * Tells from the order of events whether a file was written under a name that it then lost without being moved to another
 * one. Mostly that was a temporary file. It can also have been a hard link to a file that is still there, in whose own
 * directory nothing was told of: only looking at every file finds that one.
 */
export class WrittenNames {
  private readonly written = new Set<string>()
  /** A written name that came to an end with the last event. */
  private ended: string | undefined
  /** A name that came with the last event. */
  private arrived: string | undefined
  private isLost = false

  note(path: string, isRename: boolean): void {
    if (!isRename) {
      this.settle()
      this.arrived = undefined
      if (this.written.size < maxNames) this.written.add(path)
      else this.isLost = true
      return
    }
    if (this.ended !== undefined && this.ended !== path) {
      // The two events of a move follow each other.
      this.ended = undefined
      this.arrived = undefined
      this.written.add(path)
    } else if (this.written.delete(path)) {
      // Git gives a new file its name by a link, and then removes the old name.
      if (this.arrived !== undefined && this.arrived !== path) this.written.add(this.arrived)
      else this.ended = path
      this.arrived = undefined
    } else this.arrived = path
  }

  /** Whether that was so since the last time that it was asked. */
  take(): boolean {
    this.settle()
    const { isLost } = this
    this.isLost = false
    this.arrived = undefined
    this.written.clear()
    return isLost
  }

  private settle(): void {
    if (this.ended !== undefined) this.isLost = true
    this.ended = undefined
  }
}
