import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A path inside this package; sources, built modules and the bundle are all two folders below it. */
export function packagePath(...parts: readonly string[]): string {
  return join(dirname(fileURLToPath(import.meta.url)), "..", "..", ...parts)
}
