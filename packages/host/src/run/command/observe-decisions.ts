import type { RefusedHost, SandboxedCall } from "@haft/contract"
import { destinationText } from "../../address/destination-text.js"
import type { OnDecision } from "../../proxy/decision.js"

// A command that tries one port after the other would fill the journal; so many tell what it was after.
const maxRefused = 100

/**
 * Records where a command went and where it was not let go as effects of its call; a refused destination once, however
 * often the command tries again. The reasons are added to `refusals`.
 */
export function observeDecisions(call: Pick<SandboxedCall, "observe">, refusals: RefusedHost[] = []): OnDecision {
  const refused = new Set<string>()
  return ({ host, port, allowed, reason, fix }) => {
    if (allowed) return call.observe({ kind: "net.fetch", host, port })
    const destination = destinationText(host, port)
    if (refused.has(destination) || refused.size >= maxRefused) return
    refused.add(destination)
    refusals.push({ destination, reason, ...(fix !== undefined && { fix }) })
    call.observe({ kind: "net.fetch", host, port, refused: fix === undefined ? reason : `${reason}; ${fix}` })
  }
}
