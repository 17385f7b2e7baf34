import { join } from "node:path"
import type { SessionRecord } from "@haft/contract"
import { removeSessionFolder } from "@haft/host"
import type { Store } from "@haft/store"
import type { Places } from "../../config/places.js"
import { sessionNamed } from "../../library/branch-session.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { unlessInUse, withStore } from "./with-store.js"

/** `haft session remove`: deletes sessions with their records, scratch and sidecars. */
export const run: Run = async (invocation, io) => {
  const removed = await withStore(invocation, io, async (store, { places, roots }) => {
    // All are looked up first: a misspelt id removes nothing.
    const sessions = []
    for (const id of invocation.operands) sessions.push(await sessionNamed(store, id, roots))
    for (const session of sessions) await removeSession(store, session, places)
    return sessions.map(({ id }) => id)
  })
  printRows(invocation, io, removed, ({ say }) => removed.map((id) => say`removed ${id}`).join("\n"))
  return exitCodes.ok
}

/** Deletes a session with its records, scratch and sidecars. */
export async function removeSession(store: Store, { id, metadata }: SessionRecord, { home }: Places): Promise<void> {
  await unlessInUse(store.removeSession(id))
  const folder = String(metadata.folder ?? "")
  if (/^[0-9a-f]{32}$/.test(folder)) await removeSessionFolder(join(home, "sessions", folder))
}
