/**
 * The end of the current turn of the event loop: calls back once, however often it is scheduled. What limits the work of
 * one turn waits for it, so that timers and sockets are served in between.
 */
export class TurnEnd {
  private isScheduled = false
  private readonly end: () => void

  constructor(onEnd: () => void) {
    this.end = () => {
      this.isScheduled = false
      onEnd()
    }
  }

  schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(this.end)
  }
}
