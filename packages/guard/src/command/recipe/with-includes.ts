import { joinPath } from "../../path/join-path.js"
import { wholeLines } from "./target-blocks.js"

/** The text of a small file; undefined where there is none, null where there may be one that cannot be read. Tells where links lead. */
export type Peek = (path: string, onPlace?: (resolved: string) => void) => string | null | undefined

/** A file with the text of those that it takes in. */
export interface WithIncludes {
  readonly text: string
  /** False when some of them cannot be told: their names are made when it runs, there are too many, or one cannot be read. */
  readonly complete: boolean
}

/** Reads the files that a file of `make` or `just` takes in; one that does not exist counts as empty. */
export function withIncludes(
  kind: "make" | "just",
  file: { readonly text: string; readonly folder: string },
  peek: Peek,
): WithIncludes {
  const texts = [file.text]
  const seen = new Set<string>()
  let complete = true
  const add = (text: string, folder: string) => {
    for (const name of wholeLines(text).flatMap(includedBy[kind])) {
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
      // `make` looks from the folder that it runs in, `just` from the folder of the file.
      add(included, kind === "make" ? folder : joinPath(path, ".."))
    }
  }
  add(file.text, file.folder)
  return { text: texts.join("\n"), complete }
}

const maxFiles = 32

const includedBy = {
  make: (line: string): readonly string[] => {
    const found = /^ *(?:-include|sinclude|include|load|-load)\s+([^#]*)/.exec(line.replace(/\\\n\s*/g, " "))
    return (found?.[1] ?? "").split(/\s+/).filter((name) => name !== "")
  },
  // A module has recipes of its own; where it lies is left open.
  just: (line: string): readonly string[] => {
    if (/^mod\??\s/.test(line)) return ["*"]
    const name = /^(?:import\??|!include)\s+(\S.*)$/.exec(line)?.[1]?.trimEnd()
    if (name === undefined) return []
    const isQuoted = name.length > 1 && /["']/.test(name[0]!) && name.endsWith(name[0]!)
    return [isQuoted ? name.slice(1, -1) : name]
  },
}
