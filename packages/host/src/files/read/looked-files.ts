import type { QuickHold, Target } from "../walk/walk.js"

/** Files held for the open that follows; more are simply looked up again. */
const maxHeld = 64

/** A file that is held, and the place below a root where it was found. */
export interface LookedFile {
  readonly hold: QuickHold
  readonly target: Target
}

/**
 * Files that were looked at in this turn of the event loop. A call is judged by where its path leads and then opens
 * it: what is held in between need not be looked up twice, and is the very file that was judged. Nothing is held longer
 * than the turn, so a file that was replaced while a person was asked is found anew.
 */
export interface LookedFiles {
  /** Takes over the hold on what a path was found to mean: it is closed at the end of the turn, unless it is taken before. */
  keep(spelled: string, hold: QuickHold, target: Target): void
  /** Gives away what the same spelling was found to mean in this turn, and the duty to close it. */
  take(spelled: string): LookedFile | undefined
  close(): void
}

/** Holds nothing yet. */
export function createLookedFiles(): LookedFiles {
  const held = new Map<string, LookedFile>()
  let turnEndScheduled = false
  return { keep, take, close }

  function keep(spelled: string, hold: QuickHold, target: Target): void {
    // Of two looks in one turn the later one counts.
    take(spelled)?.hold.close()
    if (held.size >= maxHeld || !hold.facts.isFile()) {
      hold.close()
      return
    }
    held.set(spelled, { hold, target })
    if (turnEndScheduled) return
    turnEndScheduled = true
    setImmediate(endTurn)
  }

  function take(spelled: string): LookedFile | undefined {
    if (held.size === 0) return undefined
    const looked = held.get(spelled)
    if (looked) held.delete(spelled)
    return looked
  }

  function endTurn(): void {
    turnEndScheduled = false
    close()
  }

  function close(): void {
    for (const { hold } of held.values()) hold.close()
    held.clear()
  }
}
