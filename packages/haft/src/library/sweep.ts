import { stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pruneHistory, removeSessionFolder, type Store } from "@haft/host"
import type { Places } from "../config/places.js"
import type { HaftOptions } from "./options.js"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const monthMs = 30 * dayMs
const gigabyte = 1024 ** 3

/** Deletes what has outlived its use: sidecars of sessions unused for a day, and old file history. At most hourly. */
export async function sweep(store: Store, places: Places, { retention }: HaftOptions): Promise<void> {
  const marker = join(places.home, "swept")
  const last = await stat(marker).catch(() => undefined)
  if (last && Date.now() - last.mtimeMs < hourMs) return
  await writeFile(marker, "", { mode: 0o600 })
  for (const session of await store.expired(retention?.sidecars?.maxAgeMs ?? dayMs)) {
    const folder = String(session.metadata.folder ?? "")
    // The name is ours: anything else in the record does not lead to a deletion.
    if (/^[0-9a-f]{32}$/.test(folder)) await removeSessionFolder(join(places.home, "sessions", folder))
  }
  const { maxBytes = gigabyte, maxAgeMs = monthMs } = retention?.history ?? {}
  await pruneHistory({ historyFolder: join(places.home, "history"), maxBytes, maxAgeMs })
}
