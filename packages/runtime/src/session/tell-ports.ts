import type { PathRules } from "@haft/contract"
import { deniesFile } from "@haft/guard"
import type { CallSession } from "./call-session.js"

/**
 * Tells the host that rules or mode are no longer the same, and the listeners what was ended because of that. Never
 * throws: the rules hold for every later call in any case.
 */
export async function tellPorts(session: CallSession): Promise<void> {
  try {
    const ended = (await session.ports.rulesChanged?.(pathRules(session))) ?? []
    for (const process of ended) session.emit({ type: "process-ended", process })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    session.emit({ type: "error", message: `Cannot hold running processes against the new rules: ${why}` })
  }
}

function pathRules(session: CallSession): PathRules {
  const { ports } = session
  const book = session.rules()
  return { rulesKey: book, denies: (kind, path) => deniesFile(book, kind, path, ports) }
}
