import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"

/** Where the packages of the jobs are, by name; absent for one that is not installed. */
export function packageAddresses(): Readonly<Record<string, string>> {
  const { resolve } = createRequire(import.meta.url)
  const found = Object.entries(entries).flatMap(([name, entry]) => {
    try {
      return [[name, pathToFileURL(resolve(entry)).href] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(found)
}

const entries: Readonly<Record<string, string>> = {
  unpdf: "unpdf",
  sharp: "sharp",
  linkedom: "linkedom",
  defuddle: "defuddle",
  // The same library in one file: its thousand modules take more than a second to load.
  mathjs: "mathjs/lib/browser/math.js",
}
