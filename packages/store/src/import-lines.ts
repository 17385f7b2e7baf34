import type { Store } from "./store.js"

/** Takes exported lines into a store as a read-only session. Resolves to its id. */
export function importLines(store: Store, lines: Iterable<string> | AsyncIterable<string>): Promise<string> {
  return store.importLines(lines)
}
