import type { Person } from "@haft/contract"
import type { CallSession } from "@haft/runtime"
import type { ProgramHaft } from "../../library/create-haft.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { type OpenHaftOptions, openHaft, rulesOf } from "../open-haft.js"
import { type Setup, setUp } from "../setup.js"

/** What the parts of a server's host share. */
export class ServeWorld {
  readonly invocation: Invocation
  readonly io: Io
  readonly haft: ProgramHaft
  readonly startedAt = Date.now()
  /** The set-up that the server was started with. */
  readonly setup: Setup
  /** True when the workspace is the one that comes with Haft. */
  readonly isDemo: boolean
  private looking: Promise<Look> | undefined

  constructor(options: Pick<ServeWorld, "invocation" | "io" | "haft" | "setup" | "isDemo">) {
    // What was said at the start is not said again.
    this.invocation = { ...options.invocation, quiet: true }
    this.io = options.io
    this.haft = options.haft
    this.setup = options.setup
    this.isDemo = options.isDemo
  }

  /** The toolsets that `--toolset` limits this server to. */
  get limitedTo(): string | undefined {
    return this.invocation.text("toolset")
  }

  /** The configuration as it is now. */
  current(): Promise<Setup> {
    return setUp(this.invocation, this.io)
  }

  /** The rules of files and flags as they are now. */
  async rulesNow() {
    return rulesOf(await this.current(), this.invocation, this.io)
  }

  /** A session with every tool that records nothing and in which nobody is asked: for looking things up. */
  async look(): Promise<CallSession> {
    this.looking ??= this.openLook().catch((error: unknown) => {
      this.looking = undefined
      throw error
    })
    return (await this.looking).session
  }

  /** The next look opens it again, with what has been trusted meanwhile. */
  async lookAgain(): Promise<void> {
    const former = this.looking
    this.looking = undefined
    await (await former)?.close()
  }

  /** Another one, with other rules. */
  openLook(options: Pick<OpenHaftOptions, "rules"> = {}): Promise<Look> {
    return openLook(this.invocation, this.io, options)
  }

  async close(): Promise<void> {
    await (await this.looking)?.close()
    await this.haft.close()
  }
}

interface Look {
  readonly session: CallSession
  close(): Promise<void>
}

async function openLook(invocation: Invocation, io: Io, options: Pick<OpenHaftOptions, "rules">): Promise<Look> {
  const { haft } = await openHaft(invocation, io, { touchesFiles: false, journal: false, person: nobody, ...options })
  try {
    const { session } = await haft.drive({})
    return { session, close: () => haft.close() }
  } catch (error) {
    await haft.close()
    throw error
  }
}

// A session with a person in it says "ask" where one without says "deny"; this one answers nothing.
const nobody: Person = {
  ask: async () => ({ answer: "reject" }),
  question: async () => [],
}
