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
    let resultHash: string | undefined
    const call: RecentCall = {
      tool,
      argumentsHash,
      // Hashed only when somebody compares it: most calls are never repeated.
      get resultHash() {
        resultHash ??= hashOf(envelope.type === "output" ? envelope.data : envelope.error_text)
        return resultHash
      },
    }
    this.calls = [...this.calls.slice(1 - kept), call]
  }
}
