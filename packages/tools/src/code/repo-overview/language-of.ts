import { languageByExtension, languageByName } from "./language-table.js"

/** The language that a file is written in by its name; undefined when that is unknown or a program wrote the file. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1)
  if (isGenerated(name)) return undefined
  const byName = languageByName.get(name.toLowerCase())
  if (byName !== undefined) return byName
  const dot = name.lastIndexOf(".")
  // A name that only begins with a dot has no extension.
  return dot <= 0 ? undefined : languageByExtension.get(name.slice(dot + 1).toLowerCase())
}

// Lock files and built bundles say nothing about what people write, and would outweigh it.
const generated =
  /-lock\.(?:json|ya?ml)$|\.lock$|^npm-shrinkwrap\.json$|\.min\.(?:js|mjs|css)$|\.(?:map|snap)$|\.(?:pb|generated|g)\.\w+$/i

function isGenerated(name: string): boolean {
  return generated.test(name)
}
