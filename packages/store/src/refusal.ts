import { ToolError } from "@haft/contract"
import { isLiving, ownerName } from "./lease/owner.js"
import type { SessionMetadata } from "./session-metadata.js"

/** The refusal for a session that is not there. */
export function missing(action: string, sessionId: string): ToolError {
  return new ToolError(
    "not_found",
    `Cannot ${action} session "${sessionId}": the journal has none with this id; see \`haft session list\``,
  )
}

/** Refuses to write to a session that came from a file. */
export function refuseImported(sessionId: string, metadata: SessionMetadata): void {
  if (!metadata.imported) return
  throw new ToolError(
    "unsupported",
    `Cannot write to session "${sessionId}": it was imported and is read-only; open a new one`,
  )
}

/** Refuses a session that another living process owns. */
export function refuseOwned(
  sessionId: string,
  metadata: SessionMetadata,
  asker: { readonly process: string | undefined; readonly now: number },
): void {
  const { owner } = metadata
  if (!owner || owner.process === asker.process || !isLiving(owner, asker.now)) return
  throw new ToolError("conflict", `Cannot use session "${sessionId}": ${ownerName(owner)} owns it`, {
    hint: "End that process, or leave --session out to get a session of its own",
    details: { owner },
  })
}
