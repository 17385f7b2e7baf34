import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"

/** Where the packages of the jobs are, by name; absent for one that is not installed. */
export function packageAddresses(): Readonly<Record<string, string>> {
  const { resolve } = createRequire(import.meta.url)
  const found = Object.entries(entries).flatMap(([name, [entry, part]]) => {
    try {
      return [[name, new URL(part ?? "", pathToFileURL(resolve(entry))).href] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(found)
}

/** The entry of each package, and the module beside it that is wanted instead. */
const entries: Readonly<Record<string, readonly [entry: string, part?: string]>> = {
  unpdf: ["unpdf"],
  sharp: ["sharp"],
  linkedom: ["linkedom"],
  defuddle: ["defuddle"],
  // The same library in one file: its thousand modules take more than a second to load.
  mathjs: ["mathjs/lib/browser/math.js"],
  // A line must be read in a quarter of a second, loading included: only what reads lines. The compiled file, also where
  // the entry is a source that no worker can load.
  "command analysis": ["@haft/guard", "../dist/command/analyze-bash.js"],
}
