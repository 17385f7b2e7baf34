import { existsSync } from "node:fs"
import { join } from "node:path"
import { type StubLedger, stubLedger } from "./stub-ledger.js"

/** The ledger of the names that commands of this state folder hold; undefined where sandboxes hold names in another way. */
export function ledgerOf(haftHome: string): StubLedger | undefined {
  return process.platform === "linux" ? stubLedger(join(haftHome, "sandbox")) : undefined
}

/** Absent protected names that running commands of this state folder hold with empty directories. */
export function heldNames(haftHome: string): ReadonlySet<string> {
  return ledgerOf(haftHome)?.held() ?? new Set()
}

/**
 * Removes the empty directories that killed processes left in workspaces. To be called when a session opens: a session
 * that runs no command would show them to its tools as if they were the project's.
 */
export async function sweepHeldNames(haftHome: string): Promise<void> {
  if (!existsSync(join(haftHome, "sandbox"))) return
  // A session without them is no worse off than before: what cannot be removed now is swept by the next one.
  await ledgerOf(haftHome)
    ?.sweep()
    .catch(() => undefined)
}
