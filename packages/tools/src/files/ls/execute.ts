import type { DirectoryEntry, Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Lists up to ten times the limit: the runtime shows the first part and keeps the rest in a file. */
export const execute: Execute<typeof manifest> = async ({ path }, { files, limit }) => {
  const listing = await files.list(path, { maxEntries: 10 * limit })
  return {
    entries: listing.entries.map(({ name, type, size, mtimeMs }: DirectoryEntry) => ({
      name,
      type,
      size,
      mtime: isoTime(mtimeMs),
    })),
    complete: listing.complete,
    ...(listing.denied > 0 && { denied: listing.denied }),
  }
}

// The last instant that a Date can hold; file systems store times beyond it, and toISOString throws on them.
const lastInstantMs = 8.64e15

function isoTime(mtimeMs: number): string {
  const bounded = Math.min(Math.max(Number.isNaN(mtimeMs) ? 0 : mtimeMs, -lastInstantMs), lastInstantMs)
  return new Date(bounded).toISOString()
}
