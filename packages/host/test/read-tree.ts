import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"

/** Everything below a folder: a text for a file, an arrow for a link, null for a folder. */
export function readTree(folder: string, below = ""): Record<string, string | null> {
  const found: Record<string, string | null> = {}
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    const facts = lstatSync(path)
    if (facts.isDirectory()) Object.assign(found, { [below + name]: null }, readTree(path, `${below}${name}/`))
    else found[below + name] = facts.isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, "utf8")
  }
  return found
}
