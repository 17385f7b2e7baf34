import type { WalledCall } from "@haft/contract"
import type { OnDecision } from "../proxy/decision.js"

// A command that tries one port after the other would fill the journal; so many tell what it was after.
const maxRefused = 100

/**
 * Records where a command went and where it was not let go as effects of its call; a refused destination once, however
 * often the command tries again.
 */
export function observeDecisions(call: Pick<WalledCall, "observe">): OnDecision {
  const refused = new Set<string>()
  return ({ host, port, allowed, reason }) => {
    if (allowed) return call.observe({ kind: "net.fetch", host, port })
    const destination = `${host}:${port}`
    if (refused.has(destination) || refused.size >= maxRefused) return
    refused.add(destination)
    call.observe({ kind: "net.fetch", host, port, refused: reason })
  }
}
