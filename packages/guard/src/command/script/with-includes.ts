import { joinPath } from "../../path.js"
import { wholeLines } from "./target-blocks.js"

/** The text of a small file; undefined where there is none, null where there may be one that cannot be read. Tells where links lead. */
export type Peek = (path: string, onPlace?: (resolved: string) => void) => string | null | undefined

/** A file with the text of those that it takes in. */
export interface WithIncludes {
  readonly text: string
  /** False when some of them cannot be known: their names are made when it runs, there are too many, or one cannot be read. */
  readonly complete: boolean
}

/** Reads the files that a file of `make` takes in; one that does not exist counts as empty. */
export function withIncludes(file: { readonly text: string; readonly folder: string }, peek: Peek): WithIncludes {
  const texts = [file.text]
  const seen = new Set<string>()
  let complete = true
  const add = (text: string, folder: string) => {
    for (const name of wholeLines(text).flatMap(includedBy)) {
      const path = joinPath(folder, name)
      if (seen.has(path)) continue
      if (seen.size >= maxFiles || /[$*?[\]{}~]/.test(name)) {
        complete = false
        continue
      }
      seen.add(path)
      const included = peek(path)
      if (included === null) complete = false
      if (included == null) continue
      texts.push(included)
      // From the folder that `make` runs in, not from that of the file.
      add(included, folder)
    }
  }
  add(file.text, file.folder)
  return { text: texts.join("\n"), complete }
}

const maxFiles = 32

function includedBy(line: string): readonly string[] {
  const found = /^ *(?:-include|sinclude|include|load|-load)\s+([^#]*)/.exec(line.replace(/\\\n\s*/g, " "))
  return (found?.[1] ?? "").split(/\s+/).filter((name) => name !== "")
}
