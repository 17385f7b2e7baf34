import type { Envelope } from "@haft/contract"
import type { RecentCall } from "@haft/guard"
import { hashOf } from "../call/hash-of.js"

// Enough to notice a loop; each entry holds on to an output.
const kept = 8

/** The last calls of a session, for the watchdog. */
export class RecentCalls {
  private calls: readonly RecentCall[] = []

  list(): readonly RecentCall[] {
    return this.calls
  }

  add(tool: string, argumentsHash: string, envelope: Envelope): void {
    const calls = this.calls.slice(1 - kept)
    calls.push(new EndedCall(tool, argumentsHash, envelope))
    this.calls = calls
  }
}

class EndedCall implements RecentCall {
  readonly tool: string
  readonly argumentsHash: string
  private readonly envelope: Envelope
  private hash: string | undefined

  constructor(tool: string, argumentsHash: string, envelope: Envelope) {
    this.tool = tool
    this.argumentsHash = argumentsHash
    this.envelope = envelope
  }

  /** Hashed only when somebody compares it: most calls are never repeated. */
  get resultHash(): string {
    this.hash ??= hashOf(this.envelope.type === "output" ? this.envelope.data : this.envelope.error_text)
    return this.hash
  }
}
