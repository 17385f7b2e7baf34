import type { Stats } from "node:fs"
import type { FileFacts } from "@haft/contract"

/** Facts in the words of the contract. */
export function factsOf(path: string, facts: Stats): FileFacts {
  const { size, mtimeMs, mode } = facts
  return { path, kind: facts.isDirectory() ? "directory" : "file", size, mtimeMs, mode: mode & 0o7777 }
}
