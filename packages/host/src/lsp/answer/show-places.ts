import { type FileReader, type LanguageItem, ToolError } from "@haft/contract"
import type { JudgePath } from "./judged-paths.js"
import type { Place } from "./places-of.js"
import { linesOf, readDocument } from "./read-document.js"

/** Places as they are shown, and how many were not. */
export interface Shown {
  readonly items: readonly LanguageItem[]
  readonly denied: number
}

/** How places are judged and read. */
export interface ShowOptions {
  readonly files: Pick<FileReader, "open" | "display">
  readonly admits: JudgePath
}

// Lines of this many files are read for their words; the places in further files are shown without.
const maxFilesRead = 200
const maxLineCharacters = 300

/** Shows each place with its line, as the file is now. Places that the call may not read are counted, not named. */
export async function showPlaces(places: readonly Place[], { files, admits }: ShowOptions): Promise<Shown> {
  const byPath = groupOf(places)
  const items: LanguageItem[] = []
  let denied = 0
  let filesRead = 0
  for (const [path, inFile] of byPath) {
    const lines = (await admits(path)) ? await linesIn(path, filesRead < maxFilesRead ? files : undefined) : undefined
    filesRead += 1
    if (!lines) {
      denied += inFile.length
      continue
    }
    const shown = files.display(path)
    for (const { line, character } of inFile) {
      const text = (lines[line] ?? "").trim().slice(0, maxLineCharacters)
      items.push({ path: shown, line: line + 1, character: character + 1, text })
    }
  }
  return { items, denied }
}

function groupOf(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const group = groups.get(place.path)
    if (group) group.push(place)
    else groups.set(place.path, [place])
  }
  return groups
}

/** The lines of a file; none where it cannot be read as text, undefined where it may not be. */
async function linesIn(
  path: string,
  files: Pick<FileReader, "open"> | undefined,
): Promise<readonly string[] | undefined> {
  if (!files) return []
  try {
    return linesOf((await readDocument(files, path)).text)
  } catch (error) {
    if (ToolError.is(error) && error.code === "denied") return undefined
    if (ToolError.is(error) && error.code !== "cancelled") return []
    throw error
  }
}
