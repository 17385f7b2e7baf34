// Enough to keep the loop busy, few enough that timers and sockets never wait long.
const callsPerTurn = 24

// State of the event loop rather than of a session: all sessions of a process share one loop.
const waiting: (() => void)[] = []
let begun = 0
let turnEndScheduled = false

/**
 * Lets a bounded number of calls begin in one turn of the event loop; the rest wait for a later turn, in order.
 * A thousand calls at once would otherwise be validated and judged in one go, with everything else standing still.
 * Undefined when the call may begin at once, which costs nothing.
 */
export function turnGate(): Promise<void> | undefined {
  scheduleTurnEnd()
  if (waiting.length === 0 && begun < callsPerTurn) {
    begun += 1
    return undefined
  }
  return new Promise((begin) => waiting.push(begin))
}

function scheduleTurnEnd(): void {
  if (turnEndScheduled) return
  turnEndScheduled = true
  setImmediate(endTurn)
}

function endTurn(): void {
  turnEndScheduled = false
  const next = waiting.splice(0, callsPerTurn)
  begun = next.length
  if (begun > 0) scheduleTurnEnd()
  for (const begin of next) begin()
}
