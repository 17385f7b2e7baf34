import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Places } from "../config/places.js"

/** Where it is kept which extensions are installed and what they were granted: outside every workspace. */
export function extensionsFile({ configHome }: Pick<Places, "configHome">): string {
  return join(configHome, "extensions.json")
}

/** Whether anything is installed at all; asked by every start, before anything is loaded for it. */
export function hasExtensions(places: Pick<Places, "configHome">): boolean {
  return existsSync(extensionsFile(places))
}
