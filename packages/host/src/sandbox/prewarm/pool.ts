import type { OwnedLaunch } from "../launch/launch.js"
import { type OwnedSpare, type Spare, startSpare, wordsFor } from "./prewarmed-sandbox.js"

/** A sandbox as a command needs it: enough to tell whether another one is the same, and to start one like it. */
export interface SandboxOrder {
  /** What the sandbox stands on and by which rules it covers; the same only when they are the very same objects. */
  readonly host: unknown
  readonly rules: unknown
  /** Everything that the sandbox of this program is started with. */
  key(program: string): string
  /** Which files of the host it is made of at this moment. */
  stamp(): string
  /** The same sandbox with a waiter behind it. */
  launch(): OwnedLaunch
}

/** The one sandbox that a session starts ahead of the command that will need it. */
export interface Spares {
  /** To be called when a command is about to run; without an order its sandbox is never one that was started ahead. */
  enter(order?: SandboxOrder): Visit
  /** Ends what waits. */
  drop(): Promise<void>
  /** Ends what waits and starts nothing more. */
  close(): Promise<void>
}

/** One command, from before its start until its end. */
export interface Visit {
  /** The process that becomes the command, if one waits behind exactly this sandbox. */
  take(argv: readonly string[]): OwnedSpare | undefined
  leave(): void
}

/** How long a session must be quiet, and how long a spare waits. */
export interface SparesOptions {
  readonly quietMs?: number
  readonly keptMs?: number
}

/**
 * Starts a sandbox ahead when the same one was needed twice: a session with one command never pays for a second sandbox. It
 * starts between commands, not while one is answered; what is taken is compared with what is needed at that moment, and
 * what differs in anything is thrown away.
 */
export function createSpares({ quietMs = 20, keptMs = 30_000 }: SparesOptions = {}): Spares {
  let running = 0
  let waiting: WaitingSandbox | undefined
  let needed: NeededSandbox | undefined
  let lastKey: string | undefined
  let isOff = false
  let quiet: NodeJS.Timeout | undefined
  const ending = new Set<Promise<void>>()

  function take(wanted: NeededSandbox, words: string): OwnedSpare | undefined {
    const found = waiting
    if (!found) return undefined
    if (!isSame(found, wanted)) {
      void drop()
      return undefined
    }
    clearTimeout(found.clock)
    waiting = undefined
    return found.spare.take(words, wanted.program, () => {
      isOff = true
    })
  }

  /** The last sandbox that was needed is started again if the one before it was the same. */
  function startNext(): void {
    if (!needed || waiting || isOff) return
    const { order, program } = needed
    needed = undefined
    const key = order.key(program)
    const isNeededAgain = key === lastKey
    lastKey = key
    if (!isNeededAgain) return
    const stamp = order.stamp()
    const spare = startSpare(order.launch())
    if (spare) waiting = { spare, order, key, stamp, clock: setTimeout(() => void drop(), keptMs).unref() }
  }

  async function drop(): Promise<void> {
    needed = undefined
    if (waiting) {
      clearTimeout(waiting.clock)
      const end = waiting.spare.end().finally(() => ending.delete(end))
      ending.add(end)
      waiting = undefined
    }
    await Promise.allSettled(ending)
  }

  return {
    enter(order) {
      running += 1
      clearTimeout(quiet)
      let wanted: NeededSandbox | undefined
      let isOver = false
      return {
        take(argv) {
          const words = wordsFor(argv)
          if (!order || words === undefined) return undefined
          wanted = { order, program: argv[0]! }
          return take(wanted, words)
        },
        leave() {
          if (isOver) return
          isOver = true
          running -= 1
          needed = wanted ?? needed
          if (running === 0 && needed && !isOff) quiet = setTimeout(tryStartNext, quietMs).unref()
        },
      }
    },
    drop,
    close() {
      isOff = true
      clearTimeout(quiet)
      return drop()
    },
  }

  function tryStartNext(): void {
    try {
      startNext()
    } catch {
      // The next command builds its own sandbox and says what is wrong.
    }
  }
}

interface NeededSandbox {
  readonly order: SandboxOrder
  readonly program: string
}

interface WaitingSandbox {
  readonly spare: Spare
  readonly order: SandboxOrder
  readonly key: string
  readonly stamp: string
  readonly clock: NodeJS.Timeout
}

function isSame({ spare, order: built, key, stamp }: WaitingSandbox, { order, program }: NeededSandbox): boolean {
  return (
    spare.isWaiting() &&
    built.host === order.host &&
    built.rules === order.rules &&
    key === order.key(program) &&
    stamp === order.stamp()
  )
}
