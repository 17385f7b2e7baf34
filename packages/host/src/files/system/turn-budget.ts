/** How long synchronous file work may hold up one turn of the event loop. */
const budgetMs = 4

interface Waiting {
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

// State of the event loop rather than of a session: all sessions of a process share one loop.
const waiting: Waiting[] = []
let spentMs = 0
let turnEndScheduled = false

/**
 * Runs synchronous work at once while this turn of the event loop has time left, otherwise in a later turn, in order.
 * So thousands of small reads neither pay for the thread pool nor starve timers and sockets.
 */
export function withinTurnBudget<Result>(work: () => Result | Promise<Result>): Result | Promise<Result> {
  if (waiting.length === 0 && spentMs < budgetMs) return timed(work)
  scheduleTurnEnd()
  return new Promise<Result>((resolve, reject) => {
    waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
  })
}

function timed<Result>(work: () => Result): Result {
  const start = performance.now()
  try {
    return work()
  } finally {
    spentMs += performance.now() - start
    scheduleTurnEnd()
  }
}

function scheduleTurnEnd(): void {
  if (turnEndScheduled) return
  turnEndScheduled = true
  setImmediate(endTurn)
}

function endTurn(): void {
  turnEndScheduled = false
  spentMs = 0
  let done = 0
  while (done < waiting.length && spentMs < budgetMs) {
    const { work, resolve, reject } = waiting[done++]!
    try {
      resolve(timed(work))
    } catch (error) {
      reject(error)
    }
  }
  waiting.splice(0, done)
  if (waiting.length > 0) scheduleTurnEnd()
}
