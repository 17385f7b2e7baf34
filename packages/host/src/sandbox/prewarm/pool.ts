import { bestEffort } from "@haft/contract"
import type { OwnedLaunch } from "../launch/launch.js"
import { handshakeFor, type OwnedPrewarmed, type PrewarmedSandbox, startPrewarmed } from "./prewarmed-sandbox.js"

/** A sandbox as a command needs it: enough to compare it with another one, and to start one like it. */
export interface PrewarmPlan {
  /** The set-up of the session and the rules of the masks; the same only when they are the very same objects. */
  readonly host: unknown
  readonly rules: unknown
  /** Everything that the sandbox of this program is started with. */
  key(program: string): string
  /** Which files of the machine it is made of at this moment. */
  stamp(): string
  /** The same sandbox, with a shell inside that waits for the handshake. */
  launch(): OwnedLaunch
}

/** One command, from before its start until its end. */
export interface PoolVisit {
  /** The process that becomes the command, if one waits behind exactly this sandbox. */
  take(argv: readonly string[]): OwnedPrewarmed | undefined
  leave(): void
}

/** How long a session must be quiet before a sandbox is prewarmed, and how long that one waits. */
export interface PoolOptions {
  readonly quietMs?: number
  readonly keptMs?: number
}

/**
 * The one sandbox that a session prewarms, when the same one was needed twice: a session with one command never pays for a
 * second sandbox. It starts between commands, not while one is answered; it is compared with what is needed when it is
 * taken, and thrown away if it differs in anything.
 */
export class PrewarmPool {
  private readonly quietMs: number
  private readonly keptMs: number
  private running = 0
  private waiting: WaitingSandbox | undefined
  private needed: NeededSandbox | undefined
  private lastKey: string | undefined
  private isOff = false
  private quiet: NodeJS.Timeout | undefined
  private readonly ending = new Set<Promise<void>>()

  constructor({ quietMs = 20, keptMs = 30_000 }: PoolOptions = {}) {
    this.quietMs = quietMs
    this.keptMs = keptMs
  }

  /** To be called when a command is about to run; without a plan its sandbox is never a prewarmed one. */
  enter(plan?: PrewarmPlan): PoolVisit {
    this.running += 1
    clearTimeout(this.quiet)
    let wanted: NeededSandbox | undefined
    let isOver = false
    return {
      take: (argv) => {
        const words = handshakeFor(argv)
        if (!plan || words === undefined) return undefined
        wanted = { plan, program: argv[0]! }
        return this.take(wanted, words)
      },
      leave: () => {
        if (isOver) return
        isOver = true
        this.leave(wanted)
      },
    }
  }

  /** Ends the sandbox that waits. */
  async drop(): Promise<void> {
    this.needed = undefined
    if (this.waiting) {
      clearTimeout(this.waiting.clock)
      const end = this.waiting.prewarmed.end().finally(() => this.ending.delete(end))
      this.ending.add(end)
      this.waiting = undefined
    }
    await Promise.allSettled(this.ending)
  }

  /** Ends the sandbox that waits and starts no other. */
  close(): Promise<void> {
    this.isOff = true
    clearTimeout(this.quiet)
    return this.drop()
  }

  private take(wanted: NeededSandbox, words: string): OwnedPrewarmed | undefined {
    const found = this.waiting
    if (!found) return undefined
    if (!isSame(found, wanted)) {
      void this.drop()
      return undefined
    }
    clearTimeout(found.clock)
    this.waiting = undefined
    return found.prewarmed.take(words, wanted.program, () => {
      this.isOff = true
    })
  }

  private leave(wanted: NeededSandbox | undefined): void {
    this.running -= 1
    this.needed = wanted ?? this.needed
    if (this.running > 0 || !this.needed || this.isOff) return
    const start = () =>
      bestEffort("the next command builds its own sandbox and reports the failure", () => this.start())
    this.quiet = setTimeout(start, this.quietMs).unref()
  }

  /** The last sandbox that was needed is started again if the one before it was the same. */
  private start(): void {
    if (!this.needed || this.waiting || this.isOff) return
    const { plan, program } = this.needed
    this.needed = undefined
    const key = plan.key(program)
    const isNeededAgain = key === this.lastKey
    this.lastKey = key
    if (!isNeededAgain) return
    const stamp = plan.stamp()
    const prewarmed = startPrewarmed(plan.launch())
    if (!prewarmed) return
    const clock = setTimeout(() => void this.drop(), this.keptMs).unref()
    this.waiting = { prewarmed, plan, key, stamp, clock }
  }
}

interface NeededSandbox {
  readonly plan: PrewarmPlan
  readonly program: string
}

interface WaitingSandbox extends Pick<NeededSandbox, "plan"> {
  readonly prewarmed: PrewarmedSandbox
  readonly key: string
  readonly stamp: string
  readonly clock: NodeJS.Timeout
}

function isSame({ prewarmed, plan: built, key, stamp }: WaitingSandbox, { plan, program }: NeededSandbox): boolean {
  return (
    prewarmed.isWaiting() &&
    built.host === plan.host &&
    built.rules === plan.rules &&
    key === plan.key(program) &&
    stamp === plan.stamp()
  )
}
