/** What files held before they were written, until somebody asks for the problems that the write brought. */
export interface FormerTexts {
  /** Keeps the bytes that a write replaced; null for a new file. The first of several writes counts. */
  keep(path: string, before: Uint8Array | null): void
  /** The bytes, once; undefined when none are known. */
  take(path: string): Uint8Array | null | undefined
}

const maxFiles = 16

/** Keeps a few files; the oldest go first. */
export function createFormerTexts(maxBytes: number): FormerTexts {
  const kept = new Map<string, Uint8Array | null>()
  return {
    keep(path, before) {
      if (kept.has(path) || (before !== null && before.length > maxBytes)) return
      kept.set(path, before)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxFiles) break
        kept.delete(oldest)
      }
    },
    take(path) {
      const before = kept.get(path)
      kept.delete(path)
      return before
    },
  }
}
