import { join } from "node:path"

/** Former content above this size is not kept. */
export const maxObjectBytes = 64 * 1024 * 1024

/** Two hexadecimal digits of a hash: the folders that objects lie in. */
export const shardPattern = /^[0-9a-f]{2}$/

/** Where the history keeps content with this hash. */
export function objectPath(historyFolder: string, hash: string): string {
  return join(historyFolder, hash.slice(0, 2), hash.slice(2))
}
