import type { Execute, FileReader } from "@haft/contract"
import { type CountedFile, countLanguages } from "./count-languages.js"
import { drawTree } from "./draw-tree.js"
import { languageOf } from "./language-of.js"
import type { manifest } from "./index.js"

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
