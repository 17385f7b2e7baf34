import type { Execute, FileReader } from "@haft/contract"
import { drawTree } from "./draw-tree.js"
import type { manifest } from "./index.js"
import { languageByExtension, languageByName } from "./language-table.js"

// Beyond these a tree and shares tell no more, and looking at each file takes long.
const maxFiles = 20_000
const searchTimeoutMs = 20_000
// Enough at a time to keep the disk busy.
const batchSize = 64

/** Lists the files that ignore files and rules leave, and sizes those whose language is known. */
export const execute: Execute<typeof manifest> = async ({ path }, { files, search, signal }) => {
  // A missing path or a file is refused here, with near names.
  const { path: base } = await files.list(path, { maxEntries: 1 })
  const found = await search.glob({ pattern: "**", path, maxPaths: maxFiles, timeoutMs: searchTimeoutMs })
  const { resolved: directory } = await files.locate(".")
  const inside = found.paths.map((shown) => below(base, isAbsolute(shown) ? shown : `${directory}/${shown}`))
  return {
    tree: drawTree(inside),
    languages: countLanguages(await sized(inside, { base, files, signal })),
    file_count: inside.length,
    complete: found.complete,
    ...(found.skipped.denied > 0 && { denied: found.skipped.denied }),
  }
}

async function sized(
  paths: readonly string[],
  { base, files, signal }: { readonly base: string; readonly files: FileReader; readonly signal: AbortSignal },
): Promise<readonly CountedFile[]> {
  const counted: CountedFile[] = []
  const known = paths.flatMap((path) => {
    const language = languageOf(path)
    return language === undefined ? [] : [{ path, language }]
  })
  for (let start = 0; start < known.length; start += batchSize) {
    signal.throwIfAborted()
    const batch = known.slice(start, start + batchSize)
    const sizes = await Promise.all(batch.map(({ path }) => sizeOf(`${base}/${path}`, files)))
    batch.forEach(({ language }, index) => {
      counted.push({ language, bytes: sizes[index]! })
    })
  }
  return counted
}

/** A file that vanished or became something else meanwhile counts, but weighs nothing. */
async function sizeOf(path: string, files: FileReader): Promise<number> {
  return files.stat(path).then(
    (facts) => (facts?.kind === "file" ? facts.size : 0),
    () => 0,
  )
}

function below(base: string, path: string): string {
  const beginning = base.endsWith("/") ? base : `${base}/`
  return path.startsWith(beginning) ? path.slice(beginning.length) : path
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)
}

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

/** A file whose language is known. */
interface CountedFile {
  readonly language: string
  readonly bytes: number
}

/** How much of a project is written in one language. */
interface LanguageShare {
  readonly name: string
  readonly files: number
  readonly bytes: number
  /** Between 0 and 1, of the bytes in all known languages. */
  readonly share: number
}

/** The languages of a project, the largest first. */
function countLanguages(files: readonly CountedFile[]): LanguageShare[] {
  const totals = new Map<string, { files: number; bytes: number }>()
  let all = 0
  for (const { language, bytes } of files) {
    const total = totals.get(language) ?? { files: 0, bytes: 0 }
    totals.set(language, { files: total.files + 1, bytes: total.bytes + bytes })
    all += bytes
  }
  return [...totals]
    .map(([name, total]) => ({ name, ...total, share: all === 0 ? 0 : Math.round((1000 * total.bytes) / all) / 1000 }))
    .sort((one, other) => other.bytes - one.bytes || other.files - one.files || (one.name < other.name ? -1 : 1))
}
