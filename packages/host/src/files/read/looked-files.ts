import { smallBytes } from "../system/program.js"
import type { QuickHold } from "../walk/walk.js"

/** Files held for the open that follows; more are simply looked up again. */
const maxHeld = 64

/**
 * Small files that were looked at in this turn of the event loop. A call is judged by where its path leads and then opens
 * it: what is held in between need not be looked up twice, and is the very file that was judged. Nothing is held longer
 * than the turn, so a file that was replaced while a person was asked is found anew.
 */
export interface LookedFiles {
  /** Takes over a hold: it is closed at the end of the turn, unless it is taken before. */
  keep(hold: QuickHold): void
  /** Gives a hold away, and the duty to close it. */
  take(path: string): QuickHold | undefined
  close(): void
}

/** Holds nothing yet. */
export function createLookedFiles(): LookedFiles {
  const held = new Map<string, QuickHold>()
  let turnEndScheduled = false
  return { keep, take, close }

  function keep(hold: QuickHold): void {
    const { path, facts } = hold
    if (held.size >= maxHeld || held.has(path) || !facts.isFile() || facts.size > smallBytes) {
      hold.close()
      return
    }
    held.set(path, hold)
    if (turnEndScheduled) return
    turnEndScheduled = true
    setImmediate(endTurn)
  }

  function take(path: string): QuickHold | undefined {
    if (held.size === 0) return undefined
    const hold = held.get(path)
    if (hold) held.delete(path)
    return hold
  }

  function endTurn(): void {
    turnEndScheduled = false
    close()
  }

  function close(): void {
    for (const hold of held.values()) hold.close()
    held.clear()
  }
}
