/** A deadline that is running. */
export interface Deadline {
  clear(): void
}

// Deadlines of this turn of the event loop; state of the loop rather than of a session.
let begun: LateDeadline[] = []

/**
 * Calls `pass` once when the time is over. A timer is set at the end of the turn only: none can be due before, and most
 * calls have ended by then, so that a small call costs no timer.
 */
export function startDeadline(timeoutMs: number, pass: () => void): Deadline {
  const deadline = new LateDeadline(performance.now() + timeoutMs, pass)
  if (begun.length === 0) setImmediate(setTimers)
  begun.push(deadline)
  return deadline
}

function setTimers(): void {
  const deadlines = begun
  begun = []
  for (const deadline of deadlines) deadline.setTimer()
}

class LateDeadline implements Deadline {
  private readonly dueMs: number
  private pass: (() => void) | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(dueMs: number, pass: () => void) {
    this.dueMs = dueMs
    this.pass = pass
  }

  setTimer(): void {
    if (this.pass) this.timer = setTimeout(this.pass, Math.max(1, this.dueMs - performance.now()))
  }

  clear(): void {
    this.pass = undefined
    if (this.timer) clearTimeout(this.timer)
  }
}
